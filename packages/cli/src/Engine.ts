/**
 * The engine that runs an agent: the one of the agent's own project, so that its layers and the engine share one
 * `@daylight/core` and one `effect`, whichever copy of the command is used. It is loaded when an agent runs, not
 * before.
 */
import type { AgentHandle, AgentOptions } from "@daylight/core"
import { createRequire } from "node:module"
import { isAbsolute, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import * as Log from "./Log.ts"

type EffectModule = typeof import("effect/Effect")

export interface Engine {
  readonly createAgent: (options: AgentOptions) => AgentHandle
  readonly Effect: EffectModule
  readonly Layer: typeof import("effect/Layer")
  readonly Logger: typeof import("effect/Logger")
  readonly References: typeof import("effect/References")
}

/** The providers of the agent's own project, else those that the command brings. */
export const loadProviders = (agentFile: string): Promise<typeof import("@daylight/providers")> => {
  const name = "@daylight/providers"
  return load(find(name, resolve(agentFile)) ?? find(name, import.meta.filename) ?? name)
}

export const loadEngine = async (agentFile: string): Promise<Engine> => {
  const promise = "@daylight/core/promise"
  const core = find(promise, resolve(agentFile)) ?? find(promise, import.meta.filename)
  if (core === undefined) throw new Error("@daylight/core cannot be found: install it next to the agent")
  Log.debug(`engine ${core}`)
  const effect = <M>(name: string): Promise<M> => load(find(`effect/${name}`, core) ?? `effect/${name}`)
  const [{ createAgent }, Effect, Layer, Logger, References] = await Promise.all([
    load<Pick<Engine, "createAgent">>(core),
    effect<EffectModule>("Effect"),
    effect<Engine["Layer"]>("Layer"),
    effect<Engine["Logger"]>("Logger"),
    effect<Engine["References"]>("References")
  ])
  return { createAgent, Effect, Layer, Logger, References }
}

export const load = <M>(path: string): Promise<M> => import(isAbsolute(path) ? pathToFileURL(path).href : path)

/** The file a module name stands for, seen from another file. */
export const find = (name: string, from: string): string | undefined => {
  try {
    return createRequire(from).resolve(name)
  } catch {
    return undefined // not installed there: the caller looks elsewhere
  }
}
