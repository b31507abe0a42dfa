import { type ParsedCell, Platform, Security } from "@daylight/core"
import { parseCell } from "@daylight/core/syntax"
import { assert, describe, it } from "vitest"
import { allowed } from "./allowed.ts"
import { caught } from "./caught.ts"

const bound = new Set(["add", "db", "tools", "rows"])

const parsed = (code: string): ParsedCell => {
  const cell = parseCell(code, Platform.defaultValue().strip)
  if ("stage" in cell) assert.fail(`${cell.message} in: ${code}`)
  return cell
}

const rulesOf = (code: string, security = Security.standard): ReadonlyArray<string> =>
  security.check(parsed(code), bound).map(({ message }) => /\(rule (\w+)\)$/.exec(message)?.[1] ?? message)

describe("the standard rules", () => {
  it("are held against a hundred snippets at least, about half of which are to be caught", () => {
    assert.isAtLeast(caught.length + allowed.length, 100)
    assert.isAtLeast(Math.min(caught.length, allowed.length), 50)
    assert.isBelow(Math.abs(caught.length - allowed.length) / (caught.length + allowed.length), 0.2)
  })

  it.each(caught)("%s: %s", (rule, code) => {
    assert.include(rulesOf(code), rule)
    assert.include(rulesOf(code, Security.strict), rule, "strict")
  })

  it.each(allowed)("allowed: %s", (code) => {
    assert.deepEqual(rulesOf(code), [])
  })
})
