/**
 * Events for programs: one JSON object a line. `type` tells them apart: `event` (recorded), `delta` (live only),
 * `outcome` (the last of a run) and `error` (instead of an outcome, where a run could not begin).
 */
import type { Live, Outcome } from "@daylight/core"
import { inspect } from "node:util"
import { describe } from "./Problem.ts"

const kinds = { TextDelta: "text", ReasoningDelta: "reasoning", CodeDelta: "code", OutputDelta: "output" } as const

export const eventLine = (live: Live): string => {
  const { agent, session } = live.origin
  if (live._tag !== "Recorded") return line({ type: "delta", session, agent, kind: kinds[live._tag], text: live.text })
  const { event, seq, time, v } = live.recorded
  return line({ type: "event", session, agent, seq, time, v, event })
}

export const outcomeLine = (session: string, outcome: Outcome<unknown>): string =>
  line({ type: "outcome", session, ...outcome })

export const errorLine = (error: unknown): string => {
  const name = error instanceof Error ? error.name : "Error"
  return line({ type: "error", name, message: describe(error, false) })
}

/** What JSON cannot hold is written as text, so that a line is never lost. */
const line = (value: object): string => {
  try {
    return `${JSON.stringify(value, plain)}\n`
  } catch {
    // A live object with a cycle: shown as Node shows it.
    const shown = Object.entries(value).map(([key, part]) => [key, printable(part)])
    return `${JSON.stringify(Object.fromEntries(shown))}\n`
  }
}

const plain = (_key: string, value: unknown): unknown => typeof value === "bigint" ? `${value}n` : value

const printable = (value: unknown): unknown =>
  typeof value === "object" && value !== null ? inspect(value, { depth: 4 }) : value
