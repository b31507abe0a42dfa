import * as Effect from "effect/Effect"
import type { HostCall, HostCallError } from "../../Boundary.ts"
import { validate, type Validated } from "../../schema/Validate.ts"
import type { Taint } from "../../Taint.ts"
import { decodeValue, type Value } from "../../Value.ts"
import type { Counter } from "./Counter.ts"

/** The first station: what a contract makes of arguments, whoever gave them. */
export class Arguments {
  readonly #counter: Counter
  readonly #taint: Taint

  constructor(counter: Counter, taint: Taint) {
    this.#counter = counter
    this.#taint = taint
  }

  /**
   * The call with the arguments that its contract makes of them, at once where the schema answers at once. Secrets are
   * checked by value, and stay secret.
   */
  validated(call: HostCall): HostCall | Effect.Effect<HostCall, HostCallError> {
    const input = call.contract?.input
    if (input === undefined) return this.#labelled(call)
    const { vault } = this.#counter
    const given = vault.reveal(call.args)
    const settled = (checked: Validated) => {
      if (!checked.ok) return this.#invalid(call, checked.problem)
      const args: ReadonlyArray<unknown> = given === call.args ? checked.value : vault.conceal(checked.value)
      return Effect.succeed(this.#labelled({ ...call, args }))
    }
    const checked = validate(input, given)
    if (checked instanceof Promise) return Effect.flatMap(Effect.promise(() => checked), settled)
    return checked.ok && given === call.args ? this.#labelled({ ...call, args: checked.value }) : settled(checked)
  }

  /** What a person wrote in place of arguments. A live object that it refers to is the one the cell gave. */
  restored(given: ReadonlyArray<Value>, call: HostCall, args: ReadonlyArray<Value>): ReadonlyArray<unknown> {
    return given.map((value) => {
      if (value._tag === "Secret") return this.#counter.vault.handle(value.name)
      if (value._tag !== "Ref") return decodeValue(value)
      return call.args[args.findIndex((arg) => arg._tag === "Ref" && arg.id === value.id)]
    })
  }

  #invalid(call: HostCall, problem: string): Effect.Effect<never, HostCallError> {
    const { vault } = this.#counter
    const reason = { _tag: "InvalidArguments", problem: vault.redact(problem) } as const
    return this.#counter.refuse(call, this.#counter.encodeAll(call.args), reason)
  }

  #labelled(call: HostCall): HostCall {
    return this.#taint.idle ? call : { ...call, taint: this.#taint.of(call.args) }
  }
}
