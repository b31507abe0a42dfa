/** The sessions a command is about, opened with the packages of the project they belong to. */
import type { SessionStore } from "@daylight/core"
import { chosenAgent } from "./AgentChoice.ts"
import { findConfig } from "./Config.ts"
import { find, load } from "./Engine.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"
import { type ChosenStore, chosenStore, variable } from "./StoreChoice.ts"

export interface StorePlace {
  /** A file of sessions, or the address of a database. */
  readonly store: string | undefined
  /** An agent's file or name: the sessions of its store. Goes before `DAYLIGHT_STORE`. */
  readonly agent: string | undefined
}

type Core = typeof import("@daylight/core")
type EffectModule = typeof import("effect/Effect")

export interface OpenStore {
  readonly store: SessionStore["Service"]
  readonly core: Core
  readonly Effect: EffectModule
  readonly Stream: typeof import("effect/Stream")
  /** What files of sessions and notebooks are made with. */
  readonly files: () => Promise<typeof import("@daylight/store")>
}

export interface AccessOptions {
  /** A new file is begun where there is none. Default false. */
  readonly create?: boolean | undefined
}

/** Uses a store and closes it. Rejects with what `use` rejects with, or a `Problem` if there is no store. */
export const withStore = async <A>(
  place: StorePlace,
  use: (opened: OpenStore) => Promise<A>,
  { create = false }: AccessOptions = {}
): Promise<A> => {
  const { home, layer } = await placed(place, !create)
  const beside = find("@daylight/core", home) ?? home
  const effect = <M>(name: string): Promise<M> => load(find(`effect/${name}`, beside) ?? `effect/${name}`)
  const [core, Effect, Stream, Layer, Scope, Exit, Context] = await Promise.all([
    load<Core>(find("@daylight/core", home) ?? "@daylight/core"),
    effect<EffectModule>("Effect"),
    effect<OpenStore["Stream"]>("Stream"),
    effect<typeof import("effect/Layer")>("Layer"),
    effect<typeof import("effect/Scope")>("Scope"),
    effect<typeof import("effect/Exit")>("Exit"),
    effect<typeof import("effect/Context")>("Context")
  ])
  const files = () => load<typeof import("@daylight/store")>(find("@daylight/store", home) ?? "@daylight/store")
  const scope = Scope.makeUnsafe()
  try {
    const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
    return await use({ store: Context.get(context, core.SessionStore), core, Effect, Stream, files })
  } finally {
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
}

const placed = async ({ agent: name, store }: StorePlace, mustExist: boolean): Promise<ChosenStore> => {
  const agent = name === undefined ? undefined : await chosenAgent(name)
  const own = agent?.options.store
  if (agent !== undefined && own !== undefined && store === undefined) return { layer: own, home: agent.home }
  const config = agent === undefined ? await findConfig() : agent.config
  const found = await chosenStore({ store, agent, config, mustExist })
  if (found !== undefined) return found
  if (agent !== undefined) {
    throw new Problem(
      name!,
      `agent "${agent.options.name}" keeps its sessions in memory`,
      'Give it a store, such as store: SqliteStore.layer({ filename: "sessions.db" }).',
      ExitCode.usage
    )
  }
  throw new Problem(
    "sessions",
    "it is not said where they are",
    `Name a file of sessions with --store FILE (or ${variable}, or in daylight.config.ts).`,
    ExitCode.usage
  )
}
