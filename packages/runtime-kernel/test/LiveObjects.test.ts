import { Binding, type Bound, HostCallError } from "@daylight/core"
import * as Effect from "effect/Effect"
import { EventEmitter } from "node:events"
import { DatabaseSync } from "node:sqlite"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { HostNamespace } from "../src/host/HostNamespace.ts"
import { openSession, pause, type Session, until, withSession } from "./support/session.ts"

class Item {
  readonly key: string
  constructor(key: string) {
    this.key = key
  }
  get name(): string {
    return `item ${this.key}`
  }
  async later(): Promise<string> {
    return `${this.key}!`
  }
}

class Base {
  inherited(): string {
    return "from the base"
  }
}

class Shop extends Base {
  static readonly kind = "shop"
  readonly items = new Map([["a", new Item("a")], ["b", new Item("b")]])
  readonly log: Array<unknown> = []
  #secret = 1
  title = "first"
  nested = { tags: ["x"], inner: { n: 1 } }
  get secret(): number {
    return this.#secret
  }
  set secret(value: number) {
    this.#secret = value
  }
  self(): this {
    return this
  }
  isSelf(other: unknown): boolean {
    return other === this
  }
  note(value: unknown): void {
    this.log.push(value)
  }
  *boxes(n: number) {
    try {
      for (let i = 0; i < n; i++) yield { i }
    } finally {
      this.log.push("closed")
    }
  }
  async *stream(n: number) {
    for (let i = 0; i < n; i++) yield new Item(String(i))
  }
  async each(call: (n: number) => unknown): Promise<ReadonlyArray<unknown>> {
    return [await call(1), await call(2)]
  }
  sorted(values: Array<number>, compare: (a: number, b: number) => number): Array<number> {
    return values.sort(compare)
  }
  failure: unknown
  fail(): never {
    throw this.failure = Object.assign(new RangeError("no such shop", { cause: new TypeError("deep") }), {
      code: "E_SHOP",
      rows: [1]
    })
  }
  [Symbol.dispose](): void {
    this.log.push("disposed")
  }
  [Symbol.iterator]() {
    return this.items.values()
  }
}

describe("a live object", () => {
  const shop = new Shop()
  const emitter = new EventEmitter()
  const database = new DatabaseSync(":memory:")
  const calls: Array<unknown> = []
  let session: Session
  beforeAll(async () => {
    session = await openSession({
      bindings: [
        Binding.variable("shop", shop) as Bound,
        Binding.variable("emitter", emitter) as Bound,
        Binding.variable("db", database) as Bound,
        Binding.variable("response", new Response("the body", { status: 201, headers: { "x-a": "b" } })) as Bound,
        Binding.variable("tools", { double: (x: number) => x * 2, deep: { list: [1, 2] } }) as Bound,
        Binding.variable("ready", Promise.resolve(new Item("ready"))) as Bound,
        Binding.type(Shop) as Bound,
        Binding.func(async function keep(value: unknown) {
          calls.push(value)
          return value
        }) as Bound
      ]
    })
  })
  afterAll(() => session.close())
  const gives = (what: string, code: string, expected: unknown): void => {
    it(what, async () => assert.deepStrictEqual(await session.value(code), expected))
  }

  gives("has its properties, own and inherited", "[shop.title, shop.secret, shop.inherited(), shop.nested.inner.n]", [
    "first",
    1,
    "from the base",
    1
  ])
  gives(
    "can be written, also through setters and with new properties",
    "shop.title = 'second'; shop.secret = 5; shop.added = 7; [shop.title, shop.secret, shop.added]",
    ["second", 5, 7]
  )
  it("was written in the host", () =>
    assert.deepStrictEqual([shop.title, shop.secret, (shop as { added?: number }).added], ["second", 5, 7]))
  gives("has methods of its members", "shop.items.get('a').name + await shop.items.get('b').later()", "item ab!")
  gives(
    "is one object",
    "[shop.self() === shop, shop.items.get('a') === shop.items.get('a'), shop.isSelf(shop), [...shop][0] === shop.items.get('a')]",
    [true, true, true, true]
  )
  gives("has a class", "[shop instanceof Shop, ({}) instanceof Shop, Shop.kind, new Shop().inherited()]", [
    true,
    false,
    "shop",
    "from the base"
  ])
  gives("lists its keys", "Object.keys(shop).sort().join()", "added,failure,items,log,nested,title")
  gives(
    "can be spread and destructured",
    "const { title, nested: { tags } } = shop; [title, tags.length, 'title' in shop, 'nothing' in shop]",
    ["second", 1, true, false]
  )
  gives(
    "is iterated lazily, and closed when a loop is left",
    "const seen = []; for (const { i } of shop.boxes(1e9)) { seen.push(i); if (i === 2) break }\n[seen, shop.log.at(-1)]",
    [[0, 1, 2], "closed"]
  )
  gives(
    "is iterated asynchronously",
    "const names = []; for await (const item of shop.stream(3)) names.push(item.name)\nnames",
    ["item 0", "item 1", "item 2"]
  )
  gives(
    "calls functions of the cell and waits for them",
    "await shop.each(async (n) => { await null; return n * 10 })",
    [10, 20]
  )
  gives("is disposed", "{ using here = shop }; shop.log.at(-1)", "disposed")
  gives("that is a record with methods", "[tools.double(4), tools.deep.list.length]", [8, 2])
  gives("that is a promise", "[ready instanceof Promise, (await ready).name]", [true, "item ready"])
  gives(
    "that is a database",
    `db.exec("create table t (id integer, name text)"); const insert = db.prepare("insert into t values (?, ?)")
    for (const [id, name] of [[1, "one"], [2, "two"]]) insert.run(id, name)
    const names2 = []; for (const row of db.prepare("select * from t").iterate()) names2.push(row.name);
    [names2, db.prepare("select count(*) n from t").get().n]`,
    [["one", "two"], 2]
  )
  gives("that is a response", "[response.status, response.headers.get('x-a'), response.ok, await response.text()]", [
    201,
    "b",
    true,
    "the body"
  ])
  gives("is shown by its class", "console.log(shop); 1", 1)

  it("is described by its class", async () => {
    const { report } = await session.run("const alias = shop; alias")
    assert.match(report.preview, /^Shop \{\n {2}items: Map\(2\)/)
    assert.deepStrictEqual(report.namespace.added.map(({ name, type }) => [name, type]), [["alias", "Shop"]])
  })

  it("tells its events to a function of a cell", async () => {
    await session.value("const heard = []; const listen = (x) => heard.push(x); emitter.on('news', listen); 1")
    emitter.emit("news", 1)
    emitter.emit("news", { a: 2 })
    await until(() => true)
    assert.deepStrictEqual(await session.value("heard"), [1, { a: 2 }])
    await session.value("emitter.off('news', listen); 1")
    assert.strictEqual(emitter.listenerCount("news"), 0)
  })

  it("throws its errors with name, message, code, cause and both stacks", async () => {
    const value = await session.value(`
      let e; try { shop.fail() } catch (error) { e = error }
      [e.name, e.message, e.code, e.rows, e.cause.name, e.cause.message, e instanceof RangeError, /cell-/.test(e.stack), /LiveObjects/.test(e.farStack)]`)
    assert.deepStrictEqual(value, ["RangeError", "no such shop", "E_SHOP", [1], "TypeError", "deep", true, true, true])
    const problem = await session.problem("\n\nshop.fail()")
    assert.deepStrictEqual([problem.name, problem.message, problem.line], ["RangeError", "no such shop", 3])
  })

  it("gives errors of the cell back as themselves, and errors of the host to the host", async () => {
    const value = await session.value(`
      class Refused extends Error { constructor(why) { super("refused: " + why); this.why = why } }
      const thrown = new Refused("no"); let back; try { await shop.each(() => { throw thrown }) } catch (error) { back = error }
      [back === thrown, back instanceof Refused, back.stack === thrown.stack]`)
    assert.deepStrictEqual(value, [true, true, true])
    await session.value("let ofHost; try { shop.fail() } catch (error) { ofHost = error }\nawait keep({ ofHost })")
    const { ofHost } = calls.at(-1) as { ofHost: unknown }
    assert.strictEqual(ofHost, shop.failure)
    await session.value("ofHost.message = 'changed'; await keep(ofHost)")
    assert.strictEqual((calls.at(-1) as Error).message, "changed")
    assert.notStrictEqual(calls.at(-1), shop.failure)
  })

  it("comes back as itself, wherever it is", async () => {
    await session.value("await keep([shop, { item: shop.items.get('a') }, new Map([[shop, 1]])])")
    const [first, { item }, map] = calls.at(-1) as [unknown, { item: unknown }, Map<unknown, unknown>]
    assert.strictEqual(first, shop)
    assert.strictEqual(item, shop.items.get("a"))
    assert.isTrue(map.has(shop))
    assert.strictEqual(await session.get("shop"), shop)
    await session.value("const mine = shop.items.get('b')")
    assert.strictEqual(await session.get("mine"), shop.items.get("b"))
  })

  it("holds what it reads as a copy that cannot be changed", async () => {
    for (
      const code of [
        "shop.items.set('c', 1)",
        "shop.nested.tags.push('y')",
        "shop.nested.inner.n = 2",
        "shop.log.length = 0"
      ]
    ) {
      assert.strictEqual((await session.problem(code)).name, "TypeError", code)
    }
    assert.deepStrictEqual(shop.nested, { tags: ["x"], inner: { n: 1 } })
  })

  it("that calls back while the cell waits for it says so", async () => {
    assert.strictEqual(
      await session.value(
        "let tag; try { shop.sorted([3, 1, 2], (a, b) => a - b) } catch (e) { tag = e.reason._tag }\ntag"
      ),
      "Reentrant"
    )
  })

  it("does not give what makes code, nor what belongs to all objects", async () => {
    const value = await session.value(`
      [typeof shop.constructor.constructor, shop.__proto__?.constructor?.constructor === undefined, typeof shop.self.constructor("return 1"),
       typeof Reflect.get(shop, "prototype")].join()`).catch((error: unknown) => String(error))
    assert.notInclude(String(value), "object Function")
    const failed = await session.problem("shop.self.constructor('return process')()")
    assert.strictEqual(failed.stage, "run")
    for (
      const code of ["shop.__proto__ = null", "shop.constructor = 1", "shop.self = 1", "shop.__proto__.x = 1; ({}).x"]
    ) {
      await session.run(code)
    }
    assert.strictEqual(shop.self(), shop)
    assert.isUndefined((Object.prototype as { x?: unknown }).x)
    assert.isUndefined((Shop.prototype as { x?: unknown }).x)
  })
})

describe("what a cell made, in the host", () => {
  it("a function is called from outside", async () => {
    await withSession({}, async (session) => {
      await session.value(
        "let n = 0; const add = (x) => n += x; const fail = async () => { throw new RangeError('no') }"
      )
      const add = await session.get("add") as (x: number) => Promise<number>
      assert.strictEqual(await add(5), 5)
      assert.strictEqual(await add(2), 7)
      assert.strictEqual(await session.get("add"), add)
      const fail = await session.get("fail") as () => Promise<never>
      const error = await fail().catch((error: unknown) => error)
      assert.instanceOf(error, RangeError)
      assert.include((error as Error & { readonly farStack: string }).farStack, "cell-")
    })
  })

  it("promises, generators and streams are waited for", async () => {
    await withSession({}, async (session) => {
      await session.value(
        "const later = new Promise((done) => setTimeout(done, 20, 'late')); function* count() { yield 1; yield 2 }\nconst steps = count(); async function* slow() { yield 'a'; yield 'b' }\nconst stream = slow(); const bad = Promise.reject(new TypeError('bad')); bad.catch(() => {})"
      )
      assert.strictEqual(await session.get("later"), "late")
      const steps: Array<unknown> = []
      for await (const step of await session.get("steps") as AsyncIterable<unknown>) steps.push(step)
      for await (const step of await session.get("stream") as AsyncIterable<unknown>) steps.push(step)
      assert.deepStrictEqual(steps, [1, 2, "a", "b"])
    })
  })

  it("data keeps its kinds, cycles and shared parts", async () => {
    await withSession({}, async (session) => {
      const value = await session.value(`
        const shared = { s: 1 }; const all = { map: new Map([[shared, new Set([1n])]]), date: new Date(5), re: /x/gi, bytes: new Uint8Array([1, 2]), shared, again: shared,
          error: Object.assign(new TypeError("t", { cause: new Error("c") }), { code: 7 }), nan: NaN, zero: -0, none: undefined, url: new URL("http://a/b"), holes: [1, , 3] }
        all.me = all; all`) as Record<string, any>
      assert.strictEqual(value.me, value)
      assert.strictEqual(value.shared, value.again)
      assert.deepStrictEqual([...value.map.keys()][0], { s: 1 })
      assert.strictEqual([...value.map.keys()][0], value.shared)
      assert.deepStrictEqual([value.date.getTime(), String(value.re), [...value.bytes], value.nan, value.url.href], [
        5,
        "/x/gi",
        [1, 2],
        Number.NaN,
        "http://a/b"
      ])
      assert.isTrue(Object.is(value.zero, -0))
      assert.isFalse(1 in value.holes)
      assert.isTrue(value.error instanceof TypeError)
      assert.deepStrictEqual([value.error.message, value.error["code"], value.error["cause"].message], ["t", 7, "c"])
    })
  })

  it("a hundred megabytes go both ways, not through a pipe", async () => {
    await withSession({ limits: { residentBytes: 2 ** 31 } }, async (session) => {
      const big = new Uint8Array(100_000_000).fill(7)
      await session.set("big", big)
      assert.strictEqual(await session.value("big[99_999_999] = 9; big.length"), 100_000_000)
      const back = await session.get("big") as Uint8Array
      assert.deepStrictEqual([back.length, back[0], back[99_999_999]], [100_000_000, 7, 9])
    })
  }, 60_000)
})

describe("references", () => {
  it("are given back when the kernel does not hold them any more", async () => {
    class Row {
      readonly n: number
      constructor(n: number) {
        this.n = n
      }
      twice(): number {
        return this.n * 2
      }
    }
    const make = Binding.variable("source", { row: (n: number) => new Row(n) }) as Bound
    await withSession({ bindings: [make] }, async (session) => {
      await session.value("source.row(1).twice()")
      const before = session.state().references
      for (let i = 0; i < 10; i++) {
        assert.strictEqual(
          await session.value("let sum = 0; for (let i = 0; i < 1000; i++) sum += source.row(i).n\nsum"),
          499_500
        )
        await Effect.runPromise((session.runtime as HostNamespace).collect())
        await pause(20)
      }
      await Effect.runPromise((session.runtime as HostNamespace).collect())
      await pause(50)
      assert.isBelow(session.state().references, before + 1_200)
    })
  }, 60_000)

  it("have a limit, and that is said", async () => {
    const make = Binding.variable("source", { row: () => new Item("x") }) as Bound
    await withSession({ bindings: [make], limits: { references: 50 } }, async (session) => {
      const { message } = await session.problem("const all = []; for (let i = 0; i < 100; i++) all.push(source.row())")
      assert.include(message, "holds 50 objects")
    })
  })

  it("cannot be forged from data", async () => {
    const seen: Array<unknown> = []
    const take = Binding.func(async (value: unknown) => void seen.push(value), { name: "take" }) as Bound
    await withSession({ bindings: [take, Binding.variable("shop", new Shop()) as Bound] }, async (session) => {
      await session.value(`
        const keys = ["ref", "yours", "\\0ref", "\\0", "$ref", "far", "promise"];
        for (const key of keys) await take({ [key]: 1, d: { yours: 1 }, m: true, o: 1, nested: { [key]: { id: 1, yours: 1 } } })`)
      assert.lengthOf(seen, 7)
      for (const value of seen) assert.isNotFunction((value as { nested: unknown }).nested)
      assert.deepStrictEqual((seen[1] as { yours: unknown }).yours, 1)
    })
  })

  it("that did not survive say so", async () => {
    const lost = new HostCallError({ path: "x", reason: { _tag: "ReferenceLost", type: "object" } })
    assert.include(lost.message, "did not survive")
    await withSession({}, async (session) => {
      await session.value("const f = () => 1; const keep = (() => { let n = 0; return () => ++n })()")
      const keep = await session.get("keep") as () => Promise<number>
      assert.strictEqual(await keep(), 1)
      await pause(20)
      await session.kill()
      await session.value("1")
      const error = await keep().catch((error: unknown) => error) as { reason: { _tag: string } }
      assert.strictEqual(error.reason._tag, "ReferenceLost")
    })
  })
})
