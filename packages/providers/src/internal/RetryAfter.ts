/**
 * How long a provider asks to wait: the headers first, then what some of them only say in the body or the text.
 */

/** Headers of whichever shape an SDK hands out. */
export type HeadersLike = { readonly get: (name: string) => string | null } | Readonly<Record<string, string>>

export const header = (headers: HeadersLike | undefined, name: string): string | undefined => {
  if (headers === undefined) return undefined
  if (typeof headers.get === "function") return (headers.get as (name: string) => string | null)(name) ?? undefined
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() === name && typeof value === "string") return value
  }
  return undefined
}

/**
 * Milliseconds to wait, or `undefined` where nothing usable is said. `now` in epoch milliseconds turns a date into a
 * wait.
 */
export const retryAfterMs = (headers: HeadersLike | undefined, text: string, now: number): number | undefined =>
  fromMilliseconds(header(headers, "retry-after-ms"))
    ?? fromHeader(header(headers, "retry-after"), now)
    ?? fromText(text)

const wait = (ms: number) => Number.isFinite(ms) ? Math.max(0, Math.round(ms)) : undefined

const fromMilliseconds = (value: string | undefined) => {
  const ms = value === undefined || value.trim() === "" ? NaN : Number(value)
  return ms >= 0 ? wait(ms) : undefined
}

const fromHeader = (value: string | undefined, now: number) => {
  if (value === undefined || value.trim() === "") return undefined
  const seconds = Number(value)
  if (!Number.isNaN(seconds)) return seconds >= 0 ? wait(seconds * 1000) : undefined
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : wait(date - now)
}

const unit: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }

/** Google puts `"retryDelay": "37s"` in the body, OpenAI "Please try again in 1m3.2s" in the message. */
const fromText = (text: string) => {
  const said = /(?:"retryDelay"\s*:\s*"|(?:try again|retry) in )((?:\d+(?:\.\d+)?(?:ms|s|m|h))+)/i.exec(text)?.[1]
  if (said === undefined) return undefined
  let ms = 0
  for (const [, amount, name] of said.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/gi)) {
    ms += Number(amount) * unit[name!.toLowerCase()]!
  }
  return wait(ms)
}
