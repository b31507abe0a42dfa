import { assert, describe, expect, it, test } from "@effect/vitest"
import { Binding, decodeEvent, Event, EventBus, type Live, Recorded, SessionId, spokenPrompt } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { ofTag, play } from "./support.ts"

describe("events", () => {
  test("of a real session survive JSON", async () => {
    const { live } = await play({
      script: [{ reasoning: "hm", text: "I try.", code: "let a = [1, 2]\na.map(String)" }, { code: "nope" }, "done"]
    })
    const recorded = live.flatMap((event) => event._tag === "Recorded" ? [event.recorded] : [])
    const codec = Schema.fromJsonString(Schema.toCodecJson(Recorded))
    for (const one of recorded) expect(Schema.decodeSync(codec)(Schema.encodeSync(codec)(one))).toEqual(one)
    expect(recorded.length).toBeGreaterThan(8)
  })

  it.effect("of a newer version are kept as they were read", () =>
    Effect.gen(function*() {
      const raw = { _tag: "Teleported", to: "Mars" }
      assert.deepStrictEqual(yield* decodeEvent(raw), { _tag: "Unknown", raw })
    }))

  it.effect("of a known tag with wrong fields are an error, not unknown", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(decodeEvent({ _tag: "CellStarted", cell: "one" }))
      assert.strictEqual(error._tag, "SchemaError")
    }))

  test("tell what of a prompt somebody spoke, also where it looks like what the engine adds", async () => {
    const spoken = ["Explain this:", "<note>\nnothing\n</note>"]
    for (const bindings of [[], [Binding.variable("rows", [1])]]) {
      const { events } = await play({ script: ["done"], prompt: spoken, bindings })
      const started = ofTag(events, "RunStarted")[0]!
      expect(started.added).toBe(bindings.length)
      expect(started.prompt.content).toHaveLength(spoken.length + bindings.length)
      expect(spokenPrompt(started).content.map((part) => part._tag === "Text" && part.text)).toEqual(spoken)
    }
  })

  test("that were written before parts were counted are known by the tags of the last one", () => {
    const content = (texts: ReadonlyArray<string>) => texts.map((text) => ({ _tag: "Text" as const, text }))
    const spoken = (...texts: ReadonlyArray<string>) =>
      spokenPrompt({ _tag: "RunStarted", run: 1, prompt: { _tag: "User", content: content(texts) } }).content
    expect(spoken("go", "<variables>\na: number = 1\n</variables>")).toEqual(content(["go"]))
    expect(spoken("<variables>a</variables>")).toEqual(content(["<variables>a</variables>"]))
    expect(spoken("go", "on")).toEqual(content(["go", "on"]))
  })

  test("have tags of their own", () => {
    expect(Object.keys(Event.cases)).toContain("RunStarted")
    expect(Object.keys(Event.cases).length).toBeGreaterThan(20)
  })
})

describe("the event bus", () => {
  const event = (session: string, lineage: ReadonlyArray<string>, text: string): Live => ({
    _tag: "TextDelta",
    text,
    origin: { session: SessionId.make(session), agent: ["a"], lineage: lineage.map((id) => SessionId.make(id)) }
  })

  it.effect("gives a session with its children, or everything, from the moment of subscribing", () =>
    Effect.gen(function*() {
      const bus = yield* EventBus
      bus.publish(event("a", ["a"], "too early"))
      const ofA = yield* bus.subscribe(SessionId.make("a"))
      const all = yield* bus.subscribe()
      bus.publish(event("a", ["a"], "1"))
      bus.publish(event("b", ["b"], "2"))
      bus.publish(event("a/c", ["a", "a/c"], "3"))
      const texts = (events: ReadonlyArray<Live>) => events.map((event) => event._tag === "TextDelta" ? event.text : "")
      assert.deepStrictEqual(texts(yield* Stream.runCollect(Stream.take(ofA, 2))), ["1", "3"])
      assert.deepStrictEqual(texts(yield* Stream.runCollect(Stream.take(all, 3))), ["1", "2", "3"])
    }))

  it.effect("a subscriber that does not read harms nobody and keeps the latest", () =>
    Effect.gen(function*() {
      const bus = yield* EventBus
      const lazy = yield* bus.subscribe()
      for (let i = 0; i < 10_050; i++) bus.publish(event("a", ["a"], String(i)))
      const [first] = yield* Stream.runCollect(Stream.take(lazy, 1))
      assert.strictEqual(first?._tag === "TextDelta" && first.text, "50")
    }))
})
