/** Which modules outside of its package a built file loads, directly or through its own pieces. */
import { parse } from "acorn"
import { readFileSync } from "node:fs"

/** Specifiers of all packages that are loaded together with `entry`; what is loaded on demand is not among them. */
export const importsOf = (entry: URL): ReadonlySet<string> => {
  const outside = new Set<string>()
  const visited = new Set<string>()
  const visit = (file: URL): void => {
    if (visited.has(file.href)) return
    visited.add(file.href)
    for (const specifier of specifiersIn(readFileSync(file, "utf8"))) {
      if (specifier.startsWith(".")) visit(new URL(specifier, file))
      else outside.add(specifier)
    }
  }
  visit(entry)
  return outside
}

const specifiersIn = (code: string): ReadonlyArray<string> =>
  parse(code, { ecmaVersion: "latest", sourceType: "module" }).body.flatMap((statement) =>
    "source" in statement && statement.source != null ? [String(statement.source.value)] : []
  )
