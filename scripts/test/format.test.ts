import { assert, describe, it } from "vitest"
import { wrapComments } from "../format/Comments.ts"
import { formatText } from "../format/Files.ts"

const wrap = (text: string) => wrapComments("a.ts", text, 30)

describe("comments", () => {
  it("stay as they are when they fit", () => {
    const text = "/** One line. */\nconst a = 1\n/**\n * Short\n * lines.\n */\n// and a note\n"
    assert.strictEqual(wrap(text), text)
  })

  it("of one line are opened and filled", () => {
    assert.strictEqual(
      wrap("  /** What this is for, in more words. */\n"),
      "  /**\n   * What this is for, in more\n   * words.\n   */\n"
    )
  })

  it("keep their paragraphs, lists and code", () => {
    const text = [
      "/**",
      " * First paragraph which is too long.",
      " * It goes on.",
      " *",
      " * - an item that does not fit into a line",
      " * - another",
      " *",
      " * ```ts",
      ' * const code = "that is longer than the limit"',
      " * ```",
      " */"
    ]
    assert.deepStrictEqual(wrap(text.join("\n")).split("\n"), [
      "/**",
      " * First paragraph which is",
      " * too long. It goes on.",
      " *",
      " * - an item that does not fit",
      " *   into a line",
      " * - another",
      ...text.slice(6)
    ])
  })

  it("inside texts are not comments", () => {
    const text =
      "const a = `\n// what a model wrote, longer than the limit\n/** and this is also too long to fit */\n`\n"
    assert.strictEqual(wrap(text), text)
  })
})

describe("code", () => {
  it("is laid out in the house style", () => {
    assert.strictEqual(formatText("a.ts", "const a = {\n    b: 'c',\n};\n"), 'const a = {\n  b: "c"\n}\n')
    assert.strictEqual(
      formatText("a.ts", "const f = function* () { yield 1 }"),
      "const f = function*() {\n  yield 1\n}\n"
    )
  })

  it("is refused when it does not parse", () => {
    assert.throws(() => formatText("a.ts", "const = 1"))
  })
})
