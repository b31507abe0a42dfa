/** What each source file imports, read from its syntax tree. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync } from "vite"
import { within } from "../setup/Repository.mjs"

export interface Import {
  /** Relative to the repository's root. */
  readonly file: string
  readonly line: number
  readonly specifier: string
  /** `import type` and `export type`: gone when run. An `import { type A }` still loads the module. */
  readonly typeOnly: boolean
  /** Inside `import(…)`: it runs later, if at all. */
  readonly lazy: boolean
  /** The file that a relative specifier leads to. */
  readonly target: string | undefined
}

/** The imports of one file. Throws if the file does not parse or a relative import leads nowhere. */
export const importsOf = (file: string): ReadonlyArray<Import> => {
  const text = readFileSync(within(file), "utf8")
  const { module, errors } = parseSync(file, text)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)

  const describe = (start: number, specifier: string, lazy: boolean): Import => ({
    file,
    line: text.slice(0, start).split("\n").length,
    specifier,
    typeOnly: /^(import|export) type\b/.test(text.slice(start, start + 12)),
    lazy,
    target: specifier.startsWith(".") ? resolve(file, specifier) : undefined
  })

  const fixed = module.staticImports.map(({ moduleRequest, start }) => describe(start, moduleRequest.value, false))
  const passedOn = module.staticExports.flatMap(({ entries, start }) => {
    const from = entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest
    return from ? [describe(start, from.value, false)] : []
  })
  const later = module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const literal = /^(["'])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2]
    return literal === undefined ? [] : [describe(start, literal, true)]
  })
  return [...fixed, ...passedOn, ...later]
}

/** The specifiers that a text imports when it is loaded. */
export const importsIn = (code: string): ReadonlyArray<string> =>
  parseSync("example.ts", code).module.staticImports.map(({ moduleRequest }) => moduleRequest.value)

const resolve = (file: string, specifier: string): string => {
  const target = join(dirname(file), specifier)
  if (existsSync(within(target))) return target
  throw new Error(`${file}: imports ${specifier}, which does not exist`)
}
