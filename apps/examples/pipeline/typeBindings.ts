/** Shows the agents the very text of `Tables.ts`, one binding an interface. */
import { Binding } from "@daylight/core"
import { readFileSync } from "node:fs"

const DECLARATION = /(?:\/\*\*(?:(?!\*\/)[^])*\*\/\n)?export (interface (\w+)[^]*?\n\})/g

export const typeBindings = (...names: ReadonlyArray<string>): Array<Binding> => {
  const source = readFileSync(new URL("Tables.ts", import.meta.url), "utf8")
  const declared = new Map(
    [...source.matchAll(DECLARATION)].map(([text, , name]) => [name!, text.replace("export interface", "interface")])
  )
  return names.map((name) => {
    const declaration = declared.get(name)
    if (declaration === undefined) {
      throw new RangeError(`Tables.ts has no interface ${name}; it has ${[...declared.keys()].join(", ")}`)
    }
    return Binding.type(declaration, { name })
  })
}
