/**
 * What the README says of differences from the runtime in process, line by line.
 */
import { Binding, type Bound } from "@daylight/core"
import { bubblewrap } from "@daylight/runtime-kernel"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openSession, type Session, withSession } from "./support/session.ts"

class Shop {
  title = "first"
  readonly tags = ["a"]
  readonly stock = { apples: 3 }
  sell(): string {
    return "sold"
  }
  sort(values: Array<number>, compare: (a: number, b: number) => number): Array<number> {
    return values.sort(compare)
  }
}

describe("a difference from the runtime in process", () => {
  const shop = new Shop()
  const rows = [{ id: 1 }]
  const kept: Array<unknown> = []
  let session: Session
  beforeAll(async () => {
    session = await openSession({
      bindings: [
        Binding.variable("shop", shop) as Bound,
        Binding.variable("rows", rows) as Bound,
        Binding.func(async (value: unknown) => {
          kept.push(value)
          return value
        }, { name: "keep" }) as Bound,
        Binding.variable("give", {
          all: () => [
            "text",
            1.5,
            10n,
            true,
            null,
            undefined,
            { a: { b: 1 } },
            [1, [2]],
            new Map([[{ k: 1 }, "v"]]),
            new Set([1]),
            new Date(5),
            /x/gi,
            new URL("http://a/b"),
            new Uint16Array([1, 500]),
            new ArrayBuffer(3),
            new DataView(new ArrayBuffer(2)),
            Object.assign(new RangeError("r", { cause: new Error("c") }), { code: "E" }),
            Buffer.from("ab")
          ],
          match: () => /(?<letter>b)/.exec("abc"),
          shared: () => {
            const part = { p: 1 }
            const whole: Record<string, unknown> = { one: part, two: part }
            whole["me"] = whole
            return whole
          }
        }) as Bound
      ]
    })
  })
  afterAll(() => session.close())

  it("none: data of every kind comes as what it is", async () => {
    const value = await session.value(`
      const [text, number, big, yes, nothing, none, record, array, map, set, date, re, url, typed, buffer, view, error, bytes] = give.all()
      ;[text, number, big, yes, nothing, none, record.a.b, array[1][0], [...map.keys()][0].k, [...map.values()][0], set.has(1), date.getTime(), re.flags, url.host, typed[1], typed.buffer.byteLength,
        buffer.byteLength, view.byteLength, error instanceof RangeError, error.code, error.cause.message, bytes.toString("hex"), bytes.buffer.byteLength,
        map instanceof Map, date instanceof Date, re instanceof RegExp, url instanceof URL, typed instanceof Uint16Array, array instanceof Array, record instanceof Object]`)
    assert.deepStrictEqual(value, [
      "text",
      1.5,
      10n,
      true,
      null,
      undefined,
      1,
      2,
      1,
      "v",
      true,
      5,
      "gi",
      "a",
      500,
      4,
      3,
      2,
      true,
      "E",
      "c",
      "6162",
      2,
      ...Array.from({ length: 7 }, () => true)
    ])
    assert.deepStrictEqual(
      await session.value(
        "const w = give.shared(); const m = give.match(); [w.one === w.two, w.me === w, m.index, m.groups.letter, m.input]"
      ),
      [true, true, 1, "b", "abc"]
    )
  })

  it("plain data is a copy", async () => {
    await session.value("rows.push({ id: 2 }); rows[0].id = 9; 1")
    assert.deepStrictEqual(rows, [{ id: 1 }])
    assert.deepStrictEqual(await session.get("rows"), [{ id: 9 }, { id: 2 }])
  })

  it("a large value of a cell stays in its variable", async () => {
    assert.isUndefined(await session.value("const many = Array.from({ length: 6000 }, (_, i) => i); many"))
    assert.isUndefined(await session.value("const long = 'x'.repeat(300 * 1024); long"))
    assert.lengthOf(await session.get("many") as ReadonlyArray<number>, 6_000)
    assert.lengthOf(await session.get("long") as string, 300 * 1_024)
  })

  it("data in more than a thousand levels does not cross", async () => {
    const problem = await session.problem(
      "let deep = {}; for (let i = 0; i < 1500; i++) deep = { deep }; await keep(deep)"
    )
    assert.deepStrictEqual([problem.name, problem.message.includes("1000 levels")], ["RangeError", true])
    const error = await session.get("deep").catch((error: unknown) => error) as {
      readonly reason: { readonly _tag: string }
    }
    assert.strictEqual(error.reason._tag, "NotTransferable")
  })

  it("a container of a live object is a copy that cannot be changed", async () => {
    assert.strictEqual((await session.problem("shop.stock.apples = 2")).name, "TypeError")
    assert.strictEqual((await session.problem("shop.tags.push('b')")).name, "TypeError")
    assert.deepStrictEqual([shop.stock, shop.tags], [{ apples: 3 }, ["a"]])
  })

  it("what needs the result of a cell's function at once is refused", async () => {
    const code =
      "let told; try { shop.sort([2, 1], (a, b) => a - b) } catch (error) { told = [error.name, error.reason._tag] }\ntold"
    assert.deepStrictEqual(await session.value(code), ["HostCallError", "Reentrant"])
  })

  it("a function of a cell gives a promise", async () => {
    await session.value("const double = (x) => x * 2")
    const result = (await session.get("double") as (x: number) => unknown)(2)
    assert.instanceOf(result, Promise)
    assert.strictEqual(await result, 4)
  })

  it("a method of a live object is not assigned to, nor what all objects have", async () => {
    for (const name of ["sell", "constructor", "then", "hasOwnProperty", "__proto__"]) {
      assert.strictEqual((await session.problem(`shop.${name} = () => 1`)).name, "TypeError", name)
    }
    assert.strictEqual(shop.sell(), "sold")
  })

  it("an instance of a class of a cell is a record of its fields", async () => {
    const value = await session.value(
      "class Point { x = 1; #y = 2; get sum() { return this.x + this.#y } }; new Point()"
    )
    assert.deepStrictEqual(value, { x: 1 })
  })

  it("getters of a value are not run where it is only looked at, and run where a cell hands it over", async () => {
    await session.value("let ran = 0; const lazy = { a: 1, get b() { ran++; return 2 } }")
    assert.deepStrictEqual(await session.get("lazy"), { a: 1, b: undefined })
    assert.strictEqual(await session.value("ran"), 0)
    await session.value("await keep(lazy)")
    assert.deepStrictEqual(kept.at(-1), { a: 1, b: 2 })
  })

  it("a live object is not frozen, and loses no property", async () => {
    for (const code of ["Object.freeze(shop)", "Object.preventExtensions(shop)", "delete shop.title"]) {
      assert.strictEqual((await session.problem(code)).name, "TypeError", code)
    }
    assert.strictEqual(shop.title, "first")
  })

  it("classes that cells share are frozen", async () => {
    for (const name of ["Map", "Date", "Uint8Array", "URL", "Response"]) {
      assert.strictEqual((await session.problem(`${name}.prototype.more = 1`)).name, "TypeError", name)
    }
    assert.strictEqual(
      await session.value("Array.prototype.last = function () { return this.at(-1) }; [1, 2].last()"),
      2
    )
    assert.strictEqual(
      await session.value(
        "class More extends Map { constructor() { super([[1, 2]]); this.extra = 3 } get(k) { return super.get(k) + this.extra } }; new More().get(1)"
      ),
      5
    )
  })

  it("what would let the order of things depend on more than the record is not there", async () => {
    const names = [
      "CompressionStream",
      "DecompressionStream",
      "FinalizationRegistry",
      "WebAssembly",
      "SharedArrayBuffer"
    ]
    assert.deepStrictEqual(
      await session.value(
        `[${names.map((name) => `typeof ${name}`).join()}, typeof Atomics.wait, typeof Atomics.waitAsync]`
      ),
      Array.from({ length: 7 }, () => "undefined")
    )
  })
})

describe("a snapshot after a cell", () => {
  it("says what was too large for it", async () => {
    await withSession({ limits: { snapshotBytes: 50_000 } }, async (session) => {
      await session.value("const small = [1, 2]; const large = 'x'.repeat(100_000)")
      assert.lengthOf(await session.get("small") as ReadonlyArray<number>, 2)
      await session.kill()
      const { report, value } = await session.run("[small.length, typeof large]")
      assert.deepStrictEqual(value, [2, "undefined"])
      assert.deepStrictEqual(report.namespace.lost.map(({ name, path }) => [name, path]), [["large", "large"]])
      assert.include(report.namespace.lost[0]!.reason, "larger than")
    })
  })
})

describe("namespaces near each other", () => {
  it("have variables, bindings and globals of their own, and share objects of the host", async () => {
    const shop = new Shop()
    const bindings = [Binding.variable("shop", shop) as Bound]
    await withSession({ bindings }, async (parent) => {
      await parent.value("let mine = 1; globalThis.own = 1; Array.prototype.mark = 1; 1")
      await withSession({ near: parent, bindings }, async (child) => {
        assert.deepStrictEqual(await child.value("[typeof mine, typeof own, [].mark, shop.sell()]"), [
          "undefined",
          "undefined",
          undefined,
          "sold"
        ])
        for (const code of ["Object.getPrototypeOf(shop).sell = () => 'stolen'", "Response.prototype.text = 1"]) {
          await child.run(code)
        }
        assert.deepStrictEqual(await parent.value("[shop.sell(), typeof Response.prototype.text]"), [
          "sold",
          "function"
        ])
        await parent.value("const data = { big: [1, 2] }; data")
        const data = await parent.get("data")
        await child.set("theirs", data)
        await parent.set("back", await child.get("theirs"))
        assert.deepStrictEqual(await parent.value("[back === data, mine]"), [true, 1])
      })
      assert.strictEqual(await parent.value("mine"), 1)
    })
  })
})

it("bubblewrap is not replaced by something weaker where it is not installed", () => {
  const { PATH } = process.env
  process.env.PATH = "/nowhere"
  try {
    assert.throws(() => bubblewrap(), /not installed/)
  } finally {
    process.env.PATH = PATH
  }
})
