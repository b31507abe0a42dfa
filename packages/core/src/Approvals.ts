/**
 * Asking a person in the middle of a cell: whether a call may happen, or a question that the cell itself puts. The code
 * waits where it stands until somebody answers.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { type ApprovalQueue, makeApprovalQueue } from "./approvals/ApprovalQueue.ts"
import { type Answering, makeCallback } from "./approvals/Callback.ts"
import type { WaitingApproval } from "./approvals/WaitingApproval.ts"
import type { HostCall } from "./Boundary.ts"
import type { InvalidInput } from "./InvalidInput.ts"
import type { Caller } from "./Policy.ts"
import type { SessionStore } from "./SessionStore.ts"
import type { StoreError } from "./StoreError.ts"
import { Value } from "./Value.ts"

export const Decision = Schema.TaggedUnion({
  /**
   * `once`: this call. `session`: every call of this path, until the session ends. `args` take the place of the
   * arguments; they are validated and judged by the policy as any.
   */
  Allow: { scope: Schema.Literals(["once", "session"]), args: Schema.optional(Schema.Array(Value)) },
  Deny: { why: Schema.String },
  /** To a question that a cell put with the built-in `ask(question, { options, schema })`. */
  Answer: { value: Value }
})
export type Decision = typeof Decision.Type

export interface Decided {
  readonly decision: Decision
  /** Who decided: a name for the log. */
  readonly by: string
  /** In which roles. Needed where the one who may answer is named by role. */
  readonly roles?: ReadonlyArray<string> | undefined
}

/** What a cell asks with `ask(question, { options, schema })`. */
export interface Question {
  readonly text: string
  readonly options?: ReadonlyArray<string> | undefined
}

/** A call, or a question, that waits for a person. */
export interface PendingApproval {
  /** What a decision names; the same in the log, the list of sessions and a `Signal.Decide`. */
  readonly key: string
  readonly caller: Caller
  readonly call: HostCall
  /** Why the policy asks; the text of a question. */
  readonly why: string
  /** Who may answer, if not everybody. */
  readonly role?: string | undefined
  /** When it is too late, in epoch milliseconds. */
  readonly expires?: number | undefined
  /** Set where it is a question of the cell, to be answered with `Answer` or `Deny`. */
  readonly question?: Question | undefined
  /** What is wrong with a decision, so that one can ask again; a wrong one that is given nevertheless denies. */
  readonly problem: (decided: Decided) => string | undefined
}

/**
 * A way to ask a person here and now; it races against a `Signal.Decide` that reaches the session through its store,
 * and is interrupted when it loses. The default denies at once, since nobody may be there. One that dies denies.
 */
export interface Approvals {
  readonly ask: (pending: PendingApproval) => Effect.Effect<Decided>
}

const reference: Context.Reference<Approvals> = Context.Reference<Approvals>("@daylight/core/Approvals", {
  defaultValue: () => nobody
})

const nobody: Approvals = {
  ask: () =>
    Effect.succeed({
      decision: { _tag: "Deny", why: "nobody is there to ask: provide Approvals" },
      by: "default"
    })
}

export const Approvals = Object.assign(reference, {
  /** Waits for an answer from elsewhere: the command line, a dashboard, another process. */
  wait: { ask: () => Effect.never } as Approvals,
  /**
   * Asks a function. `true` allows once, `false` denies; a text is the answer to a question, or the reason to deny.
   *
   * ```ts
   * import { Approvals } from "@daylight/core"
   *
   * const approvals = Approvals.callback(({ call }) => call.path === "refund" && Number(call.args[1]) <= 100)
   * ```
   */
  callback: (answer: Answering): Approvals => makeCallback(answer),
  /** Collects what waits, for code or a page that lists and decides. */
  queue: (): ApprovalQueue => makeApprovalQueue(),
  /** What waits in the sessions of a store, of any process. */
  waitingIn: (store: SessionStore["Service"]): Effect.Effect<ReadonlyArray<WaitingApproval>, StoreError> =>
    withStores(({ waitingIn }) => waitingIn(store)),
  /** Answers one of them; the process that runs the session takes the answer from its mailbox. */
  decideIn: (
    store: SessionStore["Service"],
    key: string,
    decided: Decided
  ): Effect.Effect<WaitingApproval, InvalidInput | StoreError> =>
    withStores(({ decideIn }) => decideIn(store, key, decided))
})

/** Looking into stores is for who answers, not for who runs agents: loaded when it is done. */
const withStores = <A, E>(
  use: (stores: typeof import("./approvals/WaitingApproval.ts")) => Effect.Effect<A, E>
): Effect.Effect<A, E> => Effect.flatMap(Effect.promise(() => import("./approvals/WaitingApproval.ts")), use)
