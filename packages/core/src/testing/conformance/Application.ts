import * as Schema from "effect/Schema"
import { Binding, type Bound } from "../../Binding.ts"
import { Platform } from "../../Platform.ts"
import { Group } from "./Case.ts"
import { equal, fail, identical, includes, rejects } from "./Check.ts"
import { type Opened, promise } from "./Opened.ts"

const bound = (...bindings: ReadonlyArray<Binding>) => ({ bindings: bindings as ReadonlyArray<Bound> })

class Lamp {
  #on = false
  readonly room: string
  constructor(room: string) {
    this.room = room
  }
  get on(): boolean {
    return this.#on
  }
  turn(on: boolean): boolean {
    this.#on = on
    return this.#on
  }
}

/** Three points and a line, without a library. */
class Path {
  readonly points: Array<{ readonly x: number }> = [{ x: 1 }, { x: 2 }]
  async *later() {
    yield* this.points
  }
  *[Symbol.iterator]() {
    yield* this.points
  }
}

const lamp = new Lamp("hall")
const sendCall = (text: string): string => text

export const bindings = new Group("bindings")
  .test(
    "a variable is there",
    async ({ value }) => equal(await value("orders.map((o) => o.id)"), [1, 2], "value"),
    bound(Binding.variable("orders", [{ id: 1 }, { id: 2 }]))
  )
  .test("a variable may be assigned", async ({ get, value }) => {
    await value("limit = limit + 1")
    equal(await get("limit"), 11, "limit")
  }, bound(Binding.variable("limit", 10)))
  .test("a variable may be declared again", async ({ get, value }) => {
    await value("const limit = 'mine'")
    equal(await get("limit"), "mine", "limit")
  }, bound(Binding.variable("limit", 10)))
  .test("an object keeps its methods, getters and private state", async ({ value }) => {
    equal(
      await value("const before = lamp.on; lamp.turn(true); [before, lamp.on, lamp.room]"),
      [false, true, "hall"],
      "lamp"
    )
  }, bound(Binding.variable("lamp", new Lamp("hall"))))
  .test("an object is iterated", async ({ value }) => {
    equal(
      await value("let sum = 0; for (const p of path) sum += p.x\nfor await (const p of path.later()) sum += p.x\nsum"),
      6,
      "sum"
    )
  }, bound(Binding.variable("path", new Path())))
  .test("a class can be constructed and tested for", async ({ value }) => {
    equal(await value("const l = new Lamp('attic'); [l.room, l instanceof Lamp, {} instanceof Lamp, l.turn(true)]"), [
      "attic",
      true,
      false,
      true
    ], "value")
  }, bound(Binding.type(Lamp)))
  .test("a class can be extended", async ({ value }) => {
    equal(
      await value(
        "class Bright extends Lamp { turn(on) { return super.turn(on) && 'bright' } }\nnew Bright('x').turn(true)"
      ),
      "bright",
      "value"
    )
  }, bound(Binding.type(Lamp)))
  .test(
    "a type without a class is no value",
    async ({ value }) => equal(await value("typeof Order"), "undefined", "Order"),
    bound(Binding.type("interface Order { id: number }"))
  )
  .test(
    "errors of the application are errors in a cell",
    async ({ value }) => {
      equal(
        await value(
          "let e; try { failing.now() } catch (error) { e = error }\n[e instanceof RangeError, e instanceof Error, e.message]"
        ),
        [true, true, "no"],
        "error"
      )
    },
    bound(Binding.variable("failing", {
      now: () => {
        throw new RangeError("no")
      }
    }))
  )
  .test(
    "values of the application pass instanceof",
    async ({ value }) => {
      equal(await value("[list instanceof Array, map instanceof Map, when instanceof Date, plain instanceof Object]"), [
        true,
        true,
        true,
        true
      ], "instanceof")
    },
    bound(
      Binding.variable("list", []),
      Binding.variable("map", new Map()),
      Binding.variable("when", new Date(0)),
      Binding.variable("plain", {})
    )
  )
  .test(
    "callbacks cross",
    async ({ value }) => equal(await value("await twice((x) => x + 1, 5)"), 7, "value"),
    bound(
      Binding.variable("twice", async (f: (x: number) => number | Promise<number>, x: number) => f(await f(x)))
    )
  )
  .test(
    "callbacks give their result at once",
    async ({ value }) => equal(await value("twice((x) => x + 1, 5)"), 7, "value"),
    {
      ...bound(Binding.variable("twice", (f: (x: number) => number, x: number) => f(f(x)))),
      needs: ["synchronousCallbacks"]
    }
  )
  .test(
    "a function cannot be assigned",
    async ({ problem, value }) => {
      const { hint, message, name } = await problem("search = 1")
      equal(name, "TypeError", "name")
      includes(message, "read-only", "message")
      includes(hint ?? "", "another name", "hint")
      equal(await value("await search('x')"), "found x", "search")
    },
    bound(Binding.func(async function search(text: string) {
      return `found ${text}`
    }, { name: "search" }))
  )
  .test(
    "a function cannot be declared again, and nothing runs",
    async ({ problem, value }) => {
      await value("let ran = false")
      for (
        const code of [
          "ran = true\nconst search = 1",
          "ran = true; function search() {}",
          "ran = true; class search {}"
        ]
      ) {
        includes((await problem(code)).message, "search", "message")
      }
      equal(await value("ran"), false, "ran")
    },
    bound(Binding.func(async function search(text: string) {
      return `found ${text}`
    }, { name: "search" }))
  )
  .test(
    "a type cannot be assigned",
    async ({ problem }) => includes((await problem("Lamp = 1")).message, "read-only", "message"),
    bound(Binding.type(Lamp))
  )
  .test(
    "an object with a contract cannot be assigned",
    async ({ problem }) => includes((await problem("lamp = 1")).message, "read-only", "message"),
    bound(Binding.variable("lamp", new Lamp("hall"), { contract: { turn: {} } }))
  )
  .test("a builtin is called directly", async ({ bind, calls, problem, value }) => {
    let answer: unknown
    await bind({
      _tag: "Builtin",
      name: "finish",
      declaration: "declare function finish(value: unknown): void",
      call: (value) => {
        answer = value
      }
    })
    await value("finish({ done: true })")
    equal(answer, { done: true }, "answer")
    equal(calls.length, 0, "calls of the boundary")
    await problem("finish = 1")
  })
  .test("bindings may come later", async ({ bind, value }) => {
    await value("typeof late")
    await bind(Binding.variable("late", 5) as Bound)
    equal(await value("late"), 5, "late")
  })
  .test("a binding may be bound again", async ({ bind, value }) => {
    await bind(Binding.variable("setting", 2) as Bound)
    equal(await value("setting"), 2, "setting")
  }, bound(Binding.variable("setting", 1)))
  .test("a binding does not overwrite a variable of a cell", async (opened) => {
    await opened.value("const mine = 1")
    await rejects(opened.bind(Binding.variable("mine", 2) as Bound), "InvalidInput")
    equal(await opened.value("mine"), 1, "mine")
  })
  .test("two bindings of one name are refused together", async (opened) => {
    await rejects(
      opened.bind(
        Binding.variable("a", 1) as Bound,
        Binding.variable("b", 1) as Bound,
        Binding.variable("a", 2) as Bound
      ),
      "InvalidInput"
    )
    equal(await opened.value("typeof b"), "undefined", "b")
  })
  .test("unbound is gone", async ({ runtime, value }) => {
    await promise(runtime.unbind(["search", "limit"]))
    equal(await value("[typeof search, typeof limit]"), ["undefined", "undefined"], "types")
  }, bound(Binding.func(async function search() {}, { name: "search" }), Binding.variable("limit", 1)))

const send = Binding.func(async function send(to: string, text: string) {
  return `${to}: ${text}`
}, { name: "send", effect: "external" })
const add = Binding.func((a: number, b: number) => a + b, { name: "add", effect: "none" })

export const boundary = new Group("boundary")
  .test(
    "a function gives a promise",
    async ({ value }) =>
      equal(await value("const p = send('a', 'b'); [p instanceof Promise, await p]"), [true, "a: b"], "value"),
    bound(send)
  )
  .test(
    "a synchronous function gives a promise too",
    async ({ value }) => equal(await value("const p = now(); [p instanceof Promise, await p]"), [true, 5], "value"),
    bound(Binding.func(() => 5, { name: "now" }))
  )
  .test(
    "one declared harmless stays synchronous",
    async ({ value }) => equal(await value("add(add(1, 2), 3)"), 6, "value"),
    bound(add)
  )
  .test("calls are recorded in order", async ({ calls, value }) => {
    await value("await send('a', '1'); add(1, 2); await Promise.all([send('b', '2'), send('c', '3')])")
    equal(calls.filter(({ what }) => what === "started").map(({ args, ordinal, path }) => [ordinal, path, args]), [
      [0, "send", ["a", "1"]],
      [1, "add", [1, 2]],
      [2, "send", ["b", "2"]],
      [3, "send", ["c", "3"]]
    ], "calls")
  }, bound(send, add))
  .test("numbers begin again with each cell", async ({ calls, value }) => {
    await value("await send('a', '1')")
    await value("await send('b', '2')")
    equal(
      calls.filter(({ what }) => what === "started").map(({ cell, ordinal }) => [cell, ordinal]),
      [[1, 0], [2, 0]],
      "numbers"
    )
  }, bound(send))
  .test(
    "wrong arguments are an error in the cell and no call",
    async ({ calls, problem, value }) => {
      const { hint, name } = await problem("await rate(3)")
      equal(name, "HostCallError", "name")
      includes(hint ?? "", "declaration", "hint")
      equal(
        await value("let tag; try { await rate(3) } catch (e) { tag = e.reason._tag }\ntag"),
        "InvalidArguments",
        "tag"
      )
      equal(calls.map(({ what }) => what), ["refused", "refused"], "calls")
    },
    bound(Binding.func(async function rate(stars: string) {
      return stars
    }, { name: "rate", input: Schema.Tuple([Schema.String]) }))
  )
  .test("a refusal is an error in the cell and no call", async ({ calls, problem, value }) => {
    const { column, hint, line, message } = await problem("const x = 1\nawait send('a', 'b')")
    includes(message, "not today", "message")
    includes(hint ?? "", "did nothing", "hint")
    equal([line, column], [2, 7], "place")
    equal(await value("await send('a', 'b').catch((e) => e.reason._tag)"), "Denied", "tag")
    equal(calls.every(({ what }) => what === "refused"), true, "calls")
  }, { ...bound(send), decide: () => "not today" })
  .test("a decision may take its time, and siblings go on", async ({ value }) => {
    equal(
      await value(
        "const order = []; await Promise.all([send('slow', '').then(() => order.push('slow')), send('fast', '').then(() => order.push('fast'))]); order"
      ),
      [
        "fast",
        "slow"
      ],
      "order"
    )
  }, {
    ...bound(send),
    decide: ({ args }) => args[0] === "slow" ? new Promise((done) => setTimeout(done, 30, undefined)) : undefined
  })
  .test("clocks stop while it takes its time", async ({ run }) => {
    const { report } = await run("await send('a', 'b')", { time: "50 millis" })
    equal(report.problem, undefined, "problem")
  }, { ...bound(send), decide: () => new Promise((done) => setTimeout(done, 200, undefined)) })
  .test("a synchronous call is refused where the decision takes its time", async ({ problem }) => {
    includes((await problem("add(1, 2)")).message, "add", "message")
  }, { ...bound(add), decide: () => new Promise(() => {}) })
  .test(
    "an error of the application passes through as it is",
    async ({ problem, value }) => {
      const { line, message, name } = await problem("\nawait pay(5)")
      equal([name, message, line], ["RangeError", "too much", 2], "problem")
      equal(await value("await pay(5).catch((e) => [e instanceof RangeError, e.code])"), [true, "E_MUCH"], "caught")
    },
    bound(Binding.func(async function pay(amount: number) {
      throw Object.assign(new RangeError("too much"), { amount, code: "E_MUCH" })
    }, { name: "pay" }))
  )
  .test("a method with a contract passes, the others do not", async ({ calls, value }) => {
    equal(await value("const p = lamp.turn(true); [p instanceof Promise, await p, lamp.on, lamp.room]"), [
      true,
      true,
      true,
      "hall"
    ], "lamp")
    const called = calls.filter(({ operation, what }) => what === "started" && operation === "call")
    equal(called.map(({ path }) => path), ["lamp.turn"], "calls")
  }, bound(Binding.variable("lamp", new Lamp("hall"), { contract: { turn: {} } })))
  .test(
    "the application can ask who calls",
    async ({ value }) => {
      equal(await value("await who()"), { agent: ["conformance"], cell: 1, ordinal: 0 }, "context")
    },
    bound(Binding.func(async function who() {
      await Promise.resolve()
      const context = Platform.defaultValue().current() ?? fail("no context")
      return { agent: context.agent, cell: context.cell, ordinal: context.ordinal }
    }, { name: "who" }))
  )
  .test(
    "a call that failed unawaited is a stray",
    async ({ run, value }) => {
      await value("pay(5); 1")
      includes((await run("await new Promise((done) => setTimeout(done, 30))")).report.stderr, "too much", "stderr")
    },
    bound(Binding.func(async function pay(amount: number) {
      await new Promise((done) => setTimeout(done, 5))
      throw new Error(`${amount} is too much`)
    }, { name: "pay" }))
  )
  .test(
    "a call may be awaited by a later cell",
    async ({ value }) => {
      await value("const later = slow(); 1")
      equal(await value("await later"), "slow", "later")
    },
    bound(Binding.func(async function slow() {
      await new Promise((done) => setTimeout(done, 20))
      return "slow"
    }, { name: "slow" }))
  )
  .test(
    "an error of the cell does not end calls under way",
    async ({ calls, problem, value }) => {
      await problem("globalThis.later = slow(); await Promise.all([later, Promise.reject(new Error('sibling'))])")
      equal(await value("await later"), "slow", "later")
      equal(calls.map(({ what }) => what), ["started", "completed"], "calls")
    },
    bound(Binding.func(async function slow() {
      await new Promise((done) => setTimeout(done, 20))
      return "slow"
    }, { name: "slow" }))
  )
  .test("no call begins while no cell runs", async ({ calls, value }) => {
    await value("setTimeout(() => send('late', '').catch(() => {}), 10);")
    await new Promise((done) => setTimeout(done, 50))
    equal(calls.length, 0, "calls")
  }, bound(send))

export const retrieval = new Group("get and set")
  .test("get gives what a cell made", async ({ get, value }) => {
    await value("const chart = { type: 'bar', data: [1, 2] }")
    equal(await get("chart"), { type: "bar", data: [1, 2] }, "chart")
  })
  .test("the very same object goes in and comes out", async ({ get, set, value }) => {
    const table = { rows: [1, 2, 3], self: undefined as unknown }
    table.self = table
    await set("table", table)
    await value("const alias = table; table.rows.push(4)")
    identical(await get("alias"), table, "alias")
    equal(table.rows, [1, 2, 3, 4], "rows")
  }, { needs: ["sameReferences"] })
  .test("what stands for an object of the application is the object again outside", async ({ get, run, value }) => {
    identical(await get("lamp"), lamp, "lamp")
    identical(await get("send"), sendCall, "send")
    identical((await run("lamp")).value, lamp, "value of a cell")
    identical(await value("await same(lamp)"), true, "argument")
  }, {
    ...bound(
      Binding.variable("lamp", lamp, { contract: { turn: {} } }),
      Binding.func(sendCall, { name: "send" }),
      Binding.func(async (x: unknown) => x === lamp, { name: "same" })
    ),
    needs: ["sameReferences"]
  })
  .test("a bound object is the same for the cell and outside", async ({ get, value }) => {
    await value("shared.n = 7")
    equal(await get("shared"), { n: 7 }, "shared")
  }, bound(Binding.variable("shared", { n: 1 })))
  .test("set makes a variable", async ({ set, value }) => {
    await set("given", [1, 2])
    equal(await value("given.length"), 2, "length")
  })
  .test("set replaces one", async ({ set, value }) => {
    await value("let n = 1; const read = () => n")
    await set("n", 2)
    equal(await value("[n, read()]"), [2, 2], "n")
  })
  .test("null and undefined are values", async ({ get, value }) => {
    await value("const nothing = null; const unknown = undefined")
    equal([await get("nothing"), await get("unknown")], [null, undefined], "values")
  })
  .test(
    "get of nothing fails by name",
    async ({ get }) => includes(await rejects(get("nowhere"), "RuntimeError"), "nowhere", "message")
  )
  .test("remove takes a variable away", async ({ problem, runtime, value }) => {
    await value("let n = 1; function f() {}")
    equal(
      [await promise(runtime.remove("n")), await promise(runtime.remove("f")), await promise(runtime.remove("n"))],
      [true, true, false],
      "removed"
    )
    await problem("n")
    equal(await value("typeof f"), "undefined", "f")
  })
  .test(
    "get before the first cell gives a binding",
    async ({ get }) => equal(await get("early"), 3, "early"),
    bound(Binding.variable("early", 3))
  )

export const reset = new Group("reset")
  .test("drops what cells made", async ({ reset, value }) => {
    await value("const a = 1; function f() {}; class A {}")
    await reset()
    equal(await value("[typeof a, typeof f, typeof A]"), ["undefined", "undefined", "undefined"], "types")
  })
  .test("keeps what was bound, as it was given", async ({ reset, value }) => {
    await value("limit = 99")
    await reset()
    equal(await value("[limit, await send('a', 'b')]"), [10, "a: b"], "bindings")
  }, bound(Binding.variable("limit", 10), send))
  .test("keeps what was bound later", async ({ bind, reset, value }) => {
    await value("1")
    await bind(Binding.variable("late", 5) as Bound)
    await reset()
    equal(await value("late"), 5, "late")
  })
  .test("gives hidden globals back", async ({ reset, value }) => {
    await value("const URL = 1")
    await reset()
    equal(await value("typeof URL"), "function", "URL")
  })
  .test("waits for a running cell", async ({ reset, start, value }) => {
    const started = start("await new Promise((done) => setTimeout(done, 40)); const kept = 1; kept")
    await reset()
    equal((await started.result).value, 1, "value")
    equal(await value("typeof kept"), "undefined", "kept")
  })
  .test("before a first cell is no matter", async ({ reset, value }) => {
    await reset()
    equal(await value("1"), 1, "value")
  })
  .test("a closed runtime says so", async (opened: Opened) => {
    await opened.value("const a = 1")
    await opened.close()
    await rejects(opened.run("a"), "RuntimeError")
  })
