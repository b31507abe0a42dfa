/**
 * The agent of an invocation: of a FILE, or of a name in `daylight.config.ts`, with the model and runtime that the
 * configuration has for agents without one.
 */
import type { AgentOptions } from "@daylight/core"
import { dirname, resolve } from "node:path"
import { type AgentParts, completeAgent, loadAgentModule, type LoadedAgent } from "./AgentFile.ts"
import { findConfig, type FoundConfig } from "./Config.ts"
import { chosenModel, type ModelChoice } from "./ModelChoice.ts"

export interface ChosenAgent extends LoadedAgent {
  /** The file it comes from: its project's packages run it. */
  readonly home: string
  readonly config: FoundConfig | undefined
}

/** Rejects with a `Problem` where there is no such agent, it is incomplete, or the choice of a model makes no sense. */
export const chosenAgent = async (name: string, choice: ModelChoice = {}): Promise<ChosenAgent> => {
  const config = await findConfig()
  const agents = config?.config.agents ?? {}
  const named = Object.hasOwn(agents, name) ? agents[name] : undefined
  const inline = typeof named === "object" ? named : undefined
  const home = config === undefined || named === undefined ? name : fileOf(config, named)
  const parts: AgentParts = {
    instead: { model: await chosenModel(home, choice) },
    otherwise: { model: await configuredModel(config), runtime: config?.config.runtime }
  }
  if (inline === undefined) return { ...await loadAgentModule(home, parts, Object.keys(agents)), home, config }
  const subject = `${home}, agent "${name}"`
  return { options: completeAgent(subject, { name, ...inline }, parts), answer: undefined, home, config }
}

const fileOf = ({ file }: FoundConfig, named: string | Partial<AgentOptions>): string =>
  typeof named === "string" ? resolve(dirname(file), named) : file

const configuredModel = async (found: FoundConfig | undefined): Promise<AgentOptions["model"] | undefined> => {
  const model = found?.config.model
  return found === undefined || typeof model !== "string"
    ? model as AgentOptions["model"]
    : chosenModel(found.file, { model })
}
