import { assert, describe, it } from "vitest"
import { parseTranscript } from "../support/Transcript.ts"

describe("parseTranscript", () => {
  it("tells reasoning, text and code apart", () => {
    const replies = parseTranscript(
      "# Title\n\n## Look\n\n> First think.\n> Then act.\n\nI look.\n\n```ts run\nconst a = 1\n\na\n```\n\n## Done\n\nThat was it.\n"
    )
    assert.deepEqual(replies, [
      { reasoning: "First think.\nThen act.", text: "I look.", code: "const a = 1\n\na" },
      { reasoning: undefined, text: "That was it.", code: undefined }
    ])
  })

  it("refuses a reply with two pieces of code, and one with nothing", () => {
    assert.throws(
      () => parseTranscript("## Both\n```ts run\n1\n```\n```ts run\n2\n```\n"),
      '"Both" has 2 pieces of code'
    )
    assert.throws(() => parseTranscript("## Nothing\n\n> only a thought\n"), '"Nothing" says and does nothing')
  })
})
