/** A JSON value with one field changed, for as many fields as are asked for: spread evenly over all there are. */
export interface Change {
  readonly path: string
  readonly value: unknown
}

export const changes = (json: unknown, most = Infinity): ReadonlyArray<Change> => {
  const places: Array<ReadonlyArray<string | number>> = []
  const walk = (value: unknown, path: ReadonlyArray<string | number>) => {
    if (typeof value !== "object" || value === null) return void places.push(path)
    const entries = Array.isArray(value) ? value.map((item, index) => [index, item] as const) : Object.entries(value)
    if (entries.length === 0) places.push(path)
    for (const [key, item] of entries) walk(item, [...path, key])
  }
  walk(json, [])
  const step = Math.max(1, places.length / most)
  return Array.from({ length: Math.min(most, places.length) }, (_, n) => places[Math.floor(n * step)]!).map((path) => ({
    path: path.join("."),
    value: changed(json, path)
  }))
}

const changed = (value: any, path: ReadonlyArray<string | number>): unknown => {
  const [key, ...rest] = path
  if (key === undefined) return other(value)
  if (Array.isArray(value)) return value.map((item, index) => index === key ? changed(item, rest) : item)
  return { ...value, [key]: changed(value[key], rest) }
}

const other = (value: unknown): unknown => {
  switch (typeof value) {
    case "string":
      // Spaces do not count in arguments of a tool call, which are JSON in a text.
      return `${value} ${/^\s*[[{]/.test(value) ? "x" : ""}`
    case "number":
      return value + 1
    case "boolean":
      return !value
    default:
      return "changed"
  }
}
