import * as Effect from "effect/Effect"
import { type Boundary, type HostCall, HostCallError } from "../../Boundary.ts"
import { type AfterHostCall, askGate, type Gates } from "../../Gates.ts"
import type { SessionId } from "../../Ids.ts"
import { validate, type Validated } from "../../schema/Validate.ts"
import type { Taint } from "../../Taint.ts"
import type { Counter } from "./Counter.ts"
import type { Entry } from "./Ledger.ts"
import { ServedCall } from "./ServedCall.ts"

export type Pause = (on: boolean) => void
export type Perform = Parameters<Boundary["invoke"]>[1]

/** The last station: the call itself, and what the cell gets of what it returned. */
export class Performance {
  readonly #counter: Counter
  readonly #taint: Taint
  readonly #after: Gates["afterHostCall"]
  readonly #progress: (message: string) => void
  /** Pauses of cells, by the child whose run they wait for. */
  readonly #parents = new Map<SessionId, Set<Pause>>()

  constructor(counter: Counter, taint: Taint, after: Gates["afterHostCall"], progress: (message: string) => void) {
    this.#counter = counter
    this.#taint = taint
    this.#after = after
    this.#progress = progress
  }

  /** A promise is awaited; interruption aborts it, and then nobody knows what became of it. */
  performed(entry: Entry, perform: Perform, pause: Pause | undefined): Effect.Effect<unknown, unknown> {
    const run = Effect.suspend(() => this.#run(entry, perform))
    const child = entry.call.contract?.child
    return child === undefined || pause === undefined ? run : this.#waitingFor(child, pause, run)
  }

  /** What the cell gets. */
  given(entry: Entry, returned: unknown): Effect.Effect<unknown, HostCallError> {
    const checked = check(entry.call, returned)
    if (checked instanceof Promise) {
      return Effect.flatMap(Effect.promise(() => checked), (checked) => this.#judged(entry, checked))
    }
    return this.#judged(entry, checked)
  }

  /** Stops the clocks of the cells that wait for a run of this child. */
  pauseFor(child: SessionId): Pause {
    let cells: ReadonlyArray<Pause> = []
    return (on) => {
      if (on) cells = [...this.#parents.get(child) ?? []]
      for (const pause of cells) pause(on)
    }
  }

  #run(entry: Entry, perform: Perform): Effect.Effect<unknown, unknown> {
    const { caller, ledger, vault } = this.#counter
    const { call, key } = entry
    const context = new ServedCall(caller, key, call, this.#progress)
    const failed = (error: unknown) => {
      ledger.failed(entry, error, this.#counter.ownOf(error))
      return Effect.fail(error)
    }
    let value: unknown
    try {
      value = perform(vault.reveal(call.args), context)
    } catch (error) {
      return failed(error)
    }
    if (!isThenable(value)) return Effect.succeed(value)
    const promise = value
    return Effect.callback<unknown, unknown>((resume) => {
      promise.then((value) => resume(Effect.succeed(value)), (error) => resume(failed(error)))
      return Effect.sync(() => {
        context.abort()
        ledger.interrupted(entry)
      })
    })
  }

  /** The cell's clock stops with those of the child whose run it waits for. */
  #waitingFor<A, E>(child: SessionId, pause: Pause, run: Effect.Effect<A, E>): Effect.Effect<A, E> {
    return Effect.suspend(() => {
      const pauses = this.#parents.get(child) ?? new Set()
      this.#parents.set(child, pauses.add(pause))
      return Effect.ensuring(run, Effect.sync(() => void pauses.delete(pause)))
    })
  }

  #judged(entry: Entry, checked: Validated): Effect.Effect<unknown, HostCallError> {
    if (!checked.ok) return this.#withheld(entry, checked.problem)
    if (this.#after === undefined) return Effect.succeed(this.#kept(entry, checked.value))
    return Effect.flatMap(
      this.#wordOf(this.#after, entry.call, checked.value),
      (after) =>
        after._tag === "Withhold"
          ? this.#withheld(entry, `afterHostCall withholds it, ${after.why} (the call itself took place)`)
          : Effect.succeed(this.#kept(entry, after._tag === "Replace" ? after.value : checked.value))
    )
  }

  #wordOf(after: NonNullable<Gates["afterHostCall"]>, call: HostCall, value: unknown): Effect.Effect<AfterHostCall> {
    const { caller, vault } = this.#counter
    return Effect.catch(
      askGate(() => after(call, value, caller)),
      (error) => Effect.succeed<AfterHostCall>({ _tag: "Withhold", why: vault.redact(error.message) })
    )
  }

  /** A secret that comes back is a secret again, so that the cell has nothing to cut or encode. */
  #kept(entry: Entry, returned: unknown): unknown {
    const value = this.#counter.vault.conceal(returned)
    const label = entry.call.contract?.taint
    if (label !== undefined) this.#taint.add(value, label)
    this.#counter.ledger.completed(entry, this.#counter.encode(value))
    return value
  }

  /** It took place, and the cell does not get what it returned. */
  #withheld(entry: Entry, problem: string): Effect.Effect<never, HostCallError> {
    const error = new HostCallError({ path: entry.call.path, reason: { _tag: "InvalidResult", problem } })
    this.#counter.ledger.failed(entry, error, this.#counter.ownOf(error))
    return Effect.fail(error)
  }
}

const check = ({ contract }: HostCall, value: unknown): Validated | Promise<Validated> =>
  contract?.output === undefined ? { ok: true, value } : validate(contract.output, value)

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
