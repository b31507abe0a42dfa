import { Event, type Live } from "@daylight/core"
import { stripVTControlCharacters } from "node:util"
import { describe, expect, it } from "vitest"
import { TerminalRenderer } from "../../src/renderer.ts"
import { widthOf } from "../../src/renderer/Width.ts"
import { endings, scenes } from "./samples.ts"
import { piped, readable, Sink, terminal } from "./sink.ts"
import { completedRun, nestedRun, report, Teller } from "./story.ts"

const everything = (): ReadonlyArray<
  Live
> => [...scenes().flatMap(([, live]) => live), ...completedRun(), ...nestedRun()]

describe("every event", () => {
  it("has a scene", () => {
    expect(scenes().map(([tag, live]) => [tag, live.length > 0])).toEqual(
      Object.keys(Event.cases).map((tag) => [tag, true])
    )
  })

  for (const [tag, live] of scenes()) {
    it(`${tag} is shown, plain`, () => expect(piped(live, { verbose: true })).toMatchSnapshot())
    it(`${tag} is shown, in colour`, () => expect(readable(terminal(live, 80, { verbose: true }))).toMatchSnapshot())
  }

  it("that only storage and scheduling need is not shown by default", () => {
    for (const [tag, live] of scenes()) {
      const quiet = ["SessionOpened", "NamespaceSaved", "TimerFired", "CallbackCalled", "ModelCalled"].includes(tag)
      expect([tag, piped(live) === ""]).toEqual([tag, quiet])
    }
  })
})

describe("every outcome", () => {
  for (const [reason, live] of endings(new Teller("analyst"))) {
    it(`${reason} has a notice`, () => {
      const rows = piped([live]).split("\n")
      expect(rows[0]).toMatch(/^\S .*2 steps · 1 cell/)
      expect(piped([live])).toMatchSnapshot()
    })
  }

  it("of a child names the child", () => {
    expect(piped([new Teller("root", "child").runEnded()])).toContain("child: completed")
  })
})

describe("a run", () => {
  it("reads well in a pipe", () => expect(piped(completedRun())).toMatchSnapshot())
  it("reads well on a terminal", () => expect(readable(terminal(completedRun()))).toMatchSnapshot())
  it("with children shows them in the frame of the cell that called them", () =>
    expect(piped(nestedRun())).toMatchSnapshot())

  it("looks the same however its deltas were cut", () => {
    for (const size of [1, 2, 3, 5, 11, 64, 100_000]) {
      expect(piped(completedRun(size))).toBe(piped(completedRun()))
      expect(terminal(completedRun(size), 60)).toBe(terminal(completedRun(), 60))
    }
  })

  it("loses nothing when deltas were dropped", () => {
    const recorded = completedRun().filter((live) => live._tag === "Recorded")
    const whole = terminal(completedRun())
    const firstHalf = completedRun(1).filter((live, index) => live._tag === "Recorded" || index % 400 < 200)
    const words = (text: string) => stripVTControlCharacters(text).split(/[\s│╭├╰─]+/)
    for (const events of [recorded, firstHalf]) {
      const shown = new Set(words(terminal(events)))
      expect(words(whole).filter((word) => !shown.has(word))).toEqual([])
    }
  })

  it("of several attempts says that a broken answer does not count", () => {
    const teller = new Teller("analyst")
    const shown = piped([
      teller.modelCalled(1),
      teller.delta("TextDelta", "The answer is"),
      teller.modelCalled(1, 2),
      teller.delta("TextDelta", "The answer is 42."),
      teller.modelAnswered("The answer is 42."),
      teller.runEnded()
    ])
    expect(shown).toMatch(/The answer is\n↺ the answer above broke off and does not count\n\nThe answer is 42\.\n/)
  })

  it("shows a cell that was written and not run", () => {
    const teller = new Teller("analyst")
    expect(
      piped([
        teller.modelCalled(),
        teller.delta("CodeDelta", "1 + 1"),
        teller.modelAnswered("", "1 + 1"),
        teller.runEnded({ reason: "limit" })
      ])
    )
      .toContain("│   1  1 + 1\n╰─ limit ─")
  })

  it("shows output while the cell runs, and its end when it is long", () => {
    const teller = new Teller("analyst")
    const output = Array.from({ length: 50 }, (_, index) => `line ${index}\n`).join("")
    const sink = new Sink()
    const renderer = new TerminalRenderer({ stream: sink, env: {} })
    for (const live of [teller.cellStarted(1, "print()"), teller.delta("OutputDelta", output)]) renderer.event(live)
    expect(sink.text).toContain("line 7")
    expect(sink.text).not.toContain("line 8\n")
    renderer.event(teller.cellEnded(1, { stdout: output }))
    expect(sink.text).toContain("… 38 lines, 264 characters not shown …")
    expect(sink.text).toContain("line 49")
    expect(sink.text.match(/line 49/g)).toHaveLength(1)
  })

  it("counts the calls that are too many to show", () => {
    const teller = new Teller("analyst")
    const calls = Array.from({ length: 500 }, (_, index) => teller.call(index, "db.get", [index])).flat()
    const shown = piped([teller.cellStarted(1, "loop()"), ...calls, teller.cellEnded(1)])
    expect(shown).toContain("… and 492 more calls")
    expect(shown.match(/→/g)).toHaveLength(8)
  })

  it("marks the line of the model's code where it failed", () => {
    const teller = new Teller("analyst")
    const problem = {
      stage: "run" as const,
      name: "TypeError",
      message: "x is not a function",
      line: 2,
      column: 3,
      frames: [],
      hint: "Call it after defining it."
    }
    expect(piped([teller.cellStarted(1, "const x = 1\n  x()\nx"), teller.cellEnded(1, { problem })])).toContain([
      `├─ ✗ failed · 12 ms ${"─".repeat(52)}`,
      "│ TypeError: x is not a function",
      "│   1  const x = 1",
      "│ ▸ 2    x()",
      "│        ^",
      "│   3  x",
      "│ ▸ Call it after defining it."
    ].join("\n"))
  })
})

describe("a pipe", () => {
  it("gets plain text: no colours, no cursor movement, no spinner, no blank ends of rows", () => {
    const text = piped(everything(), { verbose: true })
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
    expect(text.split("\n").filter((row) => row !== row.trimEnd())).toEqual([])
  })

  it("gets rows that are not wrapped", () => {
    const teller = new Teller("analyst")
    const long = "word ".repeat(100).trim()
    expect(piped([teller.modelAnswered(long)])).toContain(long)
  })

  it("gets colours when they are forced", () => {
    expect(piped(completedRun(), { env: { FORCE_COLOR: "1" } })).toContain("\u001b[")
    expect(piped(completedRun(), { env: { FORCE_COLOR: "1", NO_COLOR: "1" } })).toContain("\u001b[")
  })
})

describe("a terminal", () => {
  it("gets no colours where they are unwanted", () => {
    for (const env of [{ NO_COLOR: "1" }, { TERM: "dumb" }, { FORCE_COLOR: "0" }]) {
      expect(terminal(completedRun(), 80, { env })).not.toContain("\u001b")
    }
  })

  it("gets rows that fit, at any width", () => {
    for (const columns of [24, 31, 40, 57, 80, 200]) {
      const rows = terminal(everything(), columns, { verbose: true }).split("\n").map(stripVTControlCharacters)
      expect(rows.filter((row) => widthOf(row) > Math.max(24, columns - 1))).toEqual([])
    }
  })

  it("gets wide characters in rows that fit, and none is lost", () => {
    const teller = new Teller("analyst")
    const text = "東京の売上は大阪の二倍でした。来月も増える見込みです。👩‍👩‍👧 はい 👍🏽 e\u0301 ".repeat(5)
    const shown = terminal(teller.stream("TextDelta", text, 1), 40)
    const rows = shown.split("\n").map(stripVTControlCharacters)
    expect(rows.filter((row) => widthOf(row) > 39)).toEqual([])
    expect(rows.join("").replaceAll(/\s/g, "")).toBe(text.replaceAll(/\s/g, ""))
  })
})

describe("nothing acts on the terminal", () => {
  const evil =
    "\u001b]52;c;ZXZpbA==\u0007\u001b[2J\u001b[1;1H\u009b31m\r\u0008\u202eabc\u2066\u0000\u007f\u001bPq\u001b\\"

  /** Every text of an event gets the attack; names of tags and kinds stay. */
  const poison = (value: unknown, key = ""): unknown => {
    if (typeof value === "string") {
      return ["_tag", "stage", "reason", "status", "operation", "session"].includes(key)
        ? value
        : `${value}${evil}`
    }
    if (Array.isArray(value)) return value.map((item) => poison(item, key === "lineage" ? "session" : ""))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, poison(part, name)]))
  }

  const poisoned = () => everything().map((live) => poison(live) as Live)

  it("in a pipe no control character is left but the line break", () => {
    expect(piped(poisoned(), { verbose: true })).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/
    )
  })

  it("in colour only colours are left", () => {
    const text = terminal(poisoned(), 80, { verbose: true })
    const withoutColours = text.replaceAll(/\u001b\[\d+m/g, "")
    expect(withoutColours).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
    // Ours all belong to a fixed set; a reset or a background would be foreign.
    const codes = new Set([...text.matchAll(/\u001b\[(\d+)m/g)].map(([, code]) => Number(code)))
    expect([...codes].filter((code) => ![1, 2, 3, 9, 22, 23, 29, 31, 32, 33, 34, 35, 36, 39, 90].includes(code)))
      .toEqual([])
  })

  it("also when the attack is cut into single characters", () => {
    const teller = new Teller("analyst")
    for (const tag of ["TextDelta", "ReasoningDelta", "CodeDelta"] as const) {
      const shown = piped([...teller.stream(tag, `before ${evil} after\n`, 1), teller.runEnded()])
      expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
      expect(shown).toContain("after")
    }
  })
})

describe("agents at the same time", () => {
  it("never share a row", () => {
    const one = new Teller("root", "one")
    const two = new Teller("root", "two")
    const events = [one.runStarted("1"), two.runStarted("2"), one.modelCalled(), two.modelCalled()]
    for (let index = 0; index < 40; index += 1) {
      events.push(one.delta("TextDelta", `a${index} `), two.delta("TextDelta", `b${index} `))
    }
    events.push(two.modelAnswered(""), two.runEnded(), one.modelAnswered(""), one.runEnded())
    const rows = piped(events).split("\n")
    expect(rows.filter((row) => /a\d/.test(row) && /b\d/.test(row))).toEqual([])
    expect(rows.filter((row) => row.includes("a0 a1 a2") && row.includes("a39"))).toHaveLength(1)
    expect(rows.filter((row) => row.includes("b0 b1 b2") && row.includes("b39"))).toHaveLength(1)
  })

  it("are shown up to the last word when the stream ends early", () => {
    const one = new Teller("root", "one")
    const two = new Teller("root", "two")
    const shown = piped([one.delta("TextDelta", "first tail"), two.delta("TextDelta", "second tail")])
    expect(shown).toContain("first tail\n")
    expect(shown).toContain("second tail\n")
  })
})

describe("render", () => {
  async function* source(events: ReadonlyArray<Live>) {
    yield* events
  }

  it("passes the same objects through", async () => {
    const events = completedRun()
    const seen: Array<Live> = []
    for await (const live of new TerminalRenderer({ stream: new Sink(), env: {} }).render(source(events))) {
      seen.push(live)
    }
    expect(seen).toHaveLength(events.length)
    expect(seen.every((live, index) => live === events[index])).toBe(true)
  })

  it("closes what is open when the reader leaves", async () => {
    const sink = new Sink()
    for await (const live of new TerminalRenderer({ stream: sink, env: {} }).render(source(completedRun()))) {
      if (live._tag === "OutputDelta") break
    }
    expect(sink.text.trimEnd()).toMatch(/╰─ interrupted ─+$/)
  })

  it("closes what is open when the source fails, and lets the error through", async () => {
    const sink = new Sink()
    async function* failing() {
      yield* completedRun().slice(0, 6)
      throw new Error("the store is gone")
    }
    const reading = (async () => {
      for await (const _ of new TerminalRenderer({ stream: sink, env: {} }).render(failing())) continue
    })()
    await expect(reading).rejects.toThrow("the store is gone")
    expect(sink.text.endsWith("\n")).toBe(true)
  })
})

describe("what the renderer does not know", () => {
  it("is named, never thrown", () => {
    const teller = new Teller("analyst")
    const unknown = teller.event({ _tag: "Unknown", raw: { _tag: "Teleported", to: "mars" } })
    expect(piped([unknown])).toBe("· event of a newer version: Teleported\n")
    const strange = [
      { ...unknown, recorded: { seq: 1, event: { _tag: "Quantum" } } },
      { ...unknown, recorded: undefined },
      { _tag: "PictureDelta", origin: teller.origin, text: "x" },
      { _tag: "TextDelta" },
      { ...unknown, recorded: { seq: 1, event: { _tag: "CellEnded" } } },
      undefined
    ] as unknown as ReadonlyArray<Live>
    expect(() => piped([...strange, teller.runEnded()])).not.toThrow()
    expect(piped([...strange, teller.runEnded()])).toContain("✓ completed")
  })

  it("does not disturb what follows", () => {
    const teller = new Teller("analyst")
    const broken = { ...teller.cellEnded(1), recorded: undefined } as unknown as Live
    expect(piped([broken, ...completedRun()])).toContain(piped(completedRun()).trimEnd().split("\n").at(-1))
  })
})

describe("the spinner", () => {
  /** A terminal that yocto-spinner can draw on. */
  class Terminal extends Sink {
    cursorTo(): boolean {
      return this.write("‹home›")
    }
    moveCursor(): boolean {
      return this.write("‹up›")
    }
    clearLine(): boolean {
      return this.write("‹clear›")
    }
  }
  const quiet = () => new Promise((resolve) => setTimeout(resolve, 300))

  it("says what goes on after a quiet moment, and is gone before anything is written", async () => {
    const stream = new Terminal(60)
    const renderer = new TerminalRenderer({ stream, env: {}, spinner: true })
    const teller = new Teller("analyst")
    renderer.event(teller.runStarted("hi"))
    renderer.event(teller.modelCalled())
    expect(stream.text).not.toContain("thinking")
    await quiet()
    const waiting = process.env["CI"] === undefined && process.env["TERM"] !== "dumb"
    expect(stream.text.includes("thinking")).toBe(true)
    renderer.event(teller.delta("TextDelta", "Hello there"))
    const [, after = ""] = stream.text.split(/thinking(?!.*thinking)/s)
    if (waiting) expect(after).toMatch(/‹clear›.*Hello/s)
    renderer.event(teller.runEnded())
    renderer.end()
    const length = stream.text.length
    await quiet()
    expect(stream.text).toHaveLength(length)
    if (waiting) expect(stream.text.lastIndexOf("\u001b[?25h")).toBeGreaterThan(stream.text.lastIndexOf("\u001b[?25l"))
  })

  it("keeps still while a person is asked", async () => {
    const stream = new Terminal(60)
    const renderer = new TerminalRenderer({ stream, env: {}, spinner: true })
    const teller = new Teller("analyst")
    renderer.event(teller.modelCalled())
    const release = renderer.hold()
    const length = stream.text.length
    renderer.event(teller.delta("TextDelta", "not yet "))
    await quiet()
    expect(stream.text).toHaveLength(length)
    release()
    expect(stream.text).toContain("not")
    renderer.end()
  })

  it("never shows in a pipe", async () => {
    const sink = new Sink()
    const renderer = new TerminalRenderer({ stream: sink, env: {} })
    renderer.event(new Teller("analyst").modelCalled())
    await quiet()
    expect(sink.text).toBe("")
    renderer.end()
  })
})

it("an empty report has one closing row", () => {
  const teller = new Teller("analyst")
  const rows = piped([
    teller.cellStarted(1, "1"),
    teller.event({ _tag: "CellEnded", cell: 1, report: report(), entropy: [] })
  ]).split("\n")
  expect(rows.slice(1)).toEqual(["│   1  1", `╰─ ✓ 12 ms ${"─".repeat(61)}`, ""])
})
