/**
 * Everything of a session that waits for a person. Whoever answers first decides: the application's `Approvals`, or
 * anybody through the session's mailbox.
 */
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Approvals, Decided, PendingApproval, Question } from "../../Approvals.ts"
import type { HostCall } from "../../Boundary.ts"
import type { Caller, Verdict } from "../../Policy.ts"
import type { Value } from "../../Value.ts"
import type { Log } from "../Log.ts"
import type { Asking } from "./Asking.ts"

/** `Abandoned`: the run ended before anybody answered. */
export type Answer = { readonly _tag: "Decided" } & Decided | { readonly _tag: "Expired" | "Abandoned" }

export interface Ask {
  readonly call: HostCall
  readonly args: ReadonlyArray<Value>
  readonly key: string
  readonly verdict: Pick<Extract<Verdict, { readonly _tag: "Ask" }>, "why" | "role" | "expires">
  readonly question?: Question | undefined
  /** What is wrong with an answer to a question. */
  readonly unfit?: ((value: Value) => string | undefined) | undefined
}

interface Waiting {
  readonly pending: PendingApproval
  readonly answer: Deferred.Deferred<Answer>
}

const expired: Answer = { _tag: "Expired" }
const expiry: Decided = { decision: { _tag: "Deny", why: "nobody answered in time" }, by: "expiry" }

export class People {
  readonly #waiting = new Map<string, Waiting>()
  readonly #log: Log
  readonly #approvals: Approvals
  readonly #caller: Caller

  constructor(log: Log, approvals: Approvals, caller: Caller) {
    this.#log = log
    this.#approvals = approvals
    this.#caller = caller
  }

  /** A decision from elsewhere. One that is not wanted, or may not be made by this person, changes nothing. */
  decide(key: string, decided: Decided): void {
    const waiting = this.#waiting.get(key)
    if (waiting === undefined || waiting.pending.problem(decided) !== undefined) return
    Deferred.doneUnsafe(waiting.answer, Effect.succeed({ ...decided, _tag: "Decided" }))
  }

  /** Nobody's answer is of use any more. */
  abandon(): void {
    for (const { answer } of this.#waiting.values()) {
      Deferred.doneUnsafe(answer, Effect.succeed({ _tag: "Abandoned" }))
    }
  }

  /**
   * Asks, and comes back with an answer that is in the log. While nobody answers, clocks stop, and a run that has no
   * patience left is suspended; what was answered meanwhile comes back when the run goes on.
   */
  ask(what: Ask, asking: Asking | undefined): Effect.Effect<Answer> {
    return Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const { args, call, key, question, verdict: { expires, role, why } } = what
      const left = expires === undefined ? undefined : Duration.toMillis(Duration.fromInputUnsafe(expires))
      const until = left === undefined || !Number.isFinite(left) ? undefined : now + left
      const pending: PendingApproval = {
        key,
        caller: this.#caller,
        call,
        why,
        role,
        expires: until,
        question,
        problem: (decided) => problemOf(what, decided)
      }
      const answer = Deferred.makeUnsafe<Answer>()
      const answers = [
        Deferred.await(answer),
        this.#here(pending),
        ...(until === undefined ? [] : [Effect.as(Effect.sleep(left!), expired)]),
        ...(asking === undefined ? [] : [asking.impatience])
      ]
      const asked = this.#log.commitOrEnd({
        _tag: "ApprovalAsked",
        cell: call.cell,
        ordinal: call.ordinal,
        path: call.path,
        args,
        key,
        why,
        after: call.after,
        entropy: call.entropy,
        ...(role !== undefined && { role }),
        ...(until !== undefined && { expires: until })
      })
      return Effect.acquireUseRelease(
        Effect.sync(() => {
          this.#waiting.set(key, { pending, answer })
          asking?.pause(true)
        }),
        () =>
          asked.pipe(
            Effect.andThen(Effect.raceAllFirst(answers)),
            Effect.tap((answer) => this.#record(key, answer)),
            Effect.tap(() => asking?.active ?? Effect.void)
          ),
        () =>
          Effect.sync(() => {
            this.#waiting.delete(key)
            asking?.pause(false)
          })
      )
    })
  }

  /** The application's own way to ask. A decision that may not be made so denies, as does a way that fails. */
  #here(pending: PendingApproval): Effect.Effect<Answer> {
    return Effect.suspend(() => this.#approvals.ask(pending)).pipe(
      Effect.catchDefect(() =>
        Effect.succeed<Decided>({ decision: { _tag: "Deny", why: "asking failed" }, by: "approvals" })
      ),
      Effect.map((decided) => {
        const problem = pending.problem(decided)
        return problem === undefined
          ? { ...decided, _tag: "Decided" }
          : { _tag: "Decided", decision: { _tag: "Deny", why: problem }, by: decided.by }
      })
    )
  }

  #record(key: string, answer: Answer): Effect.Effect<void> {
    if (answer._tag === "Abandoned") return Effect.void
    const { by, decision } = answer._tag === "Decided" ? answer : expiry
    return this.#log.commitOrEnd({ _tag: "ApprovalDecided", key, decision, by })
  }
}

const problemOf = (
  { question, unfit, verdict: { role } }: Ask,
  { by, decision, roles }: Decided
): string | undefined => {
  if (decision._tag === "Deny") return undefined // saying no takes no authority
  if (role !== undefined && roles?.includes(role) !== true) return `${by} may not answer: the role ${role} is required`
  if (question === undefined) return decision._tag === "Allow" ? undefined : "it is a call, to be allowed or denied"
  return decision._tag === "Answer" ? unfit?.(decision.value) : "it is a question, to be answered"
}
