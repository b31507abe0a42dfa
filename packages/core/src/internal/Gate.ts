import * as Effect from "effect/Effect"
import type { Approvals, Decided } from "../Approvals.ts"
import type { Boundary, HostCall } from "../Boundary.ts"
import { askGate, type BeforeHostCall, type Gates } from "../Gates.ts"
import type { SessionId } from "../Ids.ts"
import type { Caller, Policy } from "../Policy.ts"
import type { Taint } from "../Taint.ts"
import type { BudgetNode } from "./BudgetNode.ts"
import { Arguments } from "./gate/Arguments.ts"
import type { Asking } from "./gate/Asking.ts"
import { Counter, denied } from "./gate/Counter.ts"
import type { Effected, Entry, UnknownEffect } from "./gate/Ledger.ts"
import { People } from "./gate/People.ts"
import { type Pause, Performance } from "./gate/Performance.ts"
import { type Allowed, Permission } from "./gate/Permission.ts"
import type { Vault } from "./gate/Vault.ts"
import type { Log } from "./Log.ts"

/** What the gate of a session stands on. */
export interface GateOptions {
  readonly log: Log
  readonly caller: Caller
  readonly policy: Policy
  readonly approvals: Approvals
  readonly gates: Gates
  readonly vault: Vault
  readonly taint: Taint
  readonly sha256: (text: string) => string
  /** Of values in the log. */
  readonly room: number
  /** Of the run that is active. */
  readonly budget: () => BudgetNode
  /** Of the run that is active, and those that wait for it. */
  readonly asking: () => Asking | undefined
  readonly dryRun: () => boolean
  readonly progress: (message: string) => void
}

/** The engine's `Boundary`, and the way by which decisions from elsewhere reach a call that waits. */
export interface Gate extends Boundary {
  readonly decide: (key: string, decided: Decided) => void
  /** Somebody says what became of an effect of unknown outcome. */
  readonly settle: (key: string) => boolean
  /** Nobody is asked any more: the run is over. */
  readonly abandon: () => void
  /** Effects of unknown outcome that the model has not been told of. */
  readonly takeUntold: () => ReadonlyArray<UnknownEffect>
  /** Effects of the last cell that happened. */
  readonly effectsOf: (cell: number) => ReadonlyArray<Effected>
  /** Stops the clocks of the cells that wait for a run of this child. */
  readonly pauseFor: (child: SessionId) => Pause
}

const oneCall = { hostCalls: 1 }

export const makeGate = (options: GateOptions): Gate => {
  const { approvals, asking, budget, caller, dryRun, gates, log, policy, progress, room, sha256, taint, vault } =
    options
  const counter = new Counter(log, caller, vault, sha256, room)
  const { ledger } = counter
  const people = new People(log, approvals, caller)
  const given = new Arguments(counter, taint)
  const permission = new Permission(counter, given, policy, people)
  const performance = new Performance(counter, taint, gates.afterHostCall, progress)

  /** What the application's gate makes of a call. */
  const gated = Effect.fnUntraced(function*(call: HostCall, before: NonNullable<Gates["beforeHostCall"]>) {
    const answer = yield* Effect.catch(
      askGate(() => before(call, caller)),
      (error) => Effect.succeed<BeforeHostCall>({ _tag: "Block", why: vault.redact(error.message) })
    )
    if (answer._tag === "Block") {
      const by = "beforeHostCall"
      return yield* counter.refuse(call, counter.encodeAll(call.args), denied(by, answer.why), by)
    }
    if (answer.args === undefined) return call
    const changed = given.validated({ ...call, args: answer.args })
    return Effect.isEffect(changed) ? yield* changed : changed
  })

  const askingOf = (pauseCell: Pause | undefined): Asking | undefined => {
    const run = asking()
    return run === undefined || pauseCell === undefined ? run : {
      ...run,
      pause: (on) => {
        run.pause(on)
        pauseCell(on)
      }
    }
  }

  const invoke: Boundary["invoke"] = Effect.fnUntraced(function*(issued, perform, pauseCell) {
    const { contract } = issued
    if (contract?.question === true) return yield* permission.answered(issued, askingOf(pauseCell))
    const checked = given.validated(issued)
    let wanted = Effect.isEffect(checked) ? yield* checked : checked
    if (gates.beforeHostCall !== undefined) wanted = yield* gated(wanted, gates.beforeHostCall)

    const judged = permission.verdictOf(wanted)
    const verdict = Effect.isEffect(judged) ? yield* judged : judged
    let allowed: Allowed = { call: wanted, args: counter.encodeAll(wanted.args) }
    if (verdict._tag === "Deny") return yield* permission.denied(allowed, verdict.why)
    const ask = permission.askOf(allowed, verdict)
    if (ask !== undefined && !dryRun()) allowed = yield* permission.asked(allowed, ask, askingOf(pauseCell))
    const { args, call } = allowed

    const over = call.bare === true ? undefined : budget().take(oneCall)
    if (over !== undefined) return yield* counter.refuse(call, args, { _tag: "OverBudget", unit: over.unit })

    const pretended = dryRun() && contract?.child === undefined
    const effect = contract?.effect ?? "external"
    const standIn = pretended ? contract?.standIn : undefined
    if (pretended && effect !== "none" && standIn === undefined) {
      return yield* counter.refuse(call, args, denied("dry run", "it has an effect and no stand-in"), "dry run")
    }
    // What a stand-in does is no effect: the ledger has nothing to wait for, or to be in doubt of.
    const entry: Entry = { call, args, key: counter.keyOf(call), effect: pretended ? "none" : effect }
    yield* ledger.begin(entry)
    const doing = standIn === undefined ? perform : (args: ReadonlyArray<unknown>) => standIn(...args)
    return yield* performance.given(entry, yield* performance.performed(entry, doing, pauseCell))
  })

  return {
    invoke,
    note: (fact) => counter.note(fact),
    decide: (key, decided) => people.decide(key, decided),
    settle: (key) => ledger.settle(key),
    abandon: () => people.abandon(),
    takeUntold: () => ledger.takeUntold(),
    effectsOf: (cell) => ledger.effectsOf(cell),
    pauseFor: (child) => performance.pauseFor(child)
  }
}
