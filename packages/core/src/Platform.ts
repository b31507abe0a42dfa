/**
 * What the host platform gives, reached without importing Node: the default finds it through
 * `process.getBuiltinModule`, so that `core` loads everywhere and an application may replace any part.
 */
import * as Context from "effect/Context"
import type { CallContext } from "./CallContext.ts"
import { InvalidInput } from "./InvalidInput.ts"

export interface Platform {
  /**
   * Blanks types, keeping length and lines; throws a `SyntaxError` for what cannot be blanked. Absent where nothing
   * can.
   */
  readonly strip: ((code: string) => string) | undefined
  /** SHA-256 of a text or bytes, as lower-case hex. */
  readonly sha256: (data: string | Uint8Array) => string
  readonly readFile: (path: string | URL) => Promise<Uint8Array>
  /** Runs `f` so that `current` gives `context`, also after an `await`. */
  readonly runWith: <A>(context: CallContext, f: () => A) => A
  /** The call from a cell that is being served, if any. */
  readonly current: () => CallContext | undefined
}

interface Process {
  emitWarning: (...args: ReadonlyArray<unknown>) => void
  readonly getBuiltinModule?: (id: string) => any
}

interface Storage {
  readonly run: <A>(store: CallContext, f: () => A) => A
  readonly getStore: () => CallContext | undefined
}

const absent = (what: string) => (): never => {
  throw new InvalidInput({
    subject: "Platform",
    problem: `${what} is not available on this platform`,
    remedy: "Provide the Platform reference"
  })
}

const make = (): Platform => {
  const process = (globalThis as { readonly process?: Process }).process
  const builtin = (id: string) => process?.getBuiltinModule?.(id)
  const blank: ((code: string) => string) | undefined = builtin("node:module")?.stripTypeScriptTypes
  const hash: ((algorithm: string, data: string | Uint8Array) => string) | undefined = builtin("node:crypto")?.hash
  const storage: Storage | undefined = builtin("node:async_hooks") &&
    new (builtin("node:async_hooks").AsyncLocalStorage)()
  return {
    strip: process && blank && ((code) => silently(process, () => blank(code))),
    sha256: hash ? (data) => hash("sha256", data) : absent("SHA-256"),
    readFile: builtin("node:fs/promises")?.readFile ?? absent("a file system"),
    runWith: storage ? (context, f) => storage.run(context, f) : (_, f) => f(),
    current: () => storage?.getStore()
  }
}

/** Node warns at each first use that stripping is experimental; the model did not ask. */
const silently = <A>(process: Process, f: () => A): A => {
  const emit = process.emitWarning
  process.emitWarning = () => {}
  try {
    return f()
  } finally {
    process.emitWarning = emit
  }
}

let platform: Platform | undefined

/** Also read outside an Effect, by the application's functions: see {@link currentCall}. */
export const Platform: Context.Reference<Platform> = Context.Reference<Platform>("@daylight/core/Platform", {
  defaultValue: () => platform ??= make()
})

/**
 * The host call that the running function serves: the session and agent it comes from, an idempotency key to hand on,
 * and a signal that aborts with the run. `undefined` outside a call from a cell.
 */
export const currentCall = (): CallContext | undefined => Platform.defaultValue().current()
