/**
 * Where the values of secrets come from that a binding only names.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { InvalidInput } from "./InvalidInput.ts"
import { Platform } from "./Platform.ts"

/** `undefined`: not known here. */
export interface Secrets {
  readonly get: (name: string) => Effect.Effect<string | undefined, InvalidInput>
}

const reference: Context.Reference<Secrets> = Context.Reference<Secrets>("@daylight/core/Secrets", {
  defaultValue: () => environment()
})

interface EnvironmentOptions {
  /** Put before the name. Default: nothing. */
  readonly prefix?: string | undefined
  /** Default: `process.env`, where there is one. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** `stripeKey` is looked up as it is, then as `STRIPE_KEY`. */
const environment = ({ env, prefix = "" }: EnvironmentOptions = {}): Secrets => ({
  get: (name) =>
    Effect.sync(() => {
      const variables = env ?? processEnvironment()
      return variables[prefix + name] ?? variables[prefix + upperSnake(name)]
    })
})

const processEnvironment = (): Readonly<Record<string, string | undefined>> =>
  (globalThis as { readonly process?: { readonly env?: Record<string, string | undefined> } }).process?.env ?? {}

const upperSnake = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, "$1_$2").toUpperCase()

/**
 * A file of `NAME=value` lines (quotes around a value and lines that begin with `#` are left out), or a JSON object of
 * texts. Read each time, so that a rotated secret is found by the next session.
 */
const file = (path: string | URL): Secrets => ({
  get: (name) =>
    Effect.flatMap(Platform, ({ readFile }) =>
      Effect.tryPromise({
        try: async () => new TextDecoder().decode(await readFile(path)),
        catch: (error) => unreadable(path, String(error instanceof Error ? error.message : error))
      })).pipe(Effect.flatMap((text) =>
        Effect.try({
          try: () => {
            const values = text.trimStart().startsWith("{") ? fromJson(text) : fromLines(text)
            return values[name] ?? values[upperSnake(name)]
          },
          catch: () => unreadable(path, "it is neither a JSON object of texts nor lines of NAME=value")
        })
      ))
})

const unreadable = (path: string | URL, problem: string): InvalidInput =>
  new InvalidInput({ subject: `secrets file ${path}`, problem, remedy: "Give the path of a readable file" })

const fromJson = (text: string): Readonly<Record<string, string>> => {
  const values: unknown = JSON.parse(text)
  if (typeof values !== "object" || values === null) throw new TypeError("not an object")
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "string"))
}

const fromLines = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*(.*?)\s*$/.exec(line) ?? []
      return name === undefined ? [] : [[name, value!.replace(/^(["'])(.*)\1$/, "$2")]]
    })
  )

export const Secrets = Object.assign(reference, {
  environment,
  file,
  /** Any other place: a vault, a keychain. */
  from: (get: (name: string) => string | undefined | Promise<string | undefined>): Secrets => ({
    get: (name) =>
      Effect.tryPromise({
        try: async () => get(name),
        catch: (error) =>
          new InvalidInput({
            subject: `secret ${name}`,
            problem: `could not be read: ${error instanceof Error ? error.message : String(error)}`,
            remedy: "Check the function given to Secrets.from"
          })
      })
  }),
  /** The first that knows the name. */
  firstOf: (...sources: ReadonlyArray<Secrets>): Secrets => ({
    get: Effect.fnUntraced(function*(name: string) {
      for (const source of sources) {
        const value = yield* source.get(name)
        if (value !== undefined) return value
      }
      return undefined
    })
  })
})
