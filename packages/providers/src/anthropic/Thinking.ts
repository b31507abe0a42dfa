/**
 * How a model of Anthropic's is asked to think: older ones take a budget, newer ones an effort.
 */
import { type ModelRequest } from "@daylight/core"
import type Anthropic from "@anthropic-ai/sdk"

export interface Thinking {
  readonly thinking?: Anthropic.ThinkingConfigParam
  readonly output_config?: Anthropic.OutputConfig
}

export const thinkingOf = (model: string, wanted: ModelRequest["reasoning"], maxOutputTokens: number): Thinking => {
  if (wanted === undefined || thoughtless.test(model)) return {}
  if (!budgeted.test(model)) {
    return wanted === "off"
      ? { thinking: { type: "disabled" } }
      : { thinking: { type: "adaptive" }, output_config: { effort: wanted } }
  }
  // The budget is part of the output, at least 1,024, and something must be left for the answer.
  const budget = Math.min(budgets[wanted], maxOutputTokens - 1024)
  return budget < 1024 ? {} : { thinking: { type: "enabled", budget_tokens: budget } }
}

const budgets = { off: 0, low: 2_048, medium: 8_192, high: 24_576 } as const
const thoughtless = /claude-(?:2|instant|3-(?:5-|opus|sonnet|haiku))/
/** 3.7, and 4 up to 4.5: `claude-opus-4-20250514`, `claude-sonnet-4-5@20250929`. */
const budgeted = /claude-(?:3-7|(?:opus|sonnet|haiku)-4(?:-[0-5])?(?:$|[-@:](?:\d{8}|latest|v\d)))/
