/**
 * How hard a model of OpenAI's, or one served like them, is asked to think.
 */
import { type ModelRequest } from "@daylight/core"
import type OpenAI from "openai"

/** `off` is the least the model takes: `none` where it exists, else the lowest step there is. */
export const effort = (
  model: string,
  wanted: NonNullable<ModelRequest["reasoning"]>
): NonNullable<OpenAI.ReasoningEffort> => {
  if (wanted !== "off") return wanted
  if (/^gpt-5(?:-|$)/.test(model)) return "minimal"
  if (/^o\d/.test(model) || model.startsWith("gpt-oss")) return "low"
  return "none"
}
