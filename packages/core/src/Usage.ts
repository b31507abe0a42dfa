/**
 * Tokens of one model call.
 */
import * as Schema from "effect/Schema"

/** `input` includes cached and cache-write tokens, `output` includes reasoning (OpenTelemetry GenAI, ATIF). */
export const Usage = Schema.Struct({
  input: Schema.Int,
  output: Schema.Int,
  cacheRead: Schema.Int,
  cacheWrite: Schema.Int,
  reasoning: Schema.Int,
  /** True when the provider never reported it, for instance after a stream was closed early. */
  estimated: Schema.Boolean
})
export type Usage = typeof Usage.Type

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: false }

/** The sum; estimated as soon as one of both is. */
export const addUsage = (a: Usage, b: Usage): Usage => ({
  input: a.input + b.input,
  output: a.output + b.output,
  cacheRead: a.cacheRead + b.cacheRead,
  cacheWrite: a.cacheWrite + b.cacheWrite,
  reasoning: a.reasoning + b.reasoning,
  estimated: a.estimated || b.estimated
})
