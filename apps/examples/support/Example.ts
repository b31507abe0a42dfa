/**
 * What every example shares: options that its test may set, a model that is live when a key is there and scripted
 * otherwise, and a terminal that shows what happens.
 */
import type { Model } from "@daylight/core"
import { type Reply, ScriptedModel } from "@daylight/core/testing"
import type * as Layer from "effect/Layer"

export interface ExampleOptions {
  /** Where the keys are looked for. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** Where the example writes. Default: standard output. */
  readonly output?: NodeJS.WritableStream | undefined
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined
}

export interface ModelChoice {
  /** Says in one line who answers, and how to change that. */
  readonly notice: string
  /** Names the author of what the model writes. */
  readonly author: string
  readonly live: boolean
  /** A model for one agent: the live one, or one that replays these replies. */
  readonly replying: (replies: ReadonlyArray<Reply>) => Layer.Layer<Model, unknown>
}

/**
 * Anthropic if there is a key for it, then OpenAI, else the script that ships with the example. `DAYLIGHT_MODEL` names
 * another model of the provider, and `OPENAI_BASE_URL` another server that speaks its language, for instance one on
 * this machine, which needs no key.
 */
export const chooseModel = async (
  { env = process.env, output = process.stdout }: ExampleOptions = {}
): Promise<ModelChoice> => {
  const model = env["DAYLIGHT_MODEL"]
  if (env["ANTHROPIC_API_KEY"]) {
    const { Anthropic } = await import("@daylight/providers/anthropic")
    return live(
      "Anthropic",
      model ?? "claude-sonnet-5",
      (model) => Anthropic.layer({ model, apiKey: env["ANTHROPIC_API_KEY"] })
    )
  }
  if (env["OPENAI_API_KEY"] || env["OPENAI_BASE_URL"]) {
    const { OpenAi } = await import("@daylight/providers/openai")
    const server = { apiKey: env["OPENAI_API_KEY"], baseUrl: env["OPENAI_BASE_URL"] }
    return live(server.baseUrl ?? "OpenAI", model ?? "gpt-5.1", (model) => OpenAi.layer({ model, ...server }))
  }
  return {
    live: false,
    author: "a scripted model",
    notice:
      "No key found, so the model's replies come from a script; its code runs for real. Set ANTHROPIC_API_KEY or OPENAI_API_KEY to run live.",
    replying: (replies) =>
      ScriptedModel.layer(replies, "isTTY" in output && output.isTTY ? TYPING : { chunkSize: TYPING.chunkSize })
  }
}

/** On a terminal a scripted model types, so that one can follow; elsewhere it does not wait. */
const TYPING = { chunkSize: 24, chunkDelayMs: 5 }

const live = (place: string, model: string, layer: (model: string) => Layer.Layer<Model, unknown>): ModelChoice => ({
  live: true,
  author: model,
  notice: `Running live with ${model} at ${place}.`,
  replying: () => layer(model)
})
