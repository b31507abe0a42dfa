/**
 * The sessions a command is about: of a SQLite file, or of the store that an agent's file names. Opened with the
 * packages of the project they belong to.
 */
import type { SessionStore } from "@daylight/core"
import type * as Layer from "effect/Layer"
import { resolve } from "node:path"
import { existsSync } from "node:fs"
import { loadAgentFile } from "./AgentFile.ts"
import { find, load } from "./Engine.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"

export interface StorePlace {
  /** A file of sessions. */
  readonly store: string | undefined
  /** An agent's file that names its store. */
  readonly agent: string | undefined
}

type Core = typeof import("@daylight/core")
type EffectModule = typeof import("effect/Effect")

export interface OpenStore {
  readonly store: SessionStore["Service"]
  readonly core: Core
  readonly Effect: EffectModule
}

/** Environment variable that stands in for `--store`. */
const variable = "DAYLIGHT_STORE"

/** Uses a store and closes it. Rejects with what `use` rejects with, or a `Problem` if there is no store. */
export const withStore = async <A>(place: StorePlace, use: (opened: OpenStore) => Promise<A>): Promise<A> => {
  const { from, layer } = place.agent === undefined ? await fileStore(place.store) : await agentStore(place.agent)
  const core = await load<Core>(find("@daylight/core", from) ?? "@daylight/core")
  const beside = find("@daylight/core", from) ?? from
  const [Effect, Layer, Scope, Exit, Context] = await Promise.all([
    load<EffectModule>(find("effect/Effect", beside) ?? "effect/Effect"),
    load<typeof import("effect/Layer")>(find("effect/Layer", beside) ?? "effect/Layer"),
    load<typeof import("effect/Scope")>(find("effect/Scope", beside) ?? "effect/Scope"),
    load<typeof import("effect/Exit")>(find("effect/Exit", beside) ?? "effect/Exit"),
    load<typeof import("effect/Context")>(find("effect/Context", beside) ?? "effect/Context")
  ])
  const scope = Scope.makeUnsafe()
  try {
    const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
    return await use({ store: Context.get(context, core.SessionStore), core, Effect })
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

type StoreLayer = Layer.Layer<SessionStore, unknown>

const fileStore = async (
  store: string | undefined = process.env[variable]
): Promise<{ readonly from: string; readonly layer: StoreLayer }> => {
  if (store === undefined || store === "") {
    throw new Problem(
      "sessions",
      "it is not said where they are",
      `Name a file of sessions with --store FILE (or ${variable}), or an agent with --agent FILE.`,
      ExitCode.usage
    )
  }
  if (!existsSync(store)) {
    throw new Problem(store, "there is no such file of sessions", "Check the path given to --store.", ExitCode.usage)
  }
  const path = find("@daylight/store", resolve(store)) ?? find("@daylight/store", import.meta.filename)
  if (path === undefined) {
    throw new Problem(
      store,
      "@daylight/store is not installed",
      "Install it: npm install @daylight/store",
      ExitCode.usage
    )
  }
  const { SqliteStore } = await load<typeof import("@daylight/store")>(path)
  return { from: path, layer: SqliteStore.layer({ filename: store }) }
}

const agentStore = async (file: string): Promise<{ readonly from: string; readonly layer: StoreLayer }> => {
  const { name, store } = await loadAgentFile(file)
  if (store === undefined) {
    throw new Problem(
      file,
      `agent "${name}" keeps its sessions in memory`,
      'Give it a store, such as store: SqliteStore.layer({ filename: "sessions.db" }).',
      ExitCode.usage
    )
  }
  return { from: resolve(file), layer: store }
}
