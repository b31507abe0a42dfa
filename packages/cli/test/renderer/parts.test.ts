import * as CliOutput from "effect/cli/CliOutput"
import { describe, expect, it } from "vitest"
import { abbreviate, Abbreviated } from "../../src/renderer/Abbreviated.ts"
import { Highlighter } from "../../src/renderer/Highlighter.ts"
import { bytes, counted, dollars, duration } from "../../src/renderer/Quantity.ts"
import { safe, safeLines, WholeCharacters } from "../../src/renderer/Safe.ts"
import { fit, splitAt, widthOf } from "../../src/renderer/Width.ts"

describe("Width", () => {
  it("is a column for each character that is not looked at closely", () => {
    // What is looked at closely is with a zero width joiner, which takes none.
    for (let code = 0x20; code < 0x2800; code++) {
      const character = String.fromCharCode(code)
      if (/[\p{C}\p{Z}]/u.test(character) && character !== " ") continue
      expect([code, widthOf(character)]).toEqual([code, widthOf(`${character}\u200d`)])
    }
  })

  it("agrees with another implementation", () => {
    const texts = [
      "",
      "plain",
      "ファイル",
      "한국어",
      "中文字",
      "é",
      "e\u0301",
      "1️⃣",
      "👍",
      "👍🏽",
      "👩‍👩‍👧",
      "🇩🇪",
      "→ ✓ ✗ │ ╭─",
      "ｱｲｳ",
      "Ａ",
      "a\u200bb",
      "naïve",
      "🙂 ok",
      "①",
      "…"
    ]
    for (const text of texts) expect([text, widthOf(text)]).toEqual([text, CliOutput.displayWidth(text)])
  })

  it("cuts between characters", () => {
    expect(splitAt("日本語", 4)).toEqual(["日本", "語"])
    expect(splitAt("─abc", 2)).toEqual(["─a", "bc"])
    expect(splitAt("日本語", 3)).toEqual(["日", "本語"])
    expect(splitAt("日", 1)).toEqual(["日", ""])
    expect(fit("日本語", 5)).toBe("日本…")
    expect(fit("short", 5)).toBe("short")
    expect(fit("longer", 5)).toBe("long…")
  })
})

describe("Abbreviated", () => {
  const lines = (n: number) => Array.from({ length: n }, (_, index) => `line ${index}`).join("\n")
  const texts = (text: string) => abbreviate(text).map((row) => row.text)

  it("shows all of twelve lines", () => expect(texts(lines(12))).toEqual(lines(12).split("\n")))

  it("shows beginning and end of thirteen", () => {
    expect(texts(lines(13))).toEqual([
      ...lines(8).split("\n"),
      "… 6 characters not shown …",
      "line 9",
      "line 10",
      "line 11",
      "line 12"
    ])
  })

  it("shows all of 2,000 characters, and both ends of more", () => {
    expect(texts("x".repeat(2000))).toEqual(["x".repeat(2000)])
    const [head, omission, tail] = texts("x".repeat(5000))
    expect(omission).toBe("… 3,000 characters not shown …")
    expect(head!.length + tail!.length).toBe(2002)
  })

  it("gives the same rows for a text in pieces", () => {
    for (
      const text of [
        lines(5),
        lines(30),
        "x".repeat(3000),
        `${"y".repeat(700)}\n`.repeat(6),
        "a\r\nb\n\nc",
        "\n\n",
        `${lines(20)}\n${"z".repeat(5000)}`
      ]
    ) {
      const output = new Abbreviated()
      const rows = [...text].flatMap((character) => output.push(character))
      expect([...rows, ...output.end()]).toEqual(abbreviate(text))
    }
  })

  it("says how much of many lines is not shown", () => {
    expect(texts(lines(1000))[8]).toBe("… 988 lines, 7,810 characters not shown …")
  })
})

describe("Safe", () => {
  it("makes what would act visible", () => {
    expect(safe("a\u001b[31mb\u0007\u009b\u202e\u007f\tc\r")).toBe("a␛[31mb␇<U+009B><U+202E>␡  c␍")
    expect(safe("plain äöü 日本 👍")).toBe("plain äöü 日本 👍")
    expect(safe("\ud800")).toBe("\ufffd")
  })

  it("drops colours that a program printed", () =>
    expect(safeLines("\u001b[32mok\u001b[39m\r\nnext")).toEqual(["ok", "next"]))

  it("joins what was cut in two", () => {
    const whole = new WholeCharacters()
    expect([whole.push("\ud83d"), whole.push("\udc4d\r"), whole.push("\n"), whole.push("a\r"), whole.end()]).toEqual([
      "",
      "👍",
      "\n",
      "a",
      "\r"
    ])
  })
})

describe("Highlighter", () => {
  const source =
    'const a = `one\n${two} /* no comment */\nthree`\n/* a\n b */ class B<T> extends C {}\nconst r = /x`y/g.test("`")\nif (a < b) {}\n\nend'

  it("keeps every character of every line", () => {
    const highlighter = new Highlighter()
    const shown = source.split("\n").map((line) => highlighter.line(line).map(({ text }) => text).join(""))
    expect(shown.join("\n")).toBe(source)
  })

  it("knows a construct over several lines", () => {
    const highlighter = new Highlighter()
    const lines = source.split("\n").map((line) => highlighter.line(line))
    expect(lines[2]!.map(({ roles }) => roles)).toEqual([["string"], ["string"]])
    expect(lines[4]![0]).toEqual({ text: " b */", roles: ["comment"] })
    expect(lines[4]!.find(({ text }) => text === "class")!.roles).toEqual(["keyword"])
  })

  it("does not slow down after a quote that never closes", () => {
    const highlighter = new Highlighter()
    highlighter.line("const a = `never closed")
    const start = performance.now()
    for (let index = 0; index < 3000; index += 1) highlighter.line('const x = call(index, "text") + 12')
    expect(performance.now() - start).toBeLessThan(10_000)
  })
})

describe("Quantity", () => {
  it("is short", () => {
    expect([0.2, 12.4, 999, 1500, 59_949, 59_950, 65_000].map(duration)).toEqual([
      "<1 ms",
      "12 ms",
      "999 ms",
      "1.5 s",
      "59.9 s",
      "1 min 0 s",
      "1 min 5 s"
    ])
    expect([12, 12_345, 4_000_000, 2.5e9].map(bytes)).toEqual(["12 B", "12.3 kB", "4 MB", "2.5 GB"])
    expect([0, 0.0123, 1.5].map(dollars)).toEqual(["$0.00", "$0.012", "$1.50"])
    expect([counted(1, "step"), counted(1200, "token")]).toEqual(["1 step", "1,200 tokens"])
  })
})
