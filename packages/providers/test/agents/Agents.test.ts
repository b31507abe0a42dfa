/** Whole agents over real sockets: each adapter, each way to act, and a server that is down in the middle. */
import { assert, describe, it } from "@effect/vitest"
import { type AgentOptions, Binding, type Recorded } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"
import { events, json, type Loopback, loopback } from "../support/Loopback.ts"
import { type Adapter, adapters } from "./Adapters.ts"
import type { Turn } from "./Turn.ts"

const sum = "const total = await sumUp()\ntotal"
const note = "await note(`total ${total}`)"
const cells = [{ text: "I add up.", code: sum }, { text: "I note it.", code: note }]

const asText = (open: string, close: string): ReadonlyArray<Turn> =>
  cells.map(({ code, text }) => ({ text: `${text}\n\n${open}\n${code}\n${close}\n` }))

interface Format {
  readonly action: NonNullable<AgentOptions["action"]>
  /** What the server says, before its last word. */
  readonly turns: ReadonlyArray<Turn>
  /** Is in the last request: how the first action is told there, as JSON of a string. */
  readonly told: string
}

const formats: Readonly<Record<string, Format>> = {
  tool: {
    action: "tool",
    turns: cells.map(({ code, text }, n) => ({ text, action: { id: `call_${n}`, name: "run", input: { code } } })),
    told: '"run"'
  },
  fence: { action: "fence", turns: asText("```ts run", "```"), told: "I add up.\\n\\n```ts run\\nconst total" },
  tags: {
    action: { open: "<cell>", close: "</cell>" },
    turns: asText("<cell>", "</cell>"),
    told: "I add up.\\n\\n<cell>\\nconst total"
  },
  functions: {
    action: "functions",
    turns: [
      { text: "I add up.", action: { id: "call_0", name: "sumUp", input: {} } },
      { text: "I note it.", action: { id: "call_1", name: "note", input: { text: "total 25" } } }
    ],
    told: '"sumUp"'
  }
}

/** Says the turns one after the other, and is down once, at the second request. */
const serving = ({ encode }: Adapter, { turns }: Format) =>
  loopback((_, response, nth) => {
    if (nth === 2) return json(response, 503, { error: { code: 503, message: "The server is overloaded" } })
    events(response, encode(turns[nth === 1 ? 0 : nth - 2] ?? { text: "The total is 25." }))
  })

const live = async (server: Loopback, { closes, model }: Adapter, { action, told }: Format) => {
  const entries = [12, 5, 8]
  const notes: Array<string> = []
  const agent = createAgent({
    name: "bookkeeper",
    model: model(server.url),
    runtime: VmRuntime.layer,
    action,
    bindings: [
      Binding.func(() => entries.reduce((sum, entry) => sum + entry, 0), { name: "sumUp", effect: "none" }),
      Binding.func((text: string) => void notes.push(text), { name: "note", effect: "external" })
    ]
  })
  const seen: Array<Recorded["event"]> = []
  const running = agent.stream("What is the total? Note it.")
  for await (const live of running) if (live._tag === "Recorded") seen.push(live.recorded.event)
  const outcome = await running.outcome

  assert.strictEqual(outcome.reason, "completed", JSON.stringify(outcome))
  assert.isTrue(outcome.text.endsWith("The total is 25."), outcome.text)
  assert.deepInclude(outcome, { steps: 3 })
  assert.deepInclude(outcome.usage, { input: 90, estimated: false })
  assert.deepStrictEqual(notes, ["total 25"])
  if (action !== "functions") assert.strictEqual(await agent.retrieve("total"), 25)

  const failures = seen.filter((event) => event._tag === "ModelFailed")
  assert.deepStrictEqual(failures.map(({ reason }) => reason._tag), ["Overloaded"])
  assert.isAbove(failures[0]?.retryInMs ?? 0, 0)
  const bodies = server.received.map(({ body }) => body)
  assert.lengthOf(bodies, 4)
  assert.deepStrictEqual(bodies[2], bodies[1], "what is repeated is the same")
  assert.include(JSON.stringify(bodies[3]), told)

  await agent[Symbol.asyncDispose]()
  if (closes) assert.isBelow(await server.untilClosed(), 1_000)
}

for (const [name, adapter] of Object.entries(adapters)) {
  describe(name, () => {
    for (const [kind, format] of Object.entries(formats)) {
      it.live(`acts by ${kind}`, () =>
        Effect.flatMap(serving(adapter, format), (server) => Effect.promise(() => live(server, adapter, format))))
    }
  })
}
