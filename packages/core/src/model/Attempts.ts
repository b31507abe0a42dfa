/**
 * Numbers the attempts of one call through all decorators around it: each counts what happens inside as its own.
 */
import * as Effect from "effect/Effect"
import type { ModelInfo, ModelRequest } from "../Model.ts"

export interface Attempts {
  /** To be sent on: what decorators further in announce is counted here. */
  readonly request: ModelRequest
  /** To be awaited before each attempt after the first. */
  readonly announce: (info: { readonly provider: string; readonly model: string }) => Effect.Effect<void>
}

export const attemptsOf = (request: ModelRequest): Attempts => {
  const { onAttempt } = request
  if (onAttempt === undefined) return { request, announce: () => Effect.void }
  let attempt = 1
  const announce = ({ model, provider }: Pick<ModelInfo, "model" | "provider">) =>
    Effect.suspend(() => onAttempt({ attempt: ++attempt, provider, model }))
  return { request: { ...request, onAttempt: announce }, announce }
}
