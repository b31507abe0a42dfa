import { Binding, type Bound } from "@daylight/core"
import type { Launcher } from "@daylight/runtime-kernel"
import * as Effect from "effect/Effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { isAlive, openSession, pause, type Session, withSession } from "./support/session.ts"

const mebibyte = 2 ** 20

/** What ends a process or has to be ended, and how it is told. */
const deaths: ReadonlyArray<readonly [what: string, code: string, stage: string, name: string, cpu?: "10 seconds"]> = [
  ["a loop that does not yield", "while (true) {}", "timeout", "TimeoutError"],
  ["a loop after an await", "await null; for (;;);", "timeout", "TimeoutError"],
  [
    "endless microtasks",
    "const spin = async () => { await null; return spin() }\nawait spin()",
    "timeout",
    "TimeoutError"
  ],
  ["a hung await", "await new Promise(() => {})", "timeout", "TimeoutError"],
  [
    "a native sort that never ends",
    "const n = 2e7; const a = new Float64Array(n).map(() => Math.random()); for (;;) a.slice().sort()",
    "timeout",
    "TimeoutError"
  ],
  [
    "one long native call",
    "[...'x'.repeat(28)].map(String); 'x'.repeat(2 ** 28).replace(/(x+x+)+(?=y)\\1/, '')",
    "timeout",
    "TimeoutError"
  ],
  [
    "too many objects",
    "const hog = []; for (;;) hog.push(new Array(1000).fill({}))",
    "limit",
    "MemoryLimit",
    "10 seconds"
  ],
  [
    "memory beside the heap",
    "const hog = []; for (;;) { hog.push(new Uint8Array(2e7).fill(1)); await 0 }",
    "limit",
    "MemoryLimit",
    "10 seconds"
  ]
]

describe("a cell that ends badly", () => {
  let session: Session
  beforeAll(async () => {
    session = await openSession({ limits: { heapBytes: 96 * mebibyte, residentBytes: 512 * mebibyte } })
    await session.value("const kept = { n: 7 }; function twice(x) { return x * 2 }")
  })
  afterAll(() => session.close())

  for (const [what, code, stage, name, cpu = "300 millis"] of deaths) {
    it(`${what} is a typed result, and the next cell works`, async () => {
      const problem = await session.problem(code, { cpu, time: cpu === "10 seconds" ? cpu : "2 seconds" })
      assert.deepStrictEqual([problem.stage, problem.name], [stage, name])
      assert.deepStrictEqual(await session.value("twice(kept.n)"), 14)
    }, 30_000)
  }

  for (const signal of ["SIGSEGV", "SIGABRT", "SIGKILL", "SIGTERM", "SIGINT"] as const) {
    it(`${signal} from outside is a typed result, and the next cell works`, async () => {
      await session.value("1")
      const { ran } = session.start("await new Promise(() => {})")
      await pause(30)
      await session.kill(signal)
      const { report } = await ran
      assert.deepStrictEqual([report.problem?.stage, report.problem?.name], ["crash", "Crash"])
      assert.include(report.problem?.message, signal)
      assert.deepStrictEqual(await session.value("twice(kept.n)"), 14)
    })
  }

  it("a flood of output is cut and said", async () => {
    const { report } = await session.run("for (let i = 0; i < 1e5; i++) console.log('spam'.repeat(100))", {
      outputBytes: 1_000
    })
    assert.include(report.stdout, "output limit")
  })

  it("a flood of timers is refused", async () => {
    const { message } = await session.problem("for (let i = 0; i < 1e5; i++) setInterval(() => {}, 60_000)")
    assert.include(message, "too many timers")
  })
})

describe("while a cell misbehaves", () => {
  it("the host goes on", async () => {
    await withSession({}, async (session) => {
      await session.value("1")
      let ticks = 0
      const timer = setInterval(() => ticks++, 10)
      await session.problem("const a = new Float64Array(1e7).map(() => Math.random()); for (;;) a.slice().sort()", {
        cpu: "500 millis"
      })
      clearInterval(timer)
      assert.isAbove(ticks, 20)
    })
  })

  it("a stopped loop keeps its state and its process", async () => {
    await withSession({}, async (session) => {
      await session.value("let count = 0")
      const { pid } = session.state()
      await session.problem("count = 5; while (true) {}", { cpu: "100 millis" })
      assert.strictEqual(await session.value("count"), 5)
      assert.strictEqual(session.state().pid, pid)
    })
  })

  it("an interrupt reaches a loop that does not yield, and keeps its state", async () => {
    await withSession({}, async (session) => {
      await session.value("let n = 0")
      const { pid } = session.state()
      const { interrupt } = session.start("for (;;) n++", { cpu: "1 minute", time: "1 minute" })
      await pause(50)
      const at = performance.now()
      await interrupt()
      assert.isBelow(performance.now() - at, 240)
      assert.isAbove(await session.value("n") as number, 0)
      assert.strictEqual(session.state().pid, pid)
    })
  })

  it("an interrupt ends a native call with its process", async () => {
    await withSession({}, async (session) => {
      await session.value("const kept = 1")
      const { interrupt } = session.start(
        "const a = new Float64Array(2e7).map(() => Math.random()); for (;;) a.slice().sort()",
        { cpu: "1 minute" }
      )
      await pause(400)
      await interrupt()
      assert.strictEqual(await session.value("kept"), 1)
    })
  })
})

describe("processes", () => {
  it("begin with the first cell and end with the session", async () => {
    const session = await openSession({ bindings: [Binding.variable("a", [1, 2]) as Bound] })
    assert.isUndefined(session.state().pid)
    assert.deepStrictEqual(await session.get("a"), [1, 2])
    assert.isUndefined(session.state().pid)
    await session.value("a.length")
    const { pid } = session.state()
    await session.close()
    assert.isFalse(isAlive(pid!))
  })

  it("are replaced by a spare that is ready", async () => {
    await withSession({ spare: true }, async (session) => {
      await session.value("const kept = [1, 2, 3]")
      await pause(1_500)
      await session.kill()
      const at = performance.now()
      assert.deepStrictEqual(await session.value("kept"), [1, 2, 3])
      assert.isBelow(performance.now() - at, 1_000)
      assert.strictEqual(session.state().starts, 2)
    })
  })

  it("that cannot start say why", async () => {
    await withSession({ node: "/no/such/node" }, async (session) => {
      const error = await session.run("1").catch((error: unknown) => error)
      assert.include(String((error as Error).message), "could not start")
    })
  })

  it("are shared by namespaces near each other, and go with the last", async () => {
    const parent = await openSession()
    await parent.value("let mine = 1")
    const child = await openSession({ near: parent })
    await child.value("let mine = 2")
    const { pid } = child.state()
    assert.strictEqual(pid, parent.state().pid)
    await parent.close()
    assert.strictEqual(await child.value("mine"), 2)
    await child.close()
    assert.isFalse(isAlive(pid!))
  })

  it("that die take all namespaces near each other, which come back one by one", async () => {
    const parent = await openSession()
    await parent.value("let mine = 1")
    const child = await openSession({ near: parent })
    await child.value("let mine = 2")
    await pause(20)
    await parent.kill()
    assert.deepStrictEqual([await child.value("mine"), await parent.value("mine")], [2, 1])
    await parent.close()
    await child.close()
  })
})

describe("at the edges of life", () => {
  it("several first cells start one process, and run in order", async () => {
    await withSession({}, async (session) => {
      const values = await Promise.all(
        [1, 2, 3].map((n) => session.value(`(globalThis.log ??= []).push(${n}); [...log]`))
      )
      assert.deepStrictEqual(values, [[1], [1, 2], [1, 2, 3]])
      assert.strictEqual(session.state().starts, 1)
    })
  })

  it("a start that failed leaves nothing behind, and the next one works", async () => {
    let starts = 0
    const launcher: Launcher = (command) => starts++ === 0 ? { ...command, command: "/no/such/command" } : command
    await withSession({ launcher }, async (session) => {
      const error = await session.run("1").catch((error: unknown) => error)
      assert.include((error as Error).message, "could not start")
      assert.isUndefined(session.state().pid)
      assert.strictEqual(await session.value("2"), 2)
    })
  })

  it("what was printed before the process was ended is kept", async () => {
    await withSession({}, async (session) => {
      const code =
        "console.log('so far'); console.error('so good'); const a = new Float64Array(4e6).map(() => Math.random()); for (;;) a.slice().sort()"
      const { report } = await session.run(`${code}`, { cpu: "300 millis" })
      assert.strictEqual(report.problem?.name, "TimeoutError")
      assert.include(report.stdout, "so far")
    })
  })

  it("a session that closes ends the cell that runs", async () => {
    const session = await openSession()
    await session.value("1")
    const { ran } = session.start("await new Promise(() => {})")
    await pause(20)
    const { pid } = session.state()
    await session.close()
    await session.close()
    assert.include(["Closed", "Interrupted"], (await ran).report.problem?.name)
    assert.isFalse(isAlive(pid!))
    const error = await session.run("1").catch((error: unknown) => error)
    assert.include((error as Error).message, "closed with its session")
  })

  it("an interrupt, even a repeated one, never reaches the next cell", async () => {
    await withSession({}, async (session) => {
      await session.value("1")
      for (let i = 0; i < 5; i++) {
        const { interrupt } = session.start("await new Promise(() => {})")
        await pause(5)
        await Promise.all([interrupt(), interrupt()])
        assert.strictEqual(await session.value("await new Promise((done) => setTimeout(done, 5, 'done'))"), "done")
      }
      assert.strictEqual(session.state().starts, 1)
    })
  })

  it("a cell queued behind a reset runs in the new namespace", async () => {
    await withSession({}, async (session) => {
      await session.value("const before = 1")
      const reset = Effect.runPromise(session.runtime.reset)
      assert.strictEqual(await session.value("typeof before"), "undefined")
      await reset
    })
  })

  it("cells that hide what the runtime stands on harm nobody", async () => {
    await withSession({}, async (session) => {
      await session.value(
        "const Object = 1, Array = 2, Promise = 3, JSON = 4, Map = 5, Symbol = 6, globalThis = 7, console = 8; let kept = { a: [1] }; kept.a"
      )
      await pause(20)
      await session.kill()
      assert.deepStrictEqual(await session.value("kept.a[0] + Map"), 6)
    })
  })
})

describe("after a loss", () => {
  it("variables are as the last snapshot has them, and what is lost is told", async () => {
    await withSession(
      { bindings: [Binding.func((x: number) => x + 1, { name: "inc", effect: "none" }) as Bound] },
      async (session) => {
        await session.value(`
        const rows = [{ id: 1 }]; const same = rows; const map = new Map([["a", { rows }]])
        class Acc { items = []; add(x) { this.items.push(x); return this } }
        const acc = new Acc().add(1); const arrow = (x) => inc(x) * 2
        const counter = (() => { let n = 0; return () => ++n })(); const pending = new Promise(() => {})
        const nested = { deep: [1, { counter }] }; const error = new RangeError("kept"); const cyclic = {}; cyclic.me = cyclic`)
        await session.value("rows.push({ id: 2 })")
        await session.value("globalThis.big = 10n; const bytes = new Uint16Array([1, 500])")
        await pause(20)
        await session.kill()
        const { report, value } = await session.run(`
        [rows === same, rows === map.get("a").rows, rows.length, acc instanceof Acc, acc.add(2).items.length, arrow(1), error instanceof RangeError,
         error.message, cyclic.me === cyclic, big, bytes[1], typeof counter, typeof pending]`)
        assert.deepStrictEqual(value, [
          true,
          true,
          2,
          true,
          2,
          4,
          true,
          "kept",
          true,
          10n,
          500,
          "undefined",
          "undefined"
        ])
        const lost = report.namespace.lost.map(({ name, path }) => `${name}: ${path}`)
        assert.deepStrictEqual(lost.sort(), ["counter: counter", "nested: nested.deep[1].counter", "pending: pending"])
      }
    )
  })

  it("bindings are there again, and live objects that cells kept", async () => {
    class Table {
      rows = 3
      query() {
        return { close: () => "closed", rows: this.rows }
      }
    }
    const table = new Table()
    await withSession({ bindings: [Binding.variable("table", table) as Bound] }, async (session) => {
      await session.value("const cursor = table.query(); table.rows = 4")
      await pause(20)
      await session.kill()
      assert.deepStrictEqual(await session.value("[cursor.close(), cursor.rows, table.rows, table.query().rows]"), [
        "closed",
        3,
        4,
        4
      ])
    })
  })
})
