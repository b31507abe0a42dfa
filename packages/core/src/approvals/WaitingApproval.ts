/**
 * What waits for a person in the sessions of a store, and the way to answer from any process: the owner of the session
 * takes the answer from its mailbox.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Decided } from "../Approvals.ts"
import type { SessionId } from "../Ids.ts"
import { InvalidInput } from "../InvalidInput.ts"
import type { SessionStore } from "../SessionStore.ts"
import type { SessionSummary } from "../SessionSummary.ts"
import type { StoreError } from "../StoreError.ts"
import type { Value } from "../Value.ts"

type Store = SessionStore["Service"]

/** A call, or a question, that waits in some session. */
export interface WaitingApproval {
  readonly key: string
  readonly session: SessionId
  readonly agent: string
  readonly labels: Readonly<Record<string, string>>
  /** `ask` for a question of the cell. */
  readonly path: string
  readonly args: ReadonlyArray<Value>
  readonly why: string
  readonly role?: string | undefined
  /** In epoch milliseconds, as `since`. */
  readonly expires?: number | undefined
  readonly since: number
  readonly isQuestion: boolean
  /** Of a question: the only answers there are. */
  readonly options?: ReadonlyArray<string> | undefined
  /** Nobody holds the session now: an answer is kept for whoever resumes it. */
  readonly orphaned: boolean
}

/** Oldest first. */
export const waitingIn = Effect.fnUntraced(function*(
  store: Store
): Effect.fn.Return<ReadonlyArray<WaitingApproval>, StoreError> {
  const found: Array<WaitingApproval> = []
  let cursor: string | undefined
  do {
    const page: Effect.Success<ReturnType<Store["list"]>> = yield* store.list({ status: "waiting", cursor })
    for (const row of page.items) found.push(...yield* waitingOf(store, row))
    cursor = page.next
  } while (cursor !== undefined)
  return found.sort((a, b) => a.since - b.since)
})

const waitingOf = (store: Store, row: SessionSummary): Effect.Effect<ReadonlyArray<WaitingApproval>, StoreError> =>
  store.read(row.session).pipe(
    Stream.runFold((): Array<WaitingApproval> => [], (found, { event, time }) => {
      if (event._tag !== "ApprovalAsked" || !row.pending.includes(event.key)) return found
      const { args, expires, key, path, role, why } = event
      const isQuestion = path === "ask"
      found.push({
        key,
        session: row.session,
        agent: row.agent,
        labels: row.labels,
        path,
        args,
        why,
        role,
        expires,
        since: time,
        isQuestion,
        options: isQuestion ? optionsOf(args) : undefined,
        orphaned: row.owner === undefined
      })
      return found
    })
  )

const optionsOf = ([, given]: ReadonlyArray<Value>): ReadonlyArray<string> | undefined => {
  const options = given?._tag === "Json" ? (given.value as { readonly options?: unknown } | null)?.options : undefined
  return Array.isArray(options) ? options : undefined
}

/**
 * Answers what waits under a key, or under its unmistakable beginning or end. Fails with `InvalidInput` if nothing or
 * several wait under it, or if the answer does not fit.
 */
export const decideIn = Effect.fnUntraced(function*(
  store: Store,
  key: string,
  decided: Decided
): Effect.fn.Return<WaitingApproval, InvalidInput | StoreError> {
  const all = yield* waitingIn(store)
  const fitting = all.filter((each) => each.key === key)
  const named = fitting.length > 0 ? fitting : all.filter((each) => each.key.startsWith(key) || each.key.endsWith(key))
  const [waiting, another] = named
  const refuse = (problem: string, remedy: string) => new InvalidInput({ subject: `approval ${key}`, problem, remedy })
  if (waiting === undefined) {
    return yield* refuse("nothing waits under this key", "It may have been answered: list them")
  }
  if (another !== undefined) return yield* refuse("several wait under this key", "Give more of the key")
  const problem = problemOf(waiting, decided)
  if (problem !== undefined) return yield* refuse(...problem)
  const { by, decision, roles } = decided
  yield* store.send(waiting.session, {
    _tag: "Decide",
    key: waiting.key,
    decision,
    by,
    ...(roles !== undefined && { roles: [...roles] })
  })
  return waiting
})

const problemOf = (
  { isQuestion, options, role }: WaitingApproval,
  { decision, roles }: Decided
): readonly [problem: string, remedy: string] | undefined => {
  if (decision._tag === "Deny") return undefined
  if (role !== undefined && roles?.includes(role) !== true) {
    return [`only the role ${role} may answer`, "Answer in that role"]
  }
  if (isQuestion !== (decision._tag === "Answer")) {
    return isQuestion ? ["it is a question", "Answer it, or deny"] : ["it is a call", "Allow or deny it"]
  }
  if (decision._tag !== "Answer" || options === undefined) return undefined
  const { value } = decision
  return value._tag === "Json" && options.includes(value.value as string)
    ? undefined
    : ["this is none of the answers", `Answer with one of: ${options.join(", ")}`]
}
