/** Host calls of one cell: a row each, the rest counted, failures never left out before the count. */
import type { Event } from "@daylight/core"
import { type Span, span } from "./Paint.ts"
import { counted, duration } from "./Quantity.ts"
import type { Rows } from "./Rows.ts"
import { safe } from "./Safe.ts"
import { callText, valueText } from "./ValueText.ts"

type Started = Extract<Event, { readonly _tag: "CallStarted" }>
type Ended = Extract<Event, { readonly _tag: "CallEnded" }>
type Refused = Extract<Event, { readonly _tag: "CallRefused" }>

/** Rows for calls that went well, and for calls that did not, before they are only counted. */
const maxRows = 8

export class CallRows {
  readonly #rows: Rows
  readonly #pending = new Map<number, { readonly call: Started; readonly time: number; readonly announced: boolean }>()
  #good = 0
  #bad = 0

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /** The longest running call that has not ended. */
  get running(): string | undefined {
    for (const { call } of this.#pending.values()) return callText(call, 40)
    return undefined
  }

  /**
   * A run of a child is announced, since its own rows follow, with its prompt; any other call gets its row when it
   * ended.
   */
  started(call: Started, time: number): void {
    const announced = call.child !== undefined
    this.#pending.set(call.ordinal, { call, time, announced })
    if (announced) this.#rows.noted("→", "accent", [span(call.path)])
  }

  ended(end: Ended, time: number): void {
    const pending = this.#pending.get(end.ordinal)
    this.#pending.delete(end.ordinal)
    const failed = end.status !== "completed"
    if (this.#isOver(failed)) return
    const took = pending ? [span(`  ${duration(Math.max(0, time - pending.time))}`, "dim")] : []
    const columns = this.#rows.columns
    const name = pending
      ? pending.announced ? safe(pending.call.path) : callText(pending.call, Math.floor(columns * 0.6))
      : `call ${end.ordinal}`
    if (failed) return this.#rows.noted("✗", "bad", [span(name), ...took, span(`  ${failure(end)}`, "bad")])
    const value = result(end, columns - name.length - 12)
    this.#rows.noted(pending?.announced ? "←" : "→", "accent", [span(name), ...took, ...value])
  }

  refused(call: Refused): void {
    if (this.#isOver(true)) return
    const text = callText(call, Math.floor(this.#rows.columns * 0.6))
    this.#rows.noted("✗", "bad", [span(text), span(`  ${refusal(call)}`, "bad")])
  }

  /** Says how many calls got no row, and which never ended. */
  end(): void {
    for (const { call } of this.#pending.values()) {
      this.#rows.noted("?", "warn", [span(callText(call, 80)), span("  did not end", "warn")])
    }
    this.#pending.clear()
    const good = Math.max(0, this.#good - maxRows)
    const bad = Math.max(0, this.#bad - maxRows)
    if (good + bad === 0) return
    const failed = bad > 0 ? `, ${bad} of them failed` : ""
    this.#rows.noted("…", "dim", [span(`and ${counted(good + bad, "more call")}${failed}`, "dim")])
  }

  #isOver(failed: boolean): boolean {
    return failed ? ++this.#bad > maxRows : ++this.#good > maxRows
  }
}

const failure = (end: Ended): string => {
  if (end.status === "unknown") return "nobody knows whether it happened"
  return end.error ? `${end.error.name}: ${end.error.message}` : "failed"
}

const result = (end: Ended, columns: number): ReadonlyArray<Span> => {
  if (end.value === undefined || end.value._tag === "Json" && end.value.value === null) return []
  return [span(`  ${valueText(end.value, Math.max(16, columns))}`, "dim")]
}

const refusal = ({ by, reason }: Refused): string => {
  switch (reason._tag) {
    case "InvalidArguments":
    case "InvalidResult":
      return `refused: ${reason.problem}`
    case "Denied":
      return `denied by ${reason.by}: ${reason.why}`
    case "Expired":
      return "expired: nobody decided in time"
    case "OverBudget":
      return `refused: no ${reason.unit} left`
    default:
      return `refused by ${by}: ${reason._tag}`
  }
}
