/** One row for an event that has no view of its own: a sign, what happened, and perhaps more on it. */
import type { Message, Recorded } from "@daylight/core"
import type { Role } from "./Paint.ts"
import { counted, duration, number } from "./Quantity.ts"
import { callText, valueText } from "./ValueText.ts"

export interface Notice {
  readonly sign: string
  readonly role: Role
  readonly text: string
  readonly detail?: string | undefined
}

const notice = (sign: string, role: Role, text: string, detail?: string | undefined): Notice => ({
  sign,
  role,
  text,
  detail
})

/** A notice for a reader who wants to see everything. */
const aside = (verbose: boolean, text: string, detail?: string | undefined): Notice | undefined =>
  verbose ? notice("·", "dim", text, detail) : undefined

/** Text of a user message; media by their type. */
export const userText = (message: typeof Message.cases.User.Type): string =>
  message.content
    .map((part) => part._tag === "Text" ? part.text : `‹${part.blob.mediaType}›`)
    .join(" ")

const nudges: Readonly<Record<string, string>> = {
  repair: "asked to repair the action",
  "near-miss": "asked to use the action format",
  empty: "asked for an answer: the last one was empty",
  stuck: "told that it makes no progress",
  "wrap-up": "asked to answer with what it has",
  "invalid-answer": "asked to repair the answer",
  "before-stop": "told to go on by a gate"
}

const tiers: Readonly<Record<string, string>> = {
  clear: "old results cleared",
  summarise: "history summarised",
  trim: "history trimmed"
}

/** `undefined`: nothing a reader needs to see. With `verbose` only what is shown elsewhere gets no row. */
export const noticeOf = (event: Recorded["event"], verbose: boolean): Notice | undefined => {
  switch (event._tag) {
    case "ModelFailed": {
      const retry = event.retryInMs === undefined ? "" : `, trying again in ${duration(event.retryInMs)}`
      return notice("!", "warn", `${event.reason._tag}${retry}`, event.reason.detail)
    }
    case "Nudged":
      return notice("↻", "warn", nudges[event.why] ?? event.why, verbose ? userText(event.message) : undefined)
    case "ApprovalAsked": {
      const who = event.role ? ` by ${event.role}` : ""
      return notice("?", "warn", `${callText(event, 80)} needs approval${who}`, event.why)
    }
    case "ApprovalDecided":
      return decided(event)
    case "EffectSettled": {
      const what = `the call of unknown outcome ${event.happened ? "happened" : "did not happen"}`
      return notice("✓", "good", `${event.by}: ${what}`, event.value && valueText(event.value, 80))
    }
    case "SkillActivated":
      return notice("✦", "accent", `skill ${event.skill}`)
    case "Compacted": {
      const sizes = `${number(event.before)} → ${counted(event.after, "token")}`
      return notice("≡", "dim", tiers[event.tier] ?? event.tier, sizes)
    }
    case "LimitWarned":
      return notice("!", "warn", `${event.unit}: ${number(event.used)} of ${number(event.limit)} used`)
    case "RunContinued":
      return notice("▶", "accent", "continues")
    case "Recovered":
      return recovered(event)
    case "VariableSet":
      return notice("←", "accent", `${event.name} set`, valueText(event.value, 80))
    case "SessionOpened": {
      const from = event.forkedFrom && `forked from ${event.forkedFrom.session}`
      return aside(verbose, `session of ${event.agent}`, from)
    }
    case "NamespaceSaved":
      return aside(verbose, `variables saved after cell ${event.cell}`)
    case "TimerFired":
      return aside(verbose, `timer ${event.ordinal} of cell ${event.cell} fired`)
    case "CallbackCalled":
      return aside(verbose, `callback ${event.callback} of cell ${event.cell} called`)
    case "Unknown":
      return notice("·", "dim", `event of a newer version: ${tagOf(event.raw)}`)
    default:
      return aside(verbose, event._tag)
  }
}

const decided = (event: Extract<Recorded["event"], { readonly _tag: "ApprovalDecided" }>): Notice => {
  const { by, decision } = event
  switch (decision._tag) {
    case "Allow": {
      const scope = decision.scope === "session" ? "for this session" : "once"
      return notice("✓", "good", `allowed ${scope} by ${by}`, decision.args && "with other arguments")
    }
    case "Deny":
      return notice("✗", "bad", `denied by ${by}`, decision.why)
    case "Answer":
      return notice("✓", "good", `answered by ${by}`, valueText(decision.value, 80))
  }
}

const recovered = (event: Extract<Recorded["event"], { readonly _tag: "Recovered" }>): Notice => {
  const { added, lost } = event.restored
  const parts = [
    ...(added.length > 0 ? [counted(added.length, "variable") + " restored"] : []),
    ...(event.reexecuted.length > 0 ? [counted(event.reexecuted.length, "cell") + " run again"] : []),
    ...(lost.length > 0 ? [`lost: ${lost.map(({ name }) => name).join(", ")}`] : []),
    ...(event.unknown.length > 0 ? [counted(event.unknown.length, "call") + " of unknown outcome"] : [])
  ]
  return notice("↺", lost.length + event.unknown.length > 0 ? "warn" : "good", "recovered", parts.join(", "))
}

const tagOf = (raw: unknown): string =>
  typeof raw === "object" && raw !== null && "_tag" in raw ? String(raw._tag) : "without a tag"
