import { Binding, type Bound } from "@daylight/core"
import type { Launcher } from "@daylight/runtime-kernel"
import * as Effect from "effect/Effect"
import { readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { isAlive, openSession, pause, type Session, withSession } from "./support/session.ts"

const mebibyte = 2 ** 20

interface Death {
  readonly what: string
  readonly code: string
  readonly stage: string
  readonly name: string
  /** Its process and its state stay. */
  readonly stays?: boolean
  /** Milliseconds without yielding, and in all. */
  readonly cpu?: number
  readonly time?: number
}

const timeout = { stage: "timeout", name: "TimeoutError" } as const
const memory = { stage: "limit", name: "MemoryLimit", stays: false, cpu: 10_000, time: 10_000 } as const

/** What ends a process or has to be ended, and how it is told. */
const deaths: ReadonlyArray<Death> = [
  { what: "a loop that does not yield", code: "while (true) {}", ...timeout, stays: true },
  { what: "a loop after an await", code: "await null; for (;;);", ...timeout, stays: true },
  {
    what: "a loop in a timer",
    code: "await new Promise(() => setTimeout(() => { for (;;); }, 1))",
    ...timeout,
    stays: true
  },
  { what: "a loop in a callback of the host", code: "await tools.each(() => { for (;;); })", ...timeout, stays: true },
  {
    what: "a loop that catches what stops it",
    code: "for (;;) { try { for (;;); } catch {} }",
    ...timeout,
    stays: true
  },
  {
    what: "endless microtasks",
    code: "Promise.resolve().then(function again() { return Promise.resolve().then(again) }); for (;;) await null",
    ...timeout,
    stays: true
  },
  { what: "a hung await", code: "await new Promise(() => {})", ...timeout, stays: true, time: 500 },
  { what: "a hung call of the host", code: "await tools.never()", ...timeout, stays: true, time: 500 },
  {
    what: "timers without end",
    code: "for (;;) await new Promise((done) => setTimeout(done, 1))",
    ...timeout,
    stays: true,
    time: 500
  },
  {
    what: "a recursion of promises, which fills the heap as well",
    code: "const spin = async () => { await null; return spin() }\nawait spin()",
    ...timeout
  },
  {
    what: "a regular expression that explodes",
    code: "/(x+x+)+(?=y)\\1/.test('x'.repeat(40))",
    ...timeout,
    stays: true
  },
  {
    what: "one long native call",
    code: "new Array(4e8).fill(1).join('-').length",
    ...timeout,
    stays: false
  },
  { what: "too many objects", code: "const hog = []; for (;;) hog.push(new Array(1000).fill({}))", ...memory },
  { what: "one object that is too large", code: "const hog = new Array(3e7).fill(1.5).map((x) => ({ x }))", ...memory },
  {
    what: "memory beside the heap",
    code: "const hog = []; for (;;) { hog.push(new Uint8Array(2e7).fill(1)); await 0 }",
    ...memory
  },
  {
    what: "the end of the process, asked for",
    code: "process.exit(0)",
    stage: "run",
    name: "ReferenceError",
    stays: true
  }
]

/** What a busy machine may take beyond a limit to end a process and begin another. */
const patience = 4_000

describe("a cell that ends badly", () => {
  const tools = {
    never: () => new Promise(() => {}),
    each: async (call: () => unknown) => call()
  }
  let session: Session
  beforeAll(async () => {
    session = await openSession({
      limits: { heapBytes: 96 * mebibyte, residentBytes: 512 * mebibyte },
      bindings: [Binding.variable("tools", tools) as Bound]
    })
    await session.value("const kept = { n: 7 }; function twice(x) { return x * 2 }")
  })
  afterAll(() => session.close())

  for (const { code, cpu = 300, name, stage, stays, time = 3_000, what } of deaths) {
    it(`${what} is a typed result within its limit, and the next cell works`, async () => {
      await session.value("1")
      const { pid } = session.state()
      const began = performance.now()
      const problem = await session.problem(code, { cpu: `${cpu} millis`, time: `${time} millis` })
      assert.isBelow(performance.now() - began, Math.max(cpu, time) + patience)
      assert.deepStrictEqual([problem.stage, problem.name], [stage, name])
      assert.deepStrictEqual(await session.value("twice(kept.n)"), 14)
      if (stays !== undefined) assert.strictEqual(session.state().pid === pid, stays)
    }, 30_000)
  }

  for (const signal of ["SIGSEGV", "SIGABRT", "SIGKILL", "SIGTERM"] as const) {
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

  it("a launcher that refuses leaves no folder behind, and says why", async () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("daylight-kernel-")).length
    const refusing: Launcher = () => {
      throw new Error("not on a Sunday")
    }
    await withSession({ launcher: refusing }, async (session) => {
      const before = folders()
      for (let i = 0; i < 20; i++) {
        const error = await session.run("1").catch((error: unknown) => error)
        assert.include((error as Error).message, "not on a Sunday")
      }
      // Others may begin and end meanwhile.
      assert.isBelow(folders(), before + 20)
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
  it("what the last cell made is there, or is told as lost: also where the process ends at once", () =>
    withSession({}, async (session) => {
      await session.value("const first = 1; let sum = 0")
      for (const size of [1, 10, 100, 40_000_000, 1, 20_000_000]) {
        await session.value(`const made = "x".repeat(${size}).split("x"); sum += 1`)
        await session.kill()
        const { report, value } = await session.run("[typeof made, sum, first]")
        const lost = report.namespace.lost.map(({ name }) => name)
        const [kind, sum, first] = value as [string, number, number]
        assert.strictEqual(first, 1)
        assert.strictEqual(kind, lost.includes("made") ? "undefined" : "object", `after ${size}`)
        assert.strictEqual(sum, lost.includes("sum") ? 0 : 1, `after ${size}`)
        await session.value("if (typeof made !== 'undefined') made = undefined; sum = 0")
      }
    }))

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
