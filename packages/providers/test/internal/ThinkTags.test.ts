import { assert, describe, it } from "@effect/vitest"
import * as ThinkTags from "../../src/internal/ThinkTags.ts"

const split = (pieces: ReadonlyArray<string>, implied = false) => {
  let thought = "", said = ""
  const tags = ThinkTags.make(implied)
  const onThought = (text: string) => void (thought += text)
  const onSaid = (text: string) => void (said += text)
  for (const piece of pieces) tags.push(piece, onThought, onSaid)
  tags.end(onThought, onSaid)
  return { thought, said }
}

const texts = [
  ["<think>a</think>b", false],
  ["  \n<think>\na < b </thin </think>\n\nb <think>c</think>", false],
  ["no tags at all", false],
  ["<thin air> is text", false],
  ["<", false],
  ["<think>never closed </thi", false],
  ["a</think>b", true],
  ["", false]
] as const

describe("think tags", () => {
  it("give the same for every way of cutting the text", () => {
    for (const [text, implied] of texts) {
      const whole = split([text], implied)
      assert.deepStrictEqual(split([...text], implied), whole, text)
      for (let at = 0; at <= text.length; at++) {
        assert.deepStrictEqual(split([text.slice(0, at), text.slice(at)], implied), whole, `${text} at ${at}`)
      }
    }
  })

  it("lose nothing but the tags and the blanks around them", () => {
    assert.deepStrictEqual(split(["<think>a</think>b"]), { thought: "a", said: "b" })
    assert.deepStrictEqual(split([texts[1][0]]), { thought: "\na < b </thin ", said: "b <think>c</think>" })
    assert.deepStrictEqual(split(["<thin air> is text"]), { thought: "", said: "<thin air> is text" })
    assert.deepStrictEqual(split(["<think>never closed </thi"]), { thought: "never closed </thi", said: "" })
    assert.deepStrictEqual(split(["<"]), { thought: "", said: "<" })
  })
})
