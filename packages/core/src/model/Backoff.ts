/**
 * How long to wait before an attempt is repeated.
 */
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { ModelFailure } from "../ModelError.ts"

/** Milliseconds. */
export interface Backoff {
  /** Before the first repetition; doubled for each further one. */
  readonly base: number
  /** The most that doubling leads to, before jitter. What a provider asks for is not capped. */
  readonly most: number
}

/**
 * What the provider asks for, else 2ⁿ times the base, plus up to a quarter so that many clients do not come back at
 * once.
 */
export const waitMs = ({ base, most }: Backoff, reason: ModelFailure, failures: number): Effect.Effect<number> => {
  const asked = "retryAfterMs" in reason ? reason.retryAfterMs : undefined
  if (asked !== undefined) return Effect.succeed(asked)
  const wait = Math.min(most, base * 2 ** (failures - 1))
  return Effect.map(Random.next, (jitter) => Math.round(wait * (1 + jitter / 4)))
}
