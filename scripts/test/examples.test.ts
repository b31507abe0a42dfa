import { assert, describe, it } from "vitest"
import { examplesOf, withAssertions } from "../docs/Example.ts"
import { fencesOf } from "../docs/Fences.ts"
import { capture } from "../setup/Command.mjs"
import { node } from "../setup/Repository.mjs"

const run = (code: string) => capture(node, ["--input-type=module-typescript", "--eval", withAssertions(code)])

describe("fences", () => {
  it("are found with their place, also in lists and in longer fences", () => {
    const text = ["a", "```ts", "1", "```", "- b", "  ````md", "  ```js", "  ```", "  ````"].join("\n")
    assert.deepStrictEqual(fencesOf("a.md", text), [
      { file: "a.md", line: 3, info: "ts", code: "1" },
      { file: "a.md", line: 7, info: "md", code: "```js\n```" }
    ])
  })

  it("are closed", () => {
    assert.throws(() => fencesOf("a.md", "x\n```ts\n1\n"), "a.md:2: this code fence is never closed")
  })

  it("are examples when they are TypeScript that stands alone", () => {
    const text = ["ts", "sh", "ts no-run", "ts fragment"].map((info) => `\`\`\`${info}\n\`\`\``).join("\n")
    const found = examplesOf(fencesOf("a.md", text)).map(({ fence, runs }) => [fence.info, runs])
    assert.deepStrictEqual(found, [["ts", true], ["ts no-run", false]])
  })
})

describe("comments as assertions", () => {
  const examples: ReadonlyArray<readonly [code: string, value: "true" | "false"]> = [
    ["1 + 1 // => 2", "true"],
    ["1 + 1 // => 3", "false"],
    ["const a: number = 5 // => 5", "true"],
    ["const a: number = 5 // => 6", "false"],
    ["console.log([1, { a: 2 }]) // => [1, { a: 2 }]", "true"],
    ["console.log([1, { a: 2 }]) // => [1, { a: 3 }]", "false"],
    ['await Promise.resolve("x") // => "x"', "true"],
    ['await Promise.resolve("x") // => x', "true"],
    ['await Promise.resolve("x") // => y', "false"],
    ["new Map([[1, 2]]) // => Map(1) { 1 => 2 }", "true"],
    ["if (true) [1, 2]\n  .map((n) => n * 2) // => [2, 4]", "true"],
    ["if (true) { [1].map((n) => n * 2) // => [1]\n}", "false"]
  ]
  for (const [code, value] of examples) {
    it(`${JSON.stringify(code)} is ${value}`, async () => {
      const { code: exit, output } = await run(code)
      assert.strictEqual(exit === 0 ? "true" : "false", value, output)
      if (exit !== 0) assert.include(output, "the documentation says")
    })
  }

  it("keep every line where it was", () => {
    const code = "const a = 1\n\na // => 1\nconst b = 2 // => 2\n"
    const lines = withAssertions(code).split("\n")
    assert.deepStrictEqual([lines[0], lines[1], lines[4]], ["const a = 1", "", ""])
  })

  it("follow something that has a value", () => {
    assert.throws(() => withAssertions("// => 1"), "does not follow a value")
    assert.throws(() => withAssertions("const { a } = { a: 1 } // => 1"), "one name")
  })
})
