import { assert, describe, it } from "@effect/vitest"
import { Output } from "../../src/node/Output.ts"

describe("Output", () => {
  it("keeps what fits, in order", () => {
    const output = new Output(100)
    output.write("a\n")
    output.write("b\n")
    assert.strictEqual(output.text(), "a\nb\n")
  })

  it("says how much did not fit", () => {
    const output = new Output(5)
    output.write("abc\n")
    output.write("defg\n")
    output.write("h\n")
    assert.isTrue(output.full)
    assert.strictEqual(output.text(), "abc\nd\n[output limit of 5 bytes reached: 2 writes cut or dropped]\n")
  })

  it("never cuts a character in two", () => {
    for (let budget = 1; budget < 12; budget++) {
      const output = new Output(budget)
      output.write("aä€😀b😀")
      assert.isTrue(output.text().isWellFormed(), `budget ${budget}`)
      assert.notInclude(output.text(), "\ufffd")
    }
  })
})
