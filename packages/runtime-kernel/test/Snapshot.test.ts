import { Binding, type Bound } from "@daylight/core"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { openSession, type Session, type SessionOptions } from "./support/session.ts"

class Table {
  readonly parts = new Map([["left", { side: "left", turn: () => "turned left" }]])
  readonly rows = 3
  query(): { readonly rows: number; close(): string } {
    return { rows: this.rows, close: () => "closed" }
  }
}

const moved = async (
  options: SessionOptions,
  code: string,
  use: (session: Session, diff: Awaited<ReturnType<typeof restoreInto>>) => Promise<void>
) => {
  const first = await openSession(options)
  const { data, snapshot } = await first.value(code).then(() => Effect.runPromise(first.runtime.snapshot!))
  await first.close()
  const second = await openSession(options)
  try {
    const diff = await restoreInto(second, snapshot, data)
    await use(second, diff)
  } finally {
    await second.close()
  }
}

const restoreInto = (
  session: Session,
  snapshot: Parameters<NonNullable<Session["runtime"]["restore"]>>[0],
  data: Uint8Array
) => Effect.runPromise(session.runtime.restore!(snapshot, data))

describe("a snapshot, in another process", () => {
  it("keeps data in one graph", async () => {
    const code = `const shared = { z: 1 }, a = { shared }, b = { shared }, cyclic = {}; cyclic.me = cyclic
      const kinds = [10n, new Map([[{ k: 1 }, new Set([1])]]), new Date(0), /x/g, new Float64Array([0.5]), NaN, -0, undefined, null, "ü", new URL("http://a/b"), Object.create(null), [1, , 3]]
      const failure = new TypeError("t", { cause: new RangeError("c") })`
    await moved({}, code, async (session, diff) => {
      assert.deepStrictEqual(diff.lost, [])
      assert.deepStrictEqual(diff.added.map(({ name }) => name).sort(), [
        "a",
        "b",
        "cyclic",
        "failure",
        "kinds",
        "shared"
      ])
      const value = await session.value(
        `[a.shared === b.shared, a.shared === shared, cyclic.me === cyclic, kinds[0] === 10n, [...kinds[1].keys()][0].k, [...kinds[1].values()][0].has(1),
        kinds[2].getTime(), kinds[3].test("x"), kinds[4][0], Number.isNaN(kinds[5]), Object.is(kinds[6], -0), kinds[7] === undefined, kinds[8], kinds[9], kinds[10].host,
        Object.getPrototypeOf(kinds[11]), 1 in kinds[12], failure instanceof TypeError, failure.cause.message]`
      )
      assert.deepStrictEqual(value, [
        true,
        true,
        true,
        true,
        1,
        true,
        0,
        true,
        0.5,
        true,
        true,
        true,
        null,
        "ü",
        "a",
        null,
        false,
        true,
        "c"
      ])
    })
  })

  it("keeps functions and classes by their text", async () => {
    const code = `const rate = 2; function times(x) { return x * rate } const arrow = (x) => times(x) + 1
      class Base { base() { return "base" } } class Account extends Base { items = []; add(x) { this.items.push(x); return this } get size() { return this.items.length } }
      const account = new Account().add(1); const table = { fn: times, list: [account] }`
    await moved({}, code, async (session, diff) => {
      assert.deepStrictEqual(diff.lost, [])
      assert.deepStrictEqual(
        await session.value(
          "[times(3), arrow(3), account.add(2).size, account instanceof Account, account.base(), table.fn === times, table.list[0] === account]"
        ),
        [6, 7, 2, true, "base", true, true]
      )
      await session.value("function times(x) { return x * 100 }")
      assert.strictEqual(await session.value("arrow(1)"), 101)
    })
  })

  it("keeps live objects by their way from a binding, and imports by their name", async () => {
    const options = {
      bindings: [
        Binding.variable("table", new Table()) as Bound,
        Binding.func((x: number) => x + 1, { name: "inc", effect: "none" }) as Bound
      ],
      modules: { "node:path": () => import("node:path") }
    }
    const code = `import path, { join } from "node:path"
      const alias = table, held = { deep: [table] }, part = table.parts.get("left"), cursor = table.query(), fn = inc`
    await moved(options, code, async (session, diff) => {
      assert.deepStrictEqual(diff.lost.map(({ name, path }) => [name, path]), [["cursor", "cursor"]])
      assert.deepStrictEqual(
        await session.value(
          "[alias === table, held.deep[0] === table, part.turn(), part === table.parts.get('left'), fn(1), join('a', 'b'), path.sep]"
        ),
        [true, true, "turned left", true, 2, "a/b", "/"]
      )
      const problem = await session.problem("cursor.rows")
      assert.include(problem.message, "did not survive")
    })
  })

  it("keeps text that looks like a live object", async () => {
    const options = { bindings: [Binding.variable("table", new Table()) as Bound] }
    const code = "const alias = table; const texts = Array.from({ length: 20 }, (_, i) => '#' + i); const alone = '#1'"
    await moved(options, code, async (session) => {
      const value = await session.value("[alias === table, alone, texts.every((text, i) => text === '#' + i)]")
      assert.deepStrictEqual(value, [true, "#1", true])
    })
  })

  it("says what could not be kept, where it is, and why", async () => {
    const code =
      `const counter = (() => { let n = 0; return () => ++n })(); class Secret { #x = 1; get x() { return this.#x } }
      const secret = new Secret(), promise = Promise.resolve(1), iterator = [1][Symbol.iterator](), symbol = Symbol("u"), weak = new WeakMap(), nested = { a: [1, { f: () => 1 }] }, getter = { get a() { return 1 } }, fine = 1`
    await moved({}, code, async (session, diff) => {
      const lost = Object.fromEntries(diff.lost.map(({ name, path, reason }) => [name, `${path}: ${reason}`]))
      assert.deepStrictEqual(Object.keys(lost).sort(), [
        "counter",
        "getter",
        "iterator",
        "nested",
        "promise",
        "secret",
        "symbol",
        "weak"
      ])
      assert.include(lost.nested, "nested.a[1].f: ")
      assert.include(lost.secret, "private fields")
      assert.include(lost.promise, "promise")
      assert.strictEqual(await session.value("fine"), 1)
    })
  })

  it("takes the place of what is there", async () => {
    const session = await openSession()
    await session.value("let a = 1, b = 2")
    const { data, snapshot } = await Effect.runPromise(session.runtime.snapshot!)
    await session.value("a = 5; let c = 3")
    await restoreInto(session, snapshot, data)
    assert.deepStrictEqual(await session.value("[a, b, typeof c]"), [1, 2, "undefined"])
    await session.close()
  })
})
