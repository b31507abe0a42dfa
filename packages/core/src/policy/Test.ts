/**
 * Tests of arguments, as data.
 */

/** A value stands for itself; an object of tests holds if all of them do. */
export type Test =
  | string
  | number
  | boolean
  | null
  | {
    readonly in?: ReadonlyArray<unknown> | undefined
    readonly notIn?: ReadonlyArray<unknown> | undefined
    readonly above?: number | undefined
    readonly atLeast?: number | undefined
    readonly below?: number | undefined
    readonly atMost?: number | undefined
    /** A regular expression that the text must match somewhere. */
    readonly matches?: string | RegExp | undefined
    readonly present?: boolean | undefined
  }

/** What is at a place such as `0.items.1`: own properties only. */
export const valueAt = (args: ReadonlyArray<unknown>, place: string): unknown => {
  let value: unknown = args
  for (const key of place.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Readonly<Record<string, unknown>>)[key]
  }
  return value
}

/** A number test does not hold for what is no number, nor a pattern for what is no text. */
export const holds = (test: Test, value: unknown): boolean => {
  if (typeof test !== "object" || test === null) return Object.is(test, value)
  const { above, atLeast, atMost, below, in: among, matches, notIn, present } = test
  return (among === undefined || among.includes(value)) &&
    (notIn === undefined || !notIn.includes(value)) &&
    (above === undefined || isNumber(value) && value > above) &&
    (atLeast === undefined || isNumber(value) && value >= atLeast) &&
    (below === undefined || isNumber(value) && value < below) &&
    (atMost === undefined || isNumber(value) && value <= atMost) &&
    (matches === undefined || typeof value === "string" && new RegExp(matches).test(value)) &&
    (present === undefined || (value !== undefined) === present)
}

const isNumber = (value: unknown): value is number | bigint =>
  typeof value === "bigint" || typeof value === "number" && !Number.isNaN(value)
