import * as Effect from "effect/Effect"
import { type HostCall, HostCallError, type ScheduleFact } from "../../Boundary.ts"
import type { Caller } from "../../Policy.ts"
import type { Value } from "../../Value.ts"
import type { Log } from "../Log.ts"
import { Values } from "../Values.ts"
import { Ledger } from "./Ledger.ts"
import type { Vault } from "./Vault.ts"

export type Refusal = HostCallError["reason"]

/** A refusal by which a call never became an effect. */
export const denied = (by: string, why: string): Refusal => ({ _tag: "Denied", by, why })

/** What all stations of a gate have at hand: how a call is written down, and how it is turned away. */
export class Counter {
  readonly caller: Caller
  readonly ledger: Ledger
  readonly log: Log
  readonly vault: Vault
  readonly #values: Values
  readonly #plain = (value: unknown): Value => this.#values.encode(value)

  constructor(log: Log, caller: Caller, vault: Vault, sha256: (text: string) => string, room: number) {
    this.log = log
    this.caller = caller
    this.vault = vault
    this.#values = new Values(room)
    this.ledger = new Ledger(log, sha256)
  }

  /** The idempotency key. */
  keyOf({ cell, ordinal }: HostCall): string {
    return `${this.caller.session}:${cell}:${ordinal}`
  }

  /** Under which somebody decides on it: two calls that do the same have the same ending. */
  placeOf(call: HostCall, args: ReadonlyArray<Value>): string {
    return `${this.keyOf(call)}:${this.ledger.digest(call.path, args)}`
  }

  encode(value: unknown): Value {
    return this.vault.encode(value, this.#plain)
  }

  /** What an error has besides its name, message and code. */
  ownOf(error: unknown): Value | undefined {
    if (typeof error !== "object" || error === null) return undefined
    const { code: _, message: __, name: ___, ...own } = error as Readonly<Record<string, unknown>>
    return Object.keys(own).length === 0 ? undefined : this.encode(own)
  }

  encodeAll(args: ReadonlyArray<unknown>): ReadonlyArray<Value> {
    return args.map((arg) => this.vault.encode(arg, this.#plain))
  }

  /** Writes down what is part of a sealed cell's schedule and no call. */
  note(fact: ScheduleFact): void {
    switch (fact._tag) {
      case "TimerFired":
        this.log.note(fact)
        break
      case "CallbackCalled":
        this.log.note({ ...fact, args: this.encodeAll(fact.args) })
        break
      case "VariableSet":
        this.log.note({ ...fact, value: this.encode(fact.value) })
    }
  }

  refuse(
    { after, blocking, cell, entropy, ordinal, path }: HostCall,
    args: ReadonlyArray<Value>,
    reason: Refusal,
    by = "boundary"
  ): Effect.Effect<never, HostCallError> {
    const place = { entropy, after, inPlace: blocking }
    this.log.note({ _tag: "CallRefused", cell, ordinal, path, args, reason, by, ...place })
    return Effect.fail(new HostCallError({ path, reason }))
  }
}
