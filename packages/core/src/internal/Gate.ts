import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { AnySchema } from "../AnySchema.ts"
import type { Approvals, Decided } from "../Approvals.ts"
import { type Boundary, type HostCall, HostCallError } from "../Boundary.ts"
import type { CallContext } from "../CallContext.ts"
import { type AfterHostCall, askGate, type BeforeHostCall, type Gates } from "../Gates.ts"
import type { SessionId } from "../Ids.ts"
import type { Caller, Policy, Verdict } from "../Policy.ts"
import { validate, type Validated } from "../schema/Validate.ts"
import type { Taint } from "../Taint.ts"
import type { Value } from "../Value.ts"
import type { BudgetNode } from "./BudgetNode.ts"
import type { Asking } from "./gate/Asking.ts"
import { type Entry, Ledger, type UnknownEffect } from "./gate/Ledger.ts"
import { type Answer, People } from "./gate/People.ts"
import { questionOf } from "./gate/Question.ts"
import { ServedCall } from "./gate/ServedCall.ts"
import type { Vault } from "./gate/Vault.ts"
import type { Log } from "./Log.ts"
import { decodeValue, Values } from "./Values.ts"

type Refusal = HostCallError["reason"]
type Ask = Extract<Verdict, { readonly _tag: "Ask" }>
type Pause = (on: boolean) => void
type Perform = Parameters<Boundary["invoke"]>[1]

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
  /** Stops the clocks of the cells that wait for a run of this child. */
  readonly pauseFor: (child: SessionId) => Pause
}

const oneCall = { hostCalls: 1 }
/** Refusals by which a call never became an effect. */
const denied = (by: string, why: string): Refusal => ({ _tag: "Denied", by, why })

export const makeGate = (options: GateOptions): Gate => {
  const { approvals, asking, budget, caller, dryRun, gates, log, policy, progress, sha256, taint, vault } = options
  const values = new Values()
  const people = new People(log, approvals, caller)
  const ledger = new Ledger(log, sha256)
  const allowedForSession = new Set<string>()
  /** Pauses of cells, by the child whose run they wait for. */
  const parents = new Map<SessionId, Set<Pause>>()

  const encode = (value: unknown): Value => vault.encode(value, encodePlain)
  const encodePlain = (value: unknown): Value => values.encode(value)

  const refuse = (call: HostCall, args: ReadonlyArray<Value>, reason: Refusal, by = "boundary") => {
    log.note({ _tag: "CallRefused", cell: call.cell, ordinal: call.ordinal, path: call.path, args, reason, by })
    return Effect.fail(new HostCallError({ path: call.path, reason }))
  }

  /** The call with the arguments its contract makes of them. Secrets are checked by value, and stay secret. */
  const validated = (call: HostCall): HostCall | Effect.Effect<HostCall, HostCallError> => {
    const input = call.contract?.input
    if (input === undefined) return labelled(call)
    const given = vault.reveal(call.args)
    const settled = (checked: Validated) => {
      if (!checked.ok) {
        const problem = vault.redact(checked.problem)
        return refuse(call, call.args.map(encode), { _tag: "InvalidArguments", problem })
      }
      const args: ReadonlyArray<unknown> = given === call.args ? checked.value : vault.conceal(checked.value)
      return Effect.succeed(labelled({ ...call, args }))
    }
    const checked = validate(input, given)
    if (checked instanceof Promise) return Effect.flatMap(Effect.promise(() => checked), settled)
    return checked.ok && given === call.args ? labelled({ ...call, args: checked.value }) : settled(checked)
  }

  const labelled = (call: HostCall): HostCall => taint.idle ? call : { ...call, taint: taint.of(call.args) }

  /** What the application's gate makes of a call. */
  const gated = Effect.fnUntraced(function*(call: HostCall, before: NonNullable<Gates["beforeHostCall"]>) {
    const answer = yield* Effect.catch(
      askGate(() => before(call, caller)),
      (error) => Effect.succeed<BeforeHostCall>({ _tag: "Block", why: vault.redact(error.message) })
    )
    if (answer._tag === "Block") {
      return yield* refuse(call, call.args.map(encode), denied("beforeHostCall", answer.why), "beforeHostCall")
    }
    if (answer.args === undefined) return call
    const changed = validated({ ...call, args: answer.args })
    return Effect.isEffect(changed) ? yield* changed : changed
  })

  /** A policy that dies denies. The verdict itself where it is there at once. */
  const verdictOf = (call: HostCall): Verdict | Effect.Effect<Verdict> => {
    try {
      const decided = policy.decide(call, caller)
      if (!Exit.isExit(decided)) return Effect.catchDefect(decided, () => Effect.succeed(failedPolicy))
      const exit = decided as Exit.Exit<Verdict>
      return Exit.isSuccess(exit) ? exit.value : failedPolicy
    } catch {
      return failedPolicy
    }
  }

  /** What a person has to allow, if anything. */
  const askOf = (call: HostCall, args: ReadonlyArray<Value>, verdict: Verdict): Ask | undefined => {
    const doubt = ledger.doubtOf(call, args)
    if (doubt !== undefined) {
      return { ...(verdict._tag === "Ask" ? verdict : undefined), _tag: "Ask", why: repeated(doubt) }
    }
    return verdict._tag === "Ask" && !allowedForSession.has(call.path) ? verdict : undefined
  }

  /** The call as a person allows it. */
  const allowed = Effect.fnUntraced(
    function*(call: HostCall, args: ReadonlyArray<Value>, ask: Ask, key: string, pauseCell: Pause | undefined) {
      if (call.blocking) {
        const why = "nobody can be asked in the middle of a synchronous call"
        return yield* refuse(call, args, denied("boundary", why))
      }
      const place = `${key}:${ledger.digest(call.path, args)}`
      const answer = yield* people.ask({ call, args, key: place, verdict: ask }, askingOf(pauseCell))
      const decision = yield* allowing(call, args, answer)
      const doubtful = ledger.doubtOf(call, args) !== undefined
      if (decision.scope === "session" && !doubtful) allowedForSession.add(call.path)
      return decision.args === undefined ? { call, args } : yield* changed(call, args, decision.args)
    }
  )

  /** What a person allowed, or the refusal. */
  const allowing = (call: HostCall, args: ReadonlyArray<Value>, answer: Answer) => {
    switch (answer._tag) {
      case "Expired":
        return refuse(call, args, { _tag: "Expired" }, "expiry")
      case "Abandoned":
        return refuse(call, args, denied("boundary", "the run ended before anybody answered"))
      case "Decided":
        return answer.decision._tag === "Allow"
          ? Effect.succeed(answer.decision)
          : refuse(call, args, denied(answer.by, whyOf(answer)), answer.by)
    }
  }

  /** Arguments that a person gives are no better than others: validated, and judged by the policy. */
  const changed = Effect.fnUntraced(
    function*(call: HostCall, args: ReadonlyArray<Value>, given: ReadonlyArray<Value>) {
      const again = validated({ ...call, args: given.map((value) => restored(value, call, args)) })
      const next = Effect.isEffect(again) ? yield* again : again
      const judged = verdictOf(next)
      const verdict = Effect.isEffect(judged) ? yield* judged : judged
      const encoded = next.args.map(encode)
      return verdict._tag === "Deny"
        ? yield* refuse(next, encoded, denied("policy", verdict.why), "policy")
        : { call: next, args: encoded }
    }
  )

  /** A live object that a decision refers to is the one the cell gave. */
  const restored = (value: Value, call: HostCall, args: ReadonlyArray<Value>): unknown => {
    if (value._tag === "Secret") return vault.handle(value.name)
    if (value._tag !== "Ref") return decodeValue(value)
    return call.args[args.findIndex((arg) => arg._tag === "Ref" && arg.id === value.id)]
  }

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

  const question = Effect.fnUntraced(function*(call: HostCall, pauseCell: Pause | undefined) {
    const args = call.args.map(encode)
    const put = questionOf(call.args)
    if (typeof put === "string") return yield* refuse(call, args, { _tag: "InvalidArguments", problem: put })
    const key = `${keyOf(call)}:${ledger.digest(call.path, args)}`
    const { unfit, ...question } = put
    const answer = yield* people.ask(
      { call, args, key, verdict: { why: put.text }, question, unfit },
      askingOf(pauseCell)
    )
    if (answer._tag === "Decided" && answer.decision._tag === "Answer") return decodeValue(answer.decision.value)
    return yield* allowing(call, args, answer)
  })

  const keyOf = (call: HostCall): string => `${caller.session}:${call.cell}:${call.ordinal}`

  const invoke: Boundary["invoke"] = Effect.fnUntraced(function*(issued, perform, pauseCell) {
    const { contract } = issued
    if (contract?.question === true) return yield* question(issued, pauseCell)
    const key = keyOf(issued)
    const checked = validated(issued)
    let wanted = Effect.isEffect(checked) ? yield* checked : checked
    if (gates.beforeHostCall !== undefined) wanted = yield* gated(wanted, gates.beforeHostCall)
    const judged = verdictOf(wanted)
    const verdict = Effect.isEffect(judged) ? yield* judged : judged
    let call = wanted
    let args: ReadonlyArray<Value> = wanted.args.map(encode)
    if (verdict._tag === "Deny") return yield* refuse(call, args, denied("policy", verdict.why), "policy")
    const ask = askOf(call, args, verdict)
    if (ask !== undefined && !dryRun()) ({ args, call } = yield* allowed(call, args, ask, key, pauseCell))
    const over = budget().take(oneCall)
    if (over !== undefined) return yield* refuse(call, args, { _tag: "OverBudget", unit: over.unit })

    const pretended = dryRun() && contract?.child === undefined
    const effect = contract?.effect ?? "external"
    if (pretended && effect !== "none" && contract?.standIn === undefined) {
      return yield* refuse(call, args, denied("dry run", "it has an effect and no stand-in"), "dry run")
    }
    const { standIn } = contract ?? {}
    // What a stand-in does is no effect: the ledger has nothing to wait for, or to be in doubt of.
    const entry: Entry = { call, args, key, effect: pretended ? "none" : effect }
    yield* ledger.begin(entry)
    const doing = performed(entry, pretended && standIn !== undefined ? (args) => standIn(...args) : perform)
    const value = contract?.child === undefined || pauseCell === undefined
      ? yield* doing
      : yield* waitingFor(contract.child, pauseCell, doing)
    return contract?.output === undefined && gates.afterHostCall === undefined
      ? kept(entry, value)
      : yield* given(entry, value)
  })

  /** A secret that comes back is a secret again, so that the cell has nothing to cut or encode. */
  const kept = ({ call }: Entry, returned: unknown): unknown => {
    const value = vault.conceal(returned)
    const label = call.contract?.taint
    if (label !== undefined) taint.add(value, label)
    ledger.completed(call, encode(value))
    return value
  }

  /** The cell's clock stops with those of the child whose run it waits for. */
  const waitingFor = <A, E>(child: SessionId, pause: Pause, run: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.suspend(() => {
      const pauses = parents.get(child) ?? new Set()
      parents.set(child, pauses.add(pause))
      return Effect.ensuring(run, Effect.sync(() => void pauses.delete(pause)))
    })

  /** The call itself. A promise is awaited; interruption aborts it, and then nobody knows what became of it. */
  const performed = (entry: Entry, perform: Perform): Effect.Effect<unknown, unknown> =>
    Effect.suspend(() => {
      const { call, key } = entry
      const context = new ServedCall(caller, key, call, progress)
      const failed = (error: unknown) => {
        ledger.failed(entry, error)
        return Effect.fail(error)
      }
      let value: unknown
      try {
        value = perform(vault.reveal(call.args), context as CallContext)
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
    })

  /** What the cell gets of what the call returned. */
  const given = Effect.fnUntraced(function*(entry: Entry, returned: unknown) {
    const { call } = entry
    const result = check(call.contract?.output, returned)
    const checked = result instanceof Promise ? yield* Effect.promise(() => result) : result
    if (!checked.ok) return yield* withheld(entry, checked.problem)
    let value: unknown = checked.value
    if (gates.afterHostCall !== undefined) {
      const after = yield* judged(call, value, gates.afterHostCall)
      if (after._tag === "Withhold") {
        return yield* withheld(entry, `afterHostCall withholds it, ${after.why} (the call itself took place)`)
      }
      if (after._tag === "Replace") value = after.value
    }
    return kept(entry, value)
  })

  const judged = (call: HostCall, value: unknown, after: NonNullable<Gates["afterHostCall"]>) =>
    Effect.catch(
      askGate(() => after(call, value, caller)),
      (error) => Effect.succeed<AfterHostCall>({ _tag: "Withhold", why: vault.redact(error.message) })
    )

  /** It took place, and the cell does not get what it returned. */
  const withheld = (entry: Entry, problem: string) => {
    const error = new HostCallError({ path: entry.call.path, reason: { _tag: "InvalidResult", problem } })
    ledger.failed(entry, error)
    return Effect.fail(error)
  }

  return {
    invoke,
    decide: (key, decided) => people.decide(key, decided),
    settle: (key) => ledger.settle(key),
    abandon: () => people.abandon(),
    takeUntold: () => ledger.takeUntold(),
    pauseFor: (child) => {
      let cells: ReadonlyArray<Pause> = []
      return (on) => {
        if (on) cells = [...parents.get(child) ?? []]
        for (const pause of cells) pause(on)
      }
    }
  }
}

const failedPolicy: Verdict = { _tag: "Deny", why: "the policy failed" }

const check = (schema: AnySchema<any> | undefined, value: unknown): Validated | Promise<Validated> =>
  schema === undefined ? { ok: true, value } : validate(schema, value)

const repeated = ({ key }: UnknownEffect): string =>
  `the same call (${key}) began before, and nobody knows whether it took effect`

const whyOf = ({ decision }: Decided): string =>
  decision._tag === "Deny" ? decision.why : "the question was not answered"

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
