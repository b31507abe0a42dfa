/**
 * What a limited rule has let through. Each call counts once, also if it is judged again with other arguments, and
 * counts from when it was judged: calls that wait for a person are in.
 */
import * as Duration from "effect/Duration"
import type { HostCall } from "../Boundary.ts"
import type { Caller } from "../Policy.ts"
import type { Most } from "./Rule.ts"
import { valueAt } from "./Test.ts"

interface Counted {
  readonly at: number
  readonly amount: number
}

/** Groups before it is looked for some that can go. */
const leastSweep = 1_000

export class Usage {
  readonly #most: Most
  readonly #period: number
  #sweepAt = leastSweep
  /** By what is counted together, then by call. */
  readonly #counted = new Map<string, Map<string, Counted>>()

  constructor(most: Most) {
    this.#most = most
    this.#period = most.per === undefined ? Infinity : Duration.toMillis(Duration.fromInputUnsafe(most.per))
  }

  /** Counts the call, or says what is used up. */
  take(call: HostCall, caller: Caller, now: number): string | undefined {
    const { calls, of, sum } = this.#most
    const counted = this.#within(this.#group(caller), now)
    const id = `${caller.session}:${call.cell}:${call.ordinal}`
    const before = counted.get(id)
    const amount = sum === undefined ? 0 : numberAt(call, of)
    if (amount === undefined) return `there is no amount at ${of ?? "?"} that could be counted`
    if (calls !== undefined && counted.size + (before === undefined ? 1 : 0) > calls) {
      return `${calls} calls are allowed${this.#span}`
    }
    if (sum !== undefined) {
      let total = amount - (before?.amount ?? 0)
      for (const each of counted.values()) total += each.amount
      if (total > sum) return `a sum of ${sum} is allowed${this.#span}`
    }
    counted.set(id, { at: now, amount })
    return undefined
  }

  get #span(): string {
    return this.#period === Infinity ? "" : ` within ${Duration.format(Duration.millis(this.#period))}`
  }

  #group(caller: Caller): string {
    switch (this.#most.by) {
      case "all":
        return "all"
      case "principal":
        return `principal ${caller.principal ?? ""}`
      default:
        return caller.session
    }
  }

  #within(group: string, now: number): Map<string, Counted> {
    if (this.#counted.size >= this.#sweepAt) this.#sweep(now)
    let counted = this.#counted.get(group)
    if (counted === undefined) this.#counted.set(group, counted = new Map())
    this.#forget(counted, now)
    return counted
  }

  #forget(counted: Map<string, Counted>, now: number): void {
    for (const [id, { at }] of counted) {
      if (now - at < this.#period) break // in order of time
      counted.delete(id)
    }
  }

  /** Sessions and principals that have been quiet for a whole period are as new. */
  #sweep(now: number): void {
    for (const [group, counted] of this.#counted) {
      this.#forget(counted, now)
      if (counted.size === 0) this.#counted.delete(group)
    }
    this.#sweepAt = Math.max(leastSweep, this.#counted.size * 2)
  }
}

/** A negative amount would give back what was used. */
const numberAt = (call: HostCall, of: string | undefined): number | undefined => {
  const value = of === undefined ? undefined : valueAt(call.args, of)
  return typeof value === "number" && value >= 0 ? value : undefined
}
