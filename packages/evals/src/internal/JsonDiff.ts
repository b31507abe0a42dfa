/**
 * Where two JSON values differ, by JSON path, in the order of the first of them.
 */

/** One place. `undefined` on a side: there is nothing there. */
export interface Difference {
  /** As in `$.messages[2].content[0].text`. */
  readonly path: string
  readonly expected: unknown
  readonly came: unknown
}

/** At most `most` differences (default 20): the first ones. */
export const jsonDiff = (expected: unknown, came: unknown, most = 20): ReadonlyArray<Difference> => {
  const found: Array<Difference> = []
  compare(expected, came, "$", found, most)
  return found
}

const compare = (a: unknown, b: unknown, path: string, found: Array<Difference>, most: number): void => {
  if (found.length >= most || Object.is(a, b)) return
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i++) compare(a[i], b[i], `${path}[${i}]`, found, most)
    return
  }
  if (isRecord(a) && isRecord(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      compare(a[key], b[key], path + member(key), found, most)
    }
    return
  }
  if (a !== b) found.push({ path, expected: a, came: b })
}

export const member = (key: string): string =>
  /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** One line for one difference; of long texts the part around the first character that differs. */
export const differenceLine = ({ came, expected, path }: Difference): string => {
  if (typeof expected === "string" && typeof came === "string") {
    const at = firstDifference(expected, came)
    return `${path}, character ${at}: recorded ${around(expected, at)}, came ${around(came, at)}`
  }
  return `${path}: recorded ${short(expected)}, came ${short(came)}`
}

const firstDifference = (a: string, b: string): number => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

const before = 24
const after = 40

const around = (text: string, at: number): string => {
  const from = Math.max(0, at - before)
  const to = Math.min(text.length, at + after)
  return JSON.stringify(`${from > 0 ? "…" : ""}${text.slice(from, to).toWellFormed()}${to < text.length ? "…" : ""}`)
}

const short = (value: unknown): string => {
  if (value === undefined) return "nothing"
  const text = JSON.stringify(value)
  return text.length <= 120 ? text : `${text.slice(0, 120).toWellFormed()}…`
}
