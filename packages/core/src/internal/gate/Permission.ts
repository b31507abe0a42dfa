import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type { Decided, Decision } from "../../Approvals.ts"
import type { HostCall, HostCallError } from "../../Boundary.ts"
import type { Policy, Verdict } from "../../Policy.ts"
import type { Value } from "../../Value.ts"
import type { Arguments } from "./Arguments.ts"
import type { Asking } from "./Asking.ts"
import { type Counter, denied } from "./Counter.ts"
import type { UnknownEffect } from "./Ledger.ts"
import type { Answer, People } from "./People.ts"
import { questionOf } from "./Question.ts"

export type Ask = Extract<Verdict, { readonly _tag: "Ask" }>

/** A call as it is finally allowed, and as the log keeps its arguments. */
export interface Allowed {
  readonly call: HostCall
  readonly args: ReadonlyArray<Value>
}

const failedPolicy: Verdict = { _tag: "Deny", why: "the policy failed" }

/** The second station: what the policy says, and, where it asks, a person. */
export class Permission {
  readonly #counter: Counter
  readonly #arguments: Arguments
  readonly #policy: Policy
  readonly #people: People
  readonly #allowedForSession = new Set<string>()

  constructor(counter: Counter, args: Arguments, policy: Policy, people: People) {
    this.#counter = counter
    this.#arguments = args
    this.#policy = policy
    this.#people = people
  }

  /** A policy that dies denies. The verdict itself where it is there at once. */
  verdictOf(call: HostCall): Verdict | Effect.Effect<Verdict> {
    try {
      const decided = this.#policy.decide(call, this.#counter.caller)
      if (!Exit.isExit(decided)) return Effect.catchDefect(decided, () => Effect.succeed(failedPolicy))
      const exit = decided as Exit.Exit<Verdict>
      return Exit.isSuccess(exit) ? exit.value : failedPolicy
    } catch {
      return failedPolicy
    }
  }

  /** What a person has to allow, if anything: also a repeat of what may have happened. */
  askOf({ args, call }: Allowed, verdict: Verdict): Ask | undefined {
    const doubt = this.#counter.ledger.doubtOf(call, args)
    if (doubt !== undefined) {
      return { ...(verdict._tag === "Ask" ? verdict : undefined), _tag: "Ask", why: repeated(doubt) }
    }
    return verdict._tag === "Ask" && !this.#allowedForSession.has(call.path) ? verdict : undefined
  }

  denied({ args, call }: Allowed, why: string): Effect.Effect<never, HostCallError> {
    return this.#counter.refuse(call, args, denied("policy", why), "policy")
  }

  /** The call as a person allows it. */
  readonly asked = Effect.fnUntraced(
    { self: this },
    function*(this: Permission, wanted: Allowed, ask: Ask, asking: Asking | undefined) {
      const { args, call } = wanted
      const { ledger } = this.#counter
      if (call.blocking) {
        const why = "nobody can be asked in the middle of a synchronous call"
        return yield* this.#counter.refuse(call, args, denied("boundary", why))
      }
      const key = this.#counter.placeOf(call, args)
      const decision = yield* this.#allowing(wanted, yield* this.#people.ask({ call, args, key, verdict: ask }, asking))
      if (decision.scope === "session" && ledger.doubtOf(call, args) === undefined) {
        this.#allowedForSession.add(call.path)
      }
      return decision.args === undefined ? wanted : yield* this.#changed(wanted, decision.args)
    }
  )

  /** The built-in `ask`: the answer is the value of the call. */
  readonly answered = Effect.fnUntraced(
    { self: this },
    function*(this: Permission, call: HostCall, asking: Asking | undefined) {
      const args = this.#counter.encodeAll(call.args)
      const put = yield* questionOf(call.args)
      if (typeof put === "string") {
        return yield* this.#counter.refuse(call, args, { _tag: "InvalidArguments", problem: put })
      }
      const { read, ...question } = put
      const unfit = (value: Value) => {
        const answer = read(value)
        return answer.ok ? undefined : answer.problem
      }
      const ask = { call, args, key: this.#counter.placeOf(call, args), verdict: { why: put.text }, question, unfit }
      const answer = yield* this.#people.ask(ask, asking)
      if (answer._tag === "Decided" && answer.decision._tag === "Answer") {
        const given = read(answer.decision.value)
        if (given.ok) {
          this.#counter.ledger.answered(call, this.#counter.encode(given.value))
          return given.value
        }
      }
      return yield* this.#allowing({ call, args }, answer)
    }
  )

  /** What a person allowed, or the refusal. */
  #allowing(
    { args, call }: Allowed,
    answer: Answer
  ): Effect.Effect<Extract<Decision, { readonly _tag: "Allow" }>, HostCallError> {
    const counter = this.#counter
    switch (answer._tag) {
      case "Expired":
        return counter.refuse(call, args, { _tag: "Expired" }, "expiry")
      case "Abandoned":
        return counter.refuse(call, args, denied("boundary", "the run ended before anybody answered"))
      case "Decided":
        return answer.decision._tag === "Allow"
          ? Effect.succeed(answer.decision)
          : counter.refuse(call, args, denied(answer.by, whyOf(answer)), answer.by)
    }
  }

  /** Arguments that a person gives are no better than others: validated, and judged by the policy. */
  readonly #changed = Effect.fnUntraced(
    { self: this },
    function*(this: Permission, { args, call }: Allowed, given: ReadonlyArray<Value>) {
      const validated = this.#arguments.validated({ ...call, args: this.#arguments.restored(given, call, args) })
      const next = Effect.isEffect(validated) ? yield* validated : validated
      const judged = this.verdictOf(next)
      const verdict = Effect.isEffect(judged) ? yield* judged : judged
      const changed: Allowed = { call: next, args: this.#counter.encodeAll(next.args) }
      return verdict._tag === "Deny" ? yield* this.denied(changed, verdict.why) : changed
    }
  )
}

const repeated = ({ key }: UnknownEffect): string =>
  `the same call (${key}) began before, and nobody knows whether it took effect`

const whyOf = ({ decision }: Decided): string =>
  decision._tag === "Deny" ? decision.why : "the question was not answered"
