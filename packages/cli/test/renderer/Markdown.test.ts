import { stripVTControlCharacters } from "node:util"
import { describe, expect, it } from "vitest"
import { Flow } from "../../src/renderer/Flow.ts"
import { Markdown } from "../../src/renderer/Markdown.ts"
import { makePaint } from "../../src/renderer/Paint.ts"
import { Lane, Screen } from "../../src/renderer/Screen.ts"
import { readable, Sink } from "./sink.ts"

const render = (pieces: Iterable<string>, width = 5000): string => {
  const stream = new Sink()
  const screen = new Screen({ stream, paint: makePaint(true), width, spinner: false })
  const markdown = new Markdown(new Flow(new Lane(screen, "a", 0)))
  for (const piece of pieces) markdown.push(piece)
  markdown.end()
  screen.flush()
  return stream.text
}

const plain = (text: string): string => stripVTControlCharacters(render([text]))

describe("marks", () => {
  const cases: ReadonlyArray<readonly [source: string, shown: string]> = [
    ["**bold** text", "‹1›bold‹22› text"],
    ["an *italic* word", "an ‹3›italic‹23› word"],
    ["an _italic_ word", "an ‹3›italic‹23› word"],
    ["~~gone~~", "‹9›gone‹29›"],
    ["call `f(x)` now", "call ‹36›f(x)‹39› now"],
    ["``a `b` c``", "‹36›a‹39› ‹36›`b`‹39› ‹36›c‹39›"],
    ["**use `f`**", "‹1›use‹22› ‹1›‹36›f‹39›‹22›"],
    ["# Title", "‹1›‹36›Title‹39›‹22›"],
    ["- one", "‹36›•‹39› one"],
    ["  * two", "‹36›  •‹39› two"],
    ["2. two", "‹36›2.‹39› two"],
    ["> said", "‹90›▎‹39› ‹3›‹2›said‹22›‹23›"]
  ]
  for (const [source, shown] of cases) {
    it(`of ${source}`, () =>
      expect(readable(render([source]))).toBe(
        `${shown}\n`.replace("▎‹39› ", "▎ ‹39›").replaceAll(/([•.])‹39› /g, "$1 ‹39›")
      ))
  }

  it("of a rule become a rule", () => expect(plain("---")).toBe(`${"─".repeat(24)}\n`))
})

describe("text without a partner for its marks", () => {
  const literal = [
    "2 * 3 * 4 = 24",
    "snake_case_name and __init__.py",
    "a ** b",
    "5 * x is *not closed",
    "a lone ` backtick",
    "**never closed",
    "a~b ~~ c",
    "*",
    "**",
    "#hashtag",
    "1.5 times",
    "12 apples",
    "-1 degrees",
    "a*b*c",
    "f(*args, **kwargs)"
  ]
  for (const text of literal) it(`stays: ${text}`, () => expect(plain(text)).toBe(`${text}\n`))

  it("stays when its partner is far away", () => {
    const text = `*${"word ".repeat(200)}end*`
    expect(plain(text)).toBe(`${text}\n`)
  })
})

describe("fenced code", () => {
  it("is highlighted, and marks in it mean nothing", () => {
    const shown = render(["```ts\nconst a = 1 ** 2 ** 3\n- no item\n```\nafter **it**"])
    expect(stripVTControlCharacters(shown)).toBe("```ts\nconst a = 1 ** 2 ** 3\n- no item\n```\nafter it\n")
    expect(readable(shown)).toContain("‹35›const‹39›")
  })

  it("ends only with as many marks as it began", () => {
    expect(plain("````md\n```\n*x*\n```\n````\n*y*")).toBe("````md\n```\n*x*\n```\n````\ny\n")
  })

  it("is shown to its last character when it never ends", () => expect(plain("```\nconst a")).toBe("```\nconst a\n"))
})

describe("rows", () => {
  it("of a list hang under their text", () => {
    expect(stripVTControlCharacters(render(["- one two three four five six"], 24))).toBe(
      "• one two three four five\n  six\n".replace(" five\n  six", "\n  five six")
    )
  })
})

describe("however the text is cut", () => {
  const marks = [
    "*",
    "**",
    "_",
    "`",
    "``",
    "~~",
    "#",
    "# ",
    "- ",
    "1. ",
    "> ",
    "```",
    "```ts\n",
    "\n",
    "\r\n",
    " ",
    "---",
    "a",
    "word",
    "二",
    "👍🏽",
    "(",
    ".",
    "  "
  ]

  /** A small generator with a fixed seed, so that a failure can be repeated. */
  const random = (seed: number) => () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648

  it("the result is the same", () => {
    const next = random(7)
    for (let round = 0; round < 400; round += 1) {
      const text = Array.from({ length: 40 }, () => marks[Math.floor(next() * marks.length)]).join("")
      const whole = render([text], 30)
      const pieces: Array<string> = []
      for (let at = 0; at < text.length;) {
        const size = 1 + Math.floor(next() * 4)
        pieces.push(text.slice(at, at + size))
        at += size
      }
      expect([text, render(pieces, 30)]).toEqual([text, whole])
      expect([text, render(text.split(""), 30)]).toEqual([text, whole])
    }
  })

  it("every word is shown", () => {
    const next = random(11)
    for (let round = 0; round < 200; round += 1) {
      const text = Array.from(
        { length: 60 },
        (_, index) => next() < 0.4 ? `w${index}` : marks[Math.floor(next() * marks.length)]
      ).join("")
      const shown = plain(text).replaceAll(/\s/g, "")
      for (const [word] of text.matchAll(/w\d+/g)) expect([text, shown.includes(word)]).toEqual([text, true])
    }
  })

  it("a long row without any mark costs no more per character", () => {
    const time = (length: number) => {
      const text = "lorem *ipsum ".repeat(length / 13)
      const start = performance.now()
      render(text.split(""))
      return performance.now() - start
    }
    time(2_000)
    expect(time(40_000)).toBeLessThan(5_000)
  })
})
