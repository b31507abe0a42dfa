/** No module needs itself to be loaded. Imports of types alone and `import(…)` do not count: neither runs on load. */
import { join } from "node:path"
import type { Gate } from "./Gate.ts"
import { importsOf } from "./Imports.ts"
import { libraries, sources } from "./Workspaces.ts"

/** The circles of a graph, each as the nodes along it; one circle for each edge that closes one. */
export const findCycles = (graph: ReadonlyMap<string, ReadonlyArray<string>>): ReadonlyArray<ReadonlyArray<string>> => {
  const cycles: Array<ReadonlyArray<string>> = []
  const finished = new Set<string>()
  const path: Array<string> = []

  const visit = (node: string): void => {
    const seen = path.indexOf(node)
    if (seen >= 0) {
      cycles.push([...path.slice(seen), node])
      return
    }
    if (finished.has(node)) return
    path.push(node)
    for (const next of graph.get(node) ?? []) visit(next)
    path.pop()
    finished.add(node)
  }

  for (const node of graph.keys()) visit(node)
  return cycles
}

export const cycles: Gate = {
  name: "circular imports",
  run: async () => {
    const files = libraries.flatMap(({ folder }) => sources(join(folder, "src")))
    const graph = new Map(files.map((file) => [
      file,
      importsOf(file).filter((item) => !item.typeOnly && !item.lazy).flatMap(({ target }) => target ?? [])
    ]))
    return {
      detail: `${files.length} files`,
      problems: findCycles(graph).map((cycle) =>
        `${cycle.join("\n  → ")}\n  move what both need into a file of its own, or import only the type`
      )
    }
  }
}
