/**
 * Module files of installed packages, each taken as one cell: all must compile after the rewrite, on the same lines.
 */
import { glob, readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import * as vm from "node:vm"
import { describe, expect, it } from "vitest"
import { parseCell } from "../../src/syntax/index.ts"
import { parseProgram } from "../../src/syntax/Parse.ts"
import { Rewrite } from "../../src/syntax/Rewrite.ts"
import { lineTerminators } from "../../src/syntax/Text.ts"
import { Notebook } from "./Notebook.ts"

const root = fileURLToPath(new URL("../../../../node_modules", import.meta.url))
const wanted = 400
const largest = 300_000

/** Every file that has the syntax of a module, a bounded number of them in a fixed order. */
const sample = async (): Promise<ReadonlyArray<readonly [file: string, code: string]>> => {
  const paths: Array<string> = []
  for await (const path of glob("{*,@*/*}/{,*/,*/*/}*.{js,mjs}", { cwd: root })) paths.push(path)
  paths.sort()
  const found: Array<readonly [string, string]> = []
  const stride = Math.max(1, Math.floor(paths.length / (wanted * 3)))
  for (let i = 0; i < paths.length && found.length < wanted; i += stride) {
    const code = await readFile(`${root}/${paths[i]}`, "utf8")
    if (code.length > largest || /^export\b[^;]*\bfrom\b/m.test(code)) continue
    found.push([paths[i]!, code])
  }
  return found
}

const lines = (text: string): number => text.split(/\r\n?|[\n\u2028\u2029]/).length

describe("real modules as cells", () => {
  it("compile, and keep their lines", { timeout: 120_000 }, async () => {
    const failures: Array<string> = []
    let compiled = 0
    for (const [file, code] of await sample()) {
      const parsed = parseCell(code)
      if ("stage" in parsed) { // a script of old may have what no module has
        if (isModule(code)) failures.push(`${file}: ${parsed.message}`)
        continue
      }
      try {
        const texts = [parsed.rewritten, ...parsed.hoisted.map((script) => `'use strict';${script.code}`)]
        compiled += texts.map((text) => new vm.Script(text, { filename: file })).length > 0 ? 1 : 0
      } catch (error) {
        failures.push(`${file}: ${error}`)
      }
      if (lines(parsed.rewritten) !== lines(parsed.javascript) + 2) failures.push(`${file}: lines`)
      failures.push(...misplacedEdits(parsed.javascript).map((what) => `${file}: ${what}`))
    }
    expect(failures).toEqual([])
    expect(compiled).toBeGreaterThanOrEqual(300)
  })

  it("work as before: the parser, run as one cell, reads itself alike", { timeout: 60_000 }, async () => {
    const source = await readFile(`${root}/acorn/dist/acorn.mjs`, "utf8")
    const notebook = new Notebook({ source })
    await notebook.run(source)
    const tree = await notebook.run("JSON.stringify(parse(source, { ecmaVersion: 'latest', sourceType: 'module' }))")
    const { parse } = await import("acorn")
    expect(tree).toBe(JSON.stringify(parse(source, { ecmaVersion: "latest", sourceType: "module" })))
  })
})

/** What is no script must be a module, since it is published. */
const isModule = (code: string): boolean => {
  try {
    return new vm.Script(code).cachedDataRejected === true
  } catch {
    return true
  }
}

const misplacedEdits = (javascript: string): ReadonlyArray<string> => {
  const problems: Array<string> = []
  let position = 0
  for (const { end, start, text } of new Rewrite(javascript, parseProgram(javascript)).edits.list) {
    if (start < position || end < start) problems.push(`edit out of order at ${start}`)
    if (lineTerminators(text) !== lineTerminators(javascript.slice(start, end))) {
      problems.push(`lines changed at ${start}`)
    }
    position = end
  }
  return problems
}
