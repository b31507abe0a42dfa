/**
 * Trouble on purpose: the same for the same seed, so that what an agent does about it can be asserted.
 */

/**
 * What goes wrong. `429`, `500`, `529` and `timeout` fail before the first part; `stall` falls silent after some parts;
 * `truncate` ends without an end; `reset` breaks off; `slow` lets each part come late. Of a model besides:
 * `duplicate-action-id` gives all actions one id, whatever it was. Of a server besides: `cut-utf8` breaks off inside of
 * a character, `duplicate-event` sends one event twice, `rechunk` sends every byte by itself, and `malformed-json`
 * damages one event.
 */
export type FaultKind =
  | "429"
  | "500"
  | "529"
  | "timeout"
  | "stall"
  | "truncate"
  | "reset"
  | "slow"
  | "duplicate-action-id"
  | "cut-utf8"
  | "duplicate-event"
  | "rechunk"
  | "malformed-json"

export interface FaultRule<Request> {
  readonly kind: FaultKind
  /** Which requests. Default: all. */
  readonly match?: ((request: Request) => boolean) | undefined
  /** The how-manieth of the matching requests, from 0, or a probability. Default: the first. */
  readonly at?: number | ReadonlyArray<number> | { readonly probability: number } | undefined
  /** How much of the answer comes before it goes wrong, as a share. Default: by the seed. */
  readonly after?: number | undefined
  /** How late each part of `slow` comes, in milliseconds. Default 100. */
  readonly lateMs?: number | undefined
}

export interface FaultPlanOptions<Request> {
  readonly seed: number
  readonly rules: ReadonlyArray<FaultRule<Request>>
}

/** A fault that strikes now. */
export interface Fault {
  readonly kind: FaultKind
  /** From 0 to 1: where in the answer. */
  readonly after: number
  /** Of `slow`. */
  readonly lateMs?: number | undefined
}

/** What a plan has done so far, for a test to look at. */
export interface FaultRecord extends Fault {
  /** Number of the request, from 0, of all. */
  readonly request: number
}

/** One going through of a plan. Requests count in the order in which they are made. */
export class FaultPlan<Request> {
  readonly #rules: ReadonlyArray<FaultRule<Request>>
  readonly #seen: Array<number>
  readonly #random: () => number
  readonly #struck: Array<FaultRecord> = []
  #requests = 0

  constructor({ rules, seed }: FaultPlanOptions<Request>) {
    this.#rules = rules
    this.#seen = rules.map(() => 0)
    this.#random = randomFrom(seed)
  }

  /** Faults that struck, in order. */
  get struck(): ReadonlyArray<FaultRecord> {
    return this.#struck
  }

  /** The fault of this request, if it has one: that of the first rule that says so. */
  next(request: Request): Fault | undefined {
    const number = this.#requests++
    let fault: Fault | undefined
    // Every rule counts every request and draws its numbers, so that one rule does not move another.
    this.#rules.forEach((rule, index) => {
      const [chance, place] = [this.#random(), this.#random()]
      if (rule.match !== undefined && !rule.match(request)) return
      const strikes = strikesAt(rule.at ?? 0, this.#seen[index]!, chance)
      this.#seen[index]!++
      if (!strikes) return
      const late = rule.kind === "slow" ? { lateMs: rule.lateMs ?? 100 } : undefined
      fault ??= { kind: rule.kind, after: rule.after ?? place, ...late }
    })
    if (fault !== undefined) this.#struck.push({ ...fault, request: number })
    return fault
  }
}

const strikesAt = (at: NonNullable<FaultRule<never>["at"]>, seen: number, chance: number): boolean => {
  if (typeof at === "number") return at === seen
  return "probability" in at ? chance < at.probability : at.includes(seen)
}

/** Mulberry32: small, and the same everywhere. */
export const randomFrom = (seed: number): () => number => {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
