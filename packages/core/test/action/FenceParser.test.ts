import { describe, expect, it } from "vitest"
import { type FenceFormat, FenceParser, type FenceResult } from "../../src/action/FenceParser.ts"
import { corpus } from "./corpus.ts"

interface Parsed {
  readonly result: FenceResult
  readonly text: string
  readonly code: string
}

const parse = (format: FenceFormat, chunks: Iterable<string>): Parsed => {
  const parser = new FenceParser(format)
  let text = ""
  let code = ""
  let isComplete = false
  for (const chunk of chunks) {
    const delta = parser.push(chunk)
    expect(isComplete && delta.text + delta.code !== "").toBe(false)
    text += delta.text
    code += delta.code
    isComplete = delta.complete
  }
  const rest = parser.end()
  return { result: parser.result, text: text + rest.text, code: code + rest.code }
}

/** A generator that can be repeated from its seed (mulberry32). */
const randomFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = state + 0x6d2b79f5 | 0
    let mixed = Math.imul(state ^ state >>> 15, 1 | state)
    mixed = mixed + Math.imul(mixed ^ mixed >>> 7, 61 | mixed) ^ mixed
    return ((mixed ^ mixed >>> 14) >>> 0) % below
  }
}

const cut = (text: string, random: (below: number) => number, longest: number): ReadonlyArray<string> => {
  const chunks: Array<string> = []
  for (let at = 0; at < text.length;) {
    const size = 1 + random(longest)
    chunks.push(text.slice(at, at + size))
    at += size
  }
  return chunks
}

/** All UTF-16 units, so that pairs are cut as well. */
const units = (text: string): ReadonlyArray<string> => Array.from({ length: text.length }, (_, i) => text[i]!)

const cuts = (text: string, seed: number): ReadonlyArray<ReadonlyArray<string>> => {
  const random = randomFrom(seed)
  return [[text], units(text), cut(text, random, 3), cut(text, random, 20), [text, ""], ["", text]]
}

/** Nothing is lost, nothing changes its place. */
const checkWhole = (input: string, { code, result, text }: Parsed): void => {
  expect(text).toBe(result.text)
  if (result._tag === "None" || result._tag === "NearMiss") {
    expect(text).toBe(input)
    expect(code).toBe("")
    return
  }
  expect(input.startsWith(text)).toBe(true)
  // More was shown as code than is run only where a literal was never closed.
  expect(code.startsWith(result.code)).toBe(true)
  const places = subsequence(code, input.slice(text.length))
  expect(places).toBe(true)
}

/** Whether `part` is `whole` with some characters left out (the fences, and the indent of a block). */
const subsequence = (part: string, whole: string): boolean => {
  let at = 0
  for (const char of part) {
    at = whole.indexOf(char, at) + 1
    if (at === 0) return false
  }
  return true
}

describe("hard texts", () => {
  for (const { expected, format = "fence", input, title } of corpus) {
    it(title, () => {
      const wanted = { text: input, ...expected }
      for (const chunks of cuts(input, 7)) {
        const parsed = parse(format, chunks)
        expect(parsed.result).toEqual(wanted)
        checkWhole(input, parsed)
      }
    })
  }

  it("are many, each with a title of its own", () => {
    expect(corpus.length).toBeGreaterThanOrEqual(100)
    expect(new Set(corpus.map(({ title }) => title)).size).toBe(corpus.length)
  })
})

const pieces = [
  "```",
  "```",
  "````",
  "~~~",
  "`",
  "``",
  "ts run",
  "js run",
  "ts",
  "run",
  "python run",
  "\n",
  "\n",
  "\n",
  "\r\n",
  "\r",
  " ",
  "   ",
  "    ",
  "\t",
  "- ",
  "1. ",
  "\\",
  '"',
  "'",
  "/",
  "*",
  "/*",
  "*/",
  "//",
  "${",
  "{",
  "}",
  "(",
  ")",
  "[",
  "]",
  "foo",
  "return ",
  "1",
  "😀",
  "é",
  "日本",
  "\u2028",
  "<execute>",
  "</execute>",
  "<exec",
  "<Execute>",
  "</Execute>",
  ">",
  "```ts run\n",
  "```ts run\n",
  "\n```\n",
  "\n```\n",
  "  ```js run\n  ",
  "Text.\n",
  "const a = `",
  "`\n"
]

describe("any text", () => {
  const random = randomFrom(20_261)
  const texts = Array.from(
    { length: 1_500 },
    () => Array.from({ length: 1 + random(24) }, () => pieces[random(pieces.length)]!).join("")
  )

  it.each<readonly [string, FenceFormat]>([
    ["fences", "fence"],
    ["tags", { open: "<execute>", close: "</execute>" }]
  ])("gives the same, however it is cut, and nothing is lost: %s", (_, format) => {
    const found = { Block: 0, Unterminated: 0, NearMiss: 0, None: 0 }
    for (const [seed, text] of texts.entries()) {
      const whole = parse(format, [text])
      checkWhole(text, whole)
      found[whole.result._tag]++
      for (const chunks of cuts(text, seed)) expect([text, parse(format, chunks)]).toEqual([text, whole])
    }
    for (const count of Object.values(found)) expect(count).toBeGreaterThan(0)
  })
})

describe("while it streams", () => {
  it("gives prose at once", () => {
    const parser = new FenceParser("fence")
    expect(parser.push("Hel")).toEqual({ text: "Hel", code: "", complete: false })
    expect(parser.push("lo `x")).toEqual({ text: "lo `x", code: "", complete: false })
  })

  it("holds back only what may be a fence", () => {
    const parser = new FenceParser("fence")
    expect(parser.push("a\n  ``").text).toBe("a\n")
    expect(parser.push("x").text).toBe("  ``x")
    expect(parser.push("\n```ts").text).toBe("\n")
    expect(parser.push("\nshown").text).toBe("```ts\nshown")
  })

  it("gives code at once, but for the newline that may be the last", () => {
    const parser = new FenceParser("fence")
    expect(parser.push("```ts run\nconst a").code).toBe("const a")
    expect(parser.push(" = 1\n").code).toBe(" = 1")
    expect(parser.push("b\n``").code).toBe("\nb")
    expect(parser.push("`\n")).toEqual({ text: "", code: "", complete: true })
    expect(parser.push("more")).toEqual({ text: "", code: "", complete: true })
    expect(parser.result).toEqual({ _tag: "Block", code: "const a = 1\nb", text: "" })
  })

  it("is complete with the closing tag", () => {
    const parser = new FenceParser({ open: "<execute>", close: "</execute>" })
    expect(parser.push("Now <exe")).toEqual({ text: "Now ", code: "", complete: false })
    expect(parser.push("cute>a()</exec")).toEqual({ text: "", code: "a()", complete: false })
    expect(parser.push("ute> b")).toEqual({ text: "", code: "", complete: true })
  })

  it("takes long texts in one go", () => {
    const line = `${"word ".repeat(200)}\n`
    const text = line.repeat(2_000)
    const started = performance.now()
    const { result } = parse("fence", [text, "```ts run\n", text.replaceAll("word", "call();"), "```\n"])
    expect(result._tag).toBe("Block")
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
