/**
 * Paths as a cell writes them, followed from a binding: `db`, `shop.items.get("a")`, `rows[0].owner`.
 */
import { types } from "node:util"
import { reachable } from "./HostObjects.ts"

const step =
  /\.get\(("(?:[^"\\]|\\.)*"|-?[\d.]+)\)|\.([\p{ID_Start}$_][\p{ID_Continue}$]*)|\[(\d+|"(?:[^"\\]|\\.)*")\]/uy

/** Where a path begins: the name of a binding, or an import. */
export const rootOf = (path: string): string =>
  /^import\("(?:[^"\\]|\\.)*"\)|^[\p{ID_Start}$_][\p{ID_Continue}$]*/u.exec(path)?.[0] ?? ""

/** The module that a path begins with, if it does. */
export const moduleOf = (path: string): string | undefined => {
  const specifier = /^import\(("(?:[^"\\]|\\.)*")\)/.exec(path)?.[1]
  return specifier === undefined ? undefined : JSON.parse(specifier) as string
}

/** What is there now; nothing where the way has gone. */
export const follow = (root: unknown, path: string): unknown => {
  let value = root
  step.lastIndex = rootOf(path).length
  while (step.lastIndex < path.length) {
    const [, key, name, index] = step.exec(path) ?? []
    if (key !== undefined) value = types.isMap(value) ? value.get(JSON.parse(key)) : undefined
    else {
      const property = name ?? (index === undefined ? undefined : String(JSON.parse(index)))
      if ((typeof value !== "object" && typeof value !== "function") || value === null) return undefined
      if (property === undefined || !reachable(value, property)) return undefined
      value = (value as Record<string, unknown>)[property]
    }
  }
  return value
}
