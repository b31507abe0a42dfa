/** Times and spans of time as a person types them. */
import * as ExitCode from "../ExitCode.ts"
import { Problem } from "../Problem.ts"

const units: ReadonlyArray<readonly [names: RegExp, ms: number]> = [
  [/^(s|secs?|seconds?)$/, 1_000],
  [/^(m|mins?|minutes?)$/, 60_000],
  [/^(h|hours?)$/, 3_600_000],
  [/^(d|days?)$/, 86_400_000],
  [/^(w|weeks?)$/, 604_800_000]
]

/** `90s`, `12 hours`, `30d` in milliseconds. */
export const parseSpan = (flag: string, text: string): number => {
  const span = spanOf(text)
  if (span !== undefined) return span
  throw wrong(flag, text, "is no span of time", 'Write a number and a unit, such as 12h or "30 days".')
}

/** A date or time (`2026-11-30`, `2026-11-30T08:00Z`), or how long ago it was, in epoch milliseconds. */
export const parseMoment = (flag: string, text: string, now: number = Date.now()): number => {
  const span = spanOf(text)
  const moment = span === undefined ? Date.parse(text) : now - span
  if (!Number.isNaN(moment)) return moment
  throw wrong(flag, text, "is no time", "Write a date such as 2026-11-30, or how long ago, such as 12h.")
}

/** `2026-11-30 08:00`, in the time zone of the machine. */
export const shownTime = (at: number): string => {
  const date = new Date(at)
  const two = (n: number) => String(n).padStart(2, "0")
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}`
}

const spanOf = (text: string): number | undefined => {
  const [, amount, unit] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text) ?? []
  const ms = units.find(([names]) => names.test(unit?.toLowerCase() ?? ""))?.[1]
  return ms === undefined ? undefined : Number(amount) * ms
}

const wrong = (flag: string, text: string, problem: string, remedy: string): Problem =>
  new Problem(`${flag} ${text}`, problem, remedy, ExitCode.usage)
