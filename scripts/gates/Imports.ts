/** What each source file imports, read from its syntax tree. Type-only imports are told apart: they vanish when run. */
import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { parseSync } from "vite"
import { within } from "../setup/Repository.mjs"

export interface Import {
  /** Relative to the repository's root. */
  readonly file: string
  readonly line: number
  readonly specifier: string
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

  const describe = (start: number, specifier: string, typeOnly: boolean, lazy: boolean): Import => ({
    file,
    line: text.slice(0, start).split("\n").length,
    specifier,
    typeOnly,
    lazy,
    target: specifier.startsWith(".") ? resolve(file, specifier) : undefined
  })

  const fixed = module.staticImports.map((item) =>
    describe(item.start, item.moduleRequest.value, onlyTypes(item.entries) || isTypeStatement(text, item), false)
  )
  const passedOn = module.staticExports.flatMap((item) => {
    const from = item.entries.find((entry) => entry.moduleRequest !== null)?.moduleRequest
    return from ? [describe(item.start, from.value, onlyTypes(item.entries), false)] : []
  })
  const later = module.dynamicImports.flatMap(({ start, moduleRequest }) => {
    const literal = /^(["'])(.*)\1$/.exec(text.slice(moduleRequest.start, moduleRequest.end))?.[2]
    return literal === undefined ? [] : [describe(start, literal, false, true)]
  })
  return [...fixed, ...passedOn, ...later]
}

/** With `verbatimModuleSyntax`, an import whose names are all types still runs the module unless it says `import type`. */
const onlyTypes = (entries: ReadonlyArray<{ readonly isType: boolean }>) =>
  entries.length > 0 && entries.every((entry) => entry.isType)

const isTypeStatement = (text: string, { start }: { readonly start: number }) => text.startsWith("import type", start)

const resolve = (file: string, specifier: string): string => {
  const target = join(dirname(file), specifier)
  if (existsSync(within(target))) return target
  throw new Error(`${file}: imports ${specifier}, which does not exist`)
}
