import * as Effect from "effect/Effect"
import type { Approvals, Decided, Decision, PendingApproval } from "../Approvals.ts"

type Answer = boolean | string | Decision | Decided

/** Answers at once, or later. */
export type Answering = (pending: PendingApproval) => Answer | Promise<Answer>

/** A rejection is a defect, which denies. */
export const makeCallback = (answer: Answering): Approvals => ({
  ask: (pending) => Effect.map(Effect.promise(async () => answer(pending)), (answer) => decidedOf(answer, pending))
})

const by = "callback"

const decidedOf = (answer: Answer, { question, role }: PendingApproval): Decided => {
  if (typeof answer === "object") {
    return "decision" in answer ? answer : { decision: answer, by, ...(role !== undefined && { roles: [role] }) }
  }
  return { decision: decisionOf(answer, question !== undefined), by, ...(role !== undefined && { roles: [role] }) }
}

const decisionOf = (answer: boolean | string, toQuestion: boolean): Decision => {
  if (typeof answer === "string") {
    return toQuestion
      ? { _tag: "Answer", value: { _tag: "Json", value: answer } }
      : { _tag: "Deny", why: answer }
  }
  if (!answer) return { _tag: "Deny", why: "it was not allowed" }
  return toQuestion
    ? { _tag: "Answer", value: { _tag: "Json", value: true } }
    : { _tag: "Allow", scope: "once" }
}
