/** The model of an invocation, `--model` and `--base-url`, which takes the place of the one in the agent's file. */
import type { AgentOptions } from "@daylight/core"
import { loadProviders } from "./Engine.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"

export interface ModelChoice {
  /** `provider:model`, or any name where `baseUrl` says who has it. */
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
}

/**
 * Undefined where none was chosen. Name, key and SDK are looked at when the agent starts.
 *
 * @throws Problem for an address that is none, or that no model goes with
 */
export const chosenModel = async (
  agentFile: string,
  { baseUrl, model }: ModelChoice
): Promise<AgentOptions["model"] | undefined> => {
  if (baseUrl !== undefined) checkAddress(baseUrl, model)
  if (model === undefined) return undefined
  const { Named } = await loadProviders(agentFile)
  return Named.layer(model, { baseUrl })
}

const checkAddress = (baseUrl: string, model: string | undefined): void => {
  const subject = `--base-url ${baseUrl}`
  const wrong = (problem: string, remedy: string) => new Problem(subject, problem, remedy, ExitCode.usage)
  if (!/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw wrong("is not the address of a server", "Write it in full, such as http://127.0.0.1:8080/v1.")
  }
  if (model === undefined) throw wrong("says where, but not which model", "Add --model NAME, as the server calls it.")
}
