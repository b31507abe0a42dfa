/** Numbers with their units, short enough for one line. */

/** Milliseconds for people: `3 ms`, `2.5 s`, `1 min 5 s`. */
export const duration = (ms: number): string => {
  if (ms < 1) return "<1 ms"
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${Math.round(ms / 100) / 10} s`
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

/** `1 step`, `1,200 tokens`. */
export const counted = (n: number, noun: string): string => `${number(n)} ${noun}${n === 1 ? "" : "s"}`

export const number = (n: number): string => n.toLocaleString("en-US")

/** Bytes: `512 B`, `12.3 kB`, `4 MB`. */
export const bytes = (n: number): string => {
  if (n < 1000) return `${n} B`
  const [value, unit] = n < 999_950 ? [n / 1000, "kB"] : n < 999_950_000 ? [n / 1e6, "MB"] : [n / 1e9, "GB"]
  return `${Math.round(value * 10) / 10} ${unit}`
}

/** US dollars with the digits that matter. */
export const dollars = (usd: number): string => `$${usd >= 1 || usd === 0 ? usd.toFixed(2) : usd.toPrecision(2)}`
