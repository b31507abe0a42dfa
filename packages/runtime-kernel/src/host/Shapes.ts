/**
 * What a message has to look like: plain predicates, since each cell passes several of them and a schema would cost as
 * much as the rest of its way.
 */
export type Shape = (value: unknown) => boolean

export const text: Shape = (value) => typeof value === "string"

export const finite: Shape = (value) => Number.isFinite(value)

export const whole: Shape = (value) => Number.isInteger(value)

export const object: Shape = (value) => typeof value === "object" && value !== null

export const optional = (shape: Shape): Shape => (value) => value === undefined || shape(value)

export const oneOf = (...values: ReadonlyArray<unknown>): Shape => (value) => values.includes(value)

export const listOf = (shape: Shape): Shape => (value) => Array.isArray(value) && value.every(shape)

export const pairOf = (first: Shape, second: Shape): Shape => (value) =>
  Array.isArray(value) && value.length === 2 && first(value[0]) && second(value[1])

export const recordOf = (shape: Shape): Shape => (value) =>
  object(value) && !Array.isArray(value) && Object.values(value as object).every(shape)

/** All fields of `A`. */
export const fieldsOf = <A extends object>(shapes: { readonly [Key in keyof Required<A>]: Shape }): Shape => {
  const entries = Object.entries<Shape>(shapes)
  return (value) => object(value) && entries.every(([key, shape]) => shape((value as Record<string, unknown>)[key]))
}
