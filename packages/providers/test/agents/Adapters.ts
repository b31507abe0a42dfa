/** Every adapter, with the language of the server that it talks to. */
import { createGoogleGenerativeAI } from "@ai-sdk/google"
import type { AgentOptions } from "@daylight/core"
import { AiSdk } from "@daylight/providers/ai-sdk"
import { Anthropic } from "@daylight/providers/anthropic"
import { EffectAi } from "@daylight/providers/effect-ai"
import { OpenAi } from "@daylight/providers/openai"
import { lineModel } from "./LineModel.ts"
import * as Turn from "./Turn.ts"

export interface Adapter {
  readonly model: (url: string) => AgentOptions["model"]
  readonly encode: Turn.Encode
  /** Closing the agent leaves no socket open. Others keep them in the platform's pool. */
  readonly closes: boolean
}

const apiKey = "none"

export const adapters: Readonly<Record<string, Adapter>> = {
  "OpenAI chat": {
    model: (url) => OpenAi.layer({ model: "m", baseUrl: url, apiKey }),
    encode: Turn.chat,
    closes: true
  },
  "OpenAI responses": {
    model: (url) => OpenAi.layer({ model: "m", api: "responses", baseUrl: url, apiKey }),
    encode: Turn.responses,
    closes: true
  },
  Anthropic: {
    model: (url) => Anthropic.layer({ model: "m", baseUrl: url, apiKey }),
    encode: Turn.messages,
    closes: true
  },
  "AI SDK (Google)": {
    model: (url) => AiSdk.layer(createGoogleGenerativeAI({ apiKey, baseURL: url })("m")),
    encode: Turn.gemini,
    closes: false
  },
  "effect/ai": {
    model: (url) => EffectAi.layer(lineModel(url), { provider: "line", model: "m" }),
    encode: Turn.lines,
    closes: false
  }
}
