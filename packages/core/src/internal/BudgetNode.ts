import * as Effect from "effect/Effect"
import { type Amount, type Budget, LimitReached } from "../Budget.ts"
import type { Limits } from "../Limits.ts"
import type { Purpose } from "../Model.ts"

type Counted = keyof Amount

/** One node of limits. What is held for calls under way counts as used until they settle. */
export class BudgetNode implements Budget {
  readonly agent: string
  readonly #limits: Limits
  readonly #booked: Record<Counted, number> = {
    steps: 0,
    cells: 0,
    hostCalls: 0,
    tokens: 0,
    inputTokens: 0,
    outputTokens: 0
  }
  /** Kept back for one wrap-up call. */
  reserve: Amount = {}

  constructor(agent: string, limits: Limits) {
    this.agent = agent
    this.#limits = limits
  }

  readonly used: Budget["used"] = Effect.sync(() => ({ ...this.#booked }))

  take(amount: Amount): LimitReached | undefined {
    const over = this.#over(amount, {})
    if (over === undefined) this.#book(amount, 1)
    return over
  }

  /** Tokens that a call of `input` tokens may put out, at most `most`, with the wrap-up reserve left aside. */
  affordableOutput(input: number, most: number, purpose: Purpose): number {
    const kept = purpose === "wrap-up" ? {} : this.reserve
    const tokens = this.#left("tokens") - (kept.tokens ?? 0) - input
    const output = this.#left("outputTokens") - (kept.outputTokens ?? 0)
    return Math.min(most, tokens, output)
  }

  spend<A, E, R>(
    worst: Amount,
    use: (settle: (actual: Amount) => Effect.Effect<void>) => Effect.Effect<A, E, R>,
    purpose: Purpose = "answer"
  ): Effect.Effect<A, E | LimitReached, R> {
    return Effect.suspend((): Effect.Effect<A, E | LimitReached, R> => {
      const over = this.#over(worst, purpose === "wrap-up" ? {} : this.reserve)
      if (over !== undefined) return Effect.fail(over)
      this.#book(worst, 1)
      let open = true
      const settle = (actual: Amount) =>
        Effect.sync(() => {
          if (!open) return
          open = false
          this.#book(worst, -1)
          this.#book(actual, 1)
        })
      return Effect.onExit(use(settle), () => settle({}))
    })
  }

  child(agent: string, limits: Limits): Effect.Effect<Budget> {
    return Effect.succeed(new BudgetNode(agent, limits))
  }

  /** True where tokens are limited, and so have to be estimated before a call. */
  get countsTokens(): boolean {
    return [this.#limits.tokens, this.#limits.inputTokens, this.#limits.outputTokens].some((limit) =>
      limit !== undefined && Number.isFinite(limit)
    )
  }

  #left(unit: Counted): number {
    return (this.#limits[unit] ?? Infinity) - this.#booked[unit]
  }

  #over(amount: Amount, kept: Amount): LimitReached | undefined {
    for (const unit in amount) {
      const key = unit as Counted
      const limit = this.#limits[key]
      if (limit !== undefined && this.#booked[key] + (amount[key] ?? 0) + (kept[key] ?? 0) > limit) {
        return new LimitReached({ unit, limit, used: this.#booked[key], agent: this.agent })
      }
    }
    return undefined
  }

  #book(amount: Amount, sign: 1 | -1): void {
    for (const unit in amount) this.#booked[unit as Counted] += sign * (amount[unit as Counted] ?? 0)
  }
}
