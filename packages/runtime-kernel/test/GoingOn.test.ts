/** Runs whose process is killed in the middle of a cell: the engine goes on from there, and nothing happens twice. */
import {
  Agent,
  Binding,
  type Event,
  type Message,
  type ModelRequest,
  type Outcome,
  Session,
  SessionStore
} from "@daylight/core"
import { type Script, ScriptedModel } from "@daylight/core/testing"
import { KernelRuntime } from "@daylight/runtime-kernel"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { assert, describe, it } from "vitest"
import { pause, program } from "./support/session.ts"

interface Played {
  readonly outcome: Outcome<undefined>
  readonly result: unknown
  readonly events: ReadonlyArray<Event>
  readonly starts: number
  /** What a watcher saw printed. */
  readonly printed: string
  /** What the model was told last. */
  readonly told: string
}

/** `kill`: ends the process, from inside of a host call. */
const play = (script: Script, bindingsOf: (kill: () => Promise<void>) => ReadonlyArray<Binding>): Promise<Played> => {
  const requests: Array<ModelRequest> = []
  let session: Session
  const kill = async (): Promise<void> => {
    const { pid } = KernelRuntime.inspect(session.runtime)!
    process.kill(pid!, "SIGKILL")
    while (KernelRuntime.inspect(session.runtime)!.pid === pid) await pause(1)
  }
  const played = Effect.gen(function*() {
    session = yield* Session.open(Agent.make({ name: "worker", bindings: bindingsOf(kill) }))
    let printed = ""
    const { live, outcome: ended } = yield* session.start("go", { watch: true })
    yield* Stream.runForEach(live, (live) =>
      Effect.sync(() => {
        if (live._tag === "OutputDelta") printed += live.text
      }))
    const outcome = yield* ended
    const result = yield* Effect.orElseSucceed(session.retrieve("result"), () => undefined)
    const store = yield* SessionStore
    const recorded = yield* Stream.runCollect(store.read(session.id))
    return {
      outcome,
      result,
      events: recorded.flatMap(({ event }) => event._tag === "Unknown" ? [] : [event]),
      starts: KernelRuntime.inspect(session.runtime)!.starts,
      printed,
      told: textOf(requests.at(-1)?.messages.at(-1))
    }
  })
  return played.pipe(
    Effect.provide([
      ScriptedModel.layer(script, { requests }),
      KernelRuntime.layer({ program, spare: false }),
      SessionStore.layerMemory
    ]),
    Effect.scoped,
    Effect.runPromise
  )
}

const textOf = (message: Message | undefined): string =>
  message?._tag !== "Result" ?
    "" :
    message.content.flatMap(({ content }) => content.map((part) => part._tag === "Text" ? part.text : "")).join("\n")

const of = <Tag extends Event["_tag"]>(events: ReadonlyArray<Event>, tag: Tag) =>
  events.filter((event): event is Extract<Event, { readonly _tag: Tag }> => event._tag === tag)

const external = { effect: "external" } as const

describe("a cell whose process is lost", () => {
  it("goes on from its middle: effects that had happened, or were under way, happen once", async () => {
    const paid: Array<number> = []
    const { events, outcome, printed, result, starts, told } = await play(
      [
        { code: "const base = 40" },
        {
          code: `const began = Date.now()
            console.log("now I pay")
            const one = await pay(1)
            const [two, three] = await Promise.all([crash(2), pay(3)])
            await new Promise((done) => setTimeout(done, 5))
            console.log("three are paid")
            const four = await pay(4)
            const result = [base + one, two, three, four, Date.now() >= began]`
        },
        "Paid."
      ],
      (kill) => [
        Binding.func(async (n: number) => paid.push(n) && n, { name: "pay", ...external }),
        // Its result comes after the process that asked for it is gone.
        Binding.func(async (n: number) => paid.push(n) && await kill().then(() => n), { name: "crash", ...external })
      ]
    )
    assert.strictEqual(outcome.reason, "completed")
    assert.deepStrictEqual(result, [41, 2, 3, 4, true])
    assert.deepStrictEqual(paid, [1, 2, 3, 4])
    assert.strictEqual(starts, 2)
    assert.deepStrictEqual(of(events, "Recovered").map(({ reexecuted }) => reexecuted), [[2]])
    assert.strictEqual(of(events, "CallStarted").length, 4)
    assert.strictEqual(printed, "now I pay\nthree are paid\n")
    assert.notInclude(told, "rash") // as far as the model can see nothing has happened
  })

  it("is lost a second time, and goes on again; a cell that is lost each time ends as crashed", async () => {
    let crashes = 0
    const { events, outcome, starts, told } = await play(
      [
        { code: "await crash(); await crash(); const result = 'through'" },
        { code: "await crash(); await crash(); await crash()" },
        "Done."
      ],
      (kill) => [Binding.func(async () => (crashes++, kill()), { name: "crash", ...external })]
    )
    assert.strictEqual(outcome.reason, "completed")
    const ends = of(events, "CellEnded").map(({ report }) => report.problem?.stage)
    assert.deepStrictEqual(ends, [undefined, "crash"])
    assert.strictEqual(crashes, 5)
    assert.strictEqual(starts, 6)
    assert.include(told, "[crash error]")
  })

  it("is not run again where the namespace lost something: the model is told what took place, and what is lost", async () => {
    const paid: Array<number> = []
    const { events, told } = await play(
      [
        { code: "const counter = ((n) => () => ++n)(0); counter()" },
        { code: "const receipt = await pay(7); await crash(); counter()" },
        "Done."
      ],
      (kill) => [
        Binding.func(async (n: number) => ({ receipt: paid.push(n) && `r-${n}` }), { name: "pay", ...external }),
        Binding.func(async () => kill(), { name: "crash" })
      ]
    )
    assert.deepStrictEqual(paid, [7])
    assert.isEmpty(of(events, "Recovered"))
    assert.include(told, "[crash error]")
    assert.include(told, "counter is lost")
    assert.include(told, '[took place] pay(7) gave {"receipt":"r-7"}')
  })

  it("takes the cells of sub-agents in the same process with it, and each goes on from its middle", async () => {
    const done: Array<string> = []
    const cleaner = (kill: () => Promise<void>): Agent =>
      Agent.make({
        name: "cleaner",
        model: ScriptedModel.layer([{
          code: "const a = await wash('a'); await crash(); const clean = [a, await wash('b')]"
        }, "Clean."]),
        bindings: [
          Binding.func(async (what: string) => done.push(what) && `${what}!`, { name: "wash", ...external }),
          Binding.func(async () => kill(), { name: "crash" })
        ]
      })
    const { outcome, result, starts } = await play(
      [{
        code:
          "await note('before'); const said = await cleaner.ask('Clean.'); const result = [said, await cleaner.vars.clean]"
      }, "Done."],
      (kill) => [
        Binding.func(async (what: string) => void done.push(what), { name: "note", ...external }),
        Binding.agent("cleaner", cleaner(kill))
      ]
    )
    assert.strictEqual(outcome.reason, "completed")
    assert.deepStrictEqual(result, ["Clean.", ["a!", "b!"]])
    assert.deepStrictEqual(done, ["before", "a", "b"])
    assert.strictEqual(starts, 2)
  })
})
