import { Binding, type Bound } from "@daylight/core"
import * as Effect from "effect/Effect"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { withForgery } from "../support/forgery.ts"
import type { Session } from "../support/session.ts"

/** What would end a program that has no handlers for it. */
const fatal: Array<unknown> = []
const note = (error: unknown): void => void fatal.push(error)

class Database {
  static readonly kind = "database"
  readonly rows = 1
  read(): number {
    return this.rows
  }
  never(): Promise<never> {
    return new Promise(() => {})
  }
}

const database = new Database()
const bindings = [Binding.variable("db", database) as Bound, Binding.type(Database) as Bound]
const brief = { time: "1 second", cpu: "1 second" } as const

/** Each ends the process, as soon as it is said. */
const refused: ReadonlyArray<readonly [what: string, script: string]> = [
  ["garbage", "on.cell = () => raw(Buffer.from('this is no frame at all, but a long text'))"],
  ["an endless length", "on.cell = () => raw(Buffer.from([255, 255, 255, 255, 1, 2, 3]))"],
  ["nothing as a message", "on.cell = () => put(null)"],
  ["a number as a message", "on.cell = () => put(1)"],
  [
    "text that is nearly a message",
    "on.cell = () => raw(Buffer.concat([Buffer.from([5, 0, 0, 0]), Buffer.from('{\"t\":')]))"
  ],
  ["a payload of more than there is", "on.cell = () => put({ t: 'bulk', bytes: 1e15 })"],
  ["a payload of too much", "on.cell = () => put({ t: 'bulk', bytes: 2 ** 30 + 1 })"],
  ["a payload that it did not write", "on.cell = () => put({ t: 'bulk', bytes: 1e6 })"],
  ["a payload without a size", "on.cell = () => put({ t: 'bulk', bytes: 'many' })"],
  ["a report that is none", "on.cell = (event) => finish(event, { report: {} })"],
  ["no report", "on.cell = (event) => finish(event, { report: undefined })"],
  [
    "a report with a problem that is none",
    "on.cell = (event) => finish(event, { report: { ...report, problem: { stage: 'heaven' } } })"
  ],
  [
    "a report of variables that are none",
    "on.cell = (event) => finish(event, { report: { ...report, namespace: { ...report.namespace, added: [1] } } })"
  ],
  ["a value that is none", "on.cell = (event) => finish(event, { v: undefined })"],
  ["a clock that is none", "on.cell = (event) => finish(event, { clock: ['noon'] })"],
  [
    "a timer without a clock",
    "on.cell = ({ ns, cell }) => put({ t: 'timer', ns, cell, n: 0, after: 0, ms: {}, clock: null })"
  ],
  [
    "a timer without a number",
    "on.cell = ({ ns, cell }) => put({ t: 'timer', ns, cell, n: {}, after: 0, ms: 1, clock: [] })"
  ],
  ["a call without a number", "on.cell = (event) => issue(event, 'first')"],
  ["a call of an object without a number", "on.cell = (event) => issue(event, 0, { id: { valueOf: 1 } })"],
  ["an operation that there is not", "on.cell = (event) => issue(event, 0, { op: 'explode' })"],
  ["a key that is none", "on.cell = (event) => issue(event, 0, { key: { a: 1 } })"],
  ["a namespace that is none", "on.cell = ({ ns }) => put({ t: 'saved', ns, seen: 0, saved: {} })"],
  ["a result with an error that is none", "on.cell = ({ ns }) => { put({ t: 'settled', ns, id: 1, e: 5 }) }"],
  [
    "timers without end",
    "on.cell = ({ ns, cell }) => { for (let n = 0; n < 200; n++) put({ t: 'timer', ns, cell, n, after: 0, ms: 1e6, clock: [] }) }"
  ],
  [
    "calls without end",
    "on.cell = (event) => { for (let n = 0; n < 200; n++) issue(event, n, { op: 'call', key: 'never' }) }"
  ]
]

/** Each is nothing, and the cell goes on. */
const ignored: ReadonlyArray<readonly [what: string, script: string]> = [
  [
    "answers to nothing",
    "put({ t: 'answer', request: 5, v: 1 }); put({ t: 'returned', call: 3 }); put({ t: 'settled', id: 1 })"
  ],
  ["the end of another cell", "finish({ ns: event.ns, cell: 99 }, { report: {} })"],
  ["another namespace", "put({ t: 'printed', ns: 77, text: 'x' }); put({ t: 'operation', ns: -1 })"],
  [
    "objects that nobody holds",
    "put({ t: 'released', id: {}, count: NaN }); put({ t: 'released', id: 1, count: -5 }); put({ t: 'shape', id: {} })"
  ],
  ["a message of no kind", "put({}); put([])"],
  ["print that is no text", "put({ t: 'printed', ns: event.ns, text: { a: 1 } })"]
]

describe("a process that has stopped to be a kernel", () => {
  beforeAll(() => void process.on("uncaughtException", note).on("unhandledRejection", note))
  afterAll(() => void process.off("uncaughtException", note).off("unhandledRejection", note))
  afterEach(() => assert.deepStrictEqual(fatal, []))

  for (const [what, script] of refused) {
    it(
      `is ended: ${what}`,
      () =>
        withForgery(script, { bindings, limits: { timers: 100, pendingCalls: 100 } }, async (session) => {
          const { report } = await session.run("1", brief)
          assert.deepStrictEqual([report.problem?.stage, report.problem?.name], ["crash", "Crash"])
          assert.include(report.problem?.message, "no message")
          assert.isUndefined(session.state().pid)
        }),
      20_000
    )
  }

  for (const [what, script] of ignored) {
    it(
      `is not heard: ${what}`,
      () =>
        withForgery(`on.cell = (event) => { ${script}; finish(event) }`, { bindings }, async (session) => {
          const { report, value } = await session.run("1", brief)
          assert.deepStrictEqual([report.problem?.message, value], [undefined, 1])
        }),
      20_000
    )
  }

  it("cannot fill the file that is for large values", () =>
    withForgery(
      "on.cell = () => { const block = Buffer.alloc(2 ** 24, 1); for (let at = 2 ** 40;; at += block.length) fs.writeSync(5, block, 0, block.length, at) }",
      { limits: { residentBytes: 2 ** 28 } },
      async (session) => {
        const { problem } = (await session.run("1", { time: "20 seconds", cpu: "20 seconds" })).report
        assert.deepStrictEqual([problem?.stage, problem?.name], ["limit", "MemoryLimit"])
      }
    ), 30_000)

  const asked: ReadonlyArray<readonly [what: string, ask: (session: Session) => Effect.Effect<unknown, unknown>]> = [
    ["variables", ({ runtime }) => runtime.describe],
    ["declarations", ({ runtime }) => runtime.declarations],
    ["a snapshot", ({ runtime }) => runtime.snapshot!],
    ["a variable", ({ runtime }) => runtime.get("x")]
  ]
  for (const [what, ask] of asked) {
    it(`gives a typed error where it is asked for ${what} and gives something else`, () =>
      withForgery(
        "on.cell = (event) => finish(event); on.ask = ({ request }) => put({ t: 'answer', request, v: 5 })",
        {},
        async (session) => {
          await session.value("1")
          const error = await Effect.runPromise(Effect.flip(ask(session))) as { readonly _tag: string }
          assert.strictEqual(error._tag, "RuntimeError")
        }
      ), 20_000)
  }

  it("makes nothing of the host's by its description of variables", () =>
    withForgery(
      `on.cell = (event) => finish(event)
      on.ask = ({ request }) => put({ t: "answer", request, v: ["MessageChannel", "Function", "process", "constructor", "Uint8Array"].map((name) => ["a" + name, { d: { is: "builtIn", name } }]) })`,
      {},
      async (session) => {
        await session.value("1")
        const declarations = await Effect.runPromise(session.runtime.declarations)
        assert.include(String(declarations), "aMessageChannel: Error")
        assert.include(String(declarations), "aFunction: Error")
        assert.include(String(declarations), "aUint8Array: Uint8Array")
      }
    ), 20_000)

  it("reaches no more of the host's objects than a cell does, whatever it asks of them", () =>
    withForgery(
      `const keys = ["constructor", "__proto__", "prototype", "__defineGetter__", "hasOwnProperty", "toString", "valueOf", "then"]
      on.cell = (event) => {
        let n = 0
        for (const id of [1, 2, 3]) for (const key of keys) for (const op of ["get", "call", "set", "own", "has"]) {
          issue(event, n++, { id, op, key, sync: true, args: v8.serialize({ d: ["pwned"] }) })
        }
        for (const path of ["Database.prototype", "db.constructor", "db.__proto__", "db.read.constructor", "db.toString", "Database.call", "db.read.bind"]) put({ t: "revive", ns: event.ns, id: 0, path })
        on.answer = (answer) => {
          answers.push(answer)
          if (answers.length < n + 7) return
          const given = answers.filter(({ t, v }) => t === "value" && v.d !== undefined && v.d !== false)
          finish(event, { v: { d: JSON.stringify(given) } })
        }
      }`,
      { bindings },
      async (session) => {
        const { report, value } = await session.run("1", { time: "5 seconds", cpu: "5 seconds" })
        assert.deepStrictEqual([report.problem?.message, value], [undefined, "[]"])
        assert.deepStrictEqual(Object.keys(database), ["rows"])
        assert.deepStrictEqual(Reflect.ownKeys(Database).sort(), ["kind", "length", "name", "prototype"])
      }
    ), 20_000)
})
