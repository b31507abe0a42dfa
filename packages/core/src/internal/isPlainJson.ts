/**
 * True for what JSON keeps as it is: plain objects and arrays of finite numbers, texts, booleans and `null`. A property
 * that is `undefined` counts as absent.
 */
export const isPlainJson = (value: unknown): boolean => {
  switch (typeof value) {
    case "string":
    case "boolean":
      return true
    case "number":
      return Number.isFinite(value)
    case "object":
      return value === null || (Array.isArray(value) ? value.every(isPlainJson) : isPlainRecord(value))
    default:
      return false
  }
}

const isPlainRecord = (value: object): boolean => {
  const prototype = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) return false
  for (const key in value) {
    const property = (value as Record<string, unknown>)[key]
    if (property !== undefined && !isPlainJson(property)) return false
  }
  return true
}
