import { assert, describe, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Binding, type Bound } from "../../src/Binding.ts"
import { declare } from "../../src/node/declarations/index.ts"
import { TypeChecker } from "../../src/TypeChecker.ts"
import { TypeScriptChecker } from "../../src/typescript/index.ts"
import * as Schema from "effect/Schema"

class Db {
  readonly tables = ["orders"]
  query(sql: string) {
    return [sql]
  }
}

const bindings = [
  Binding.variable("db", new Db()),
  Binding.variable("orders", [{ id: 1, region: "north", note: null }, { id: 2, region: "south", note: "x" }]),
  Binding.func(async (city: string, days?: number) => ({ city, days, degrees: 3 }), {
    name: "forecast",
    input: Schema.Tuple([Schema.String, Schema.optionalKey(Schema.Finite)]),
    output: Schema.Struct({ degrees: Schema.Finite, city: Schema.String })
  }),
  Binding.func(async (options: { readonly to: string; readonly body: string }) => options.to, {
    name: "send",
    input: Schema.Tuple([Schema.Struct({ to: Schema.String, body: Schema.String })]),
    output: Schema.String
  }),
  Binding.func((a: unknown, b: unknown) => [a, b], { name: "pair", effect: "none" })
] as ReadonlyArray<Bound>

const made: ReadonlyArray<readonly [string, unknown]> = [
  ["total", 4],
  ["byRegion", new Map([["north", { count: 1 }]])],
  ["memo", (n: number) => n]
]
const declarations = declare(bindings, made)

/** Code with a slip, the message, and the line. */
const wrong: ReadonlyArray<readonly [code: string, message: string, line?: number, hint?: string]> = [
  ["const a = 1\nconst b = await forcast('Oslo')", "Cannot find name 'forcast'. Did you mean 'forecast'?", 2],
  ["totl + 1", "Did you mean 'total'?"],
  ["db.qurey('select 1')", "Property 'qurey' does not exist on type 'Db'. Did you mean 'query'?"],
  ["await forecast(3)", "Argument of type 'number' is not assignable to parameter of type 'string'"],
  ["await forecast()", "Expected 1-2 arguments, but got 0"],
  ["await forecast('Oslo', 1, 2)", "Expected 1-2 arguments, but got 3"],
  ["await send({ to: 'a' })", "Property 'body' is missing"],
  ["await send({ to: 'a', body: 'b', cc: 'c' })", "'cc' does not exist"],
  ["await send({ to: 'a', body: 5 })", "Type 'number' is not assignable to type 'string'"],
  [
    "const f = forecast('Oslo')\nf.degrees",
    "Property 'degrees' does not exist on type 'Promise<",
    2,
    "put await before the call"
  ],
  ["for (const x of forecast('Oslo')) x", "must have a '[Symbol.iterator]()'", 1, "put await before the call"],
  ["orders.fliter(Boolean)", "Did you mean 'filter'?"],
  ["orders[0].regoin", "Did you mean 'region'?"],
  ["(await forecast('Oslo')).degress", "Did you mean 'degrees'?"],
  ["byRegion.get('north').cuont", "Did you mean 'count'?"],
  ["fetch('http://x')", "Cannot find name 'fetch'"],
  ["'text'.lenght", "Did you mean 'length'?"],
  ["const ä = '😀'\nconst é = [ä.lenght]", "lenght", 2],
  ["class Abacus { beads = 1 }\nnew Abacus().baeds", "Did you mean 'beads'?", 2]
]

/** Code that runs, or fails in a way that no type tells. None of it may be refused. */
const right = [
  "const stats = {}; stats.count = 1; stats.count++\nstats",
  "const out = []; for (const o of orders) out.push({ id: o.id, extra: 1 }); out[0].later = 2\nout",
  "const groups = {}\nfor (const o of orders) (groups[o.region] ??= []).push(o)\nObject.entries(groups).map(([region, rows]) => ({ region, n: rows.length }))",
  "orders.find((o) => o.id === 2).region",
  "orders.map((o) => o.note.length)",
  "orders[0].total = 5; orders[0].id",
  "orders.sort((a, b) => a.region - b.region)",
  "total = 'now a text'",
  "const total = { a: 1 }; total.b = 2",
  "memo = (x) => x + 1",
  "function memo(a, b, c) { return a }\nmemo(1)",
  "pair(1)",
  "parseInt(5); isNaN('x'); Math.round('4'); new Date(undefined)",
  "typeof nowhere === 'undefined'",
  "const rows: Row[] = orders\nrows.length",
  "type Mine = { a: number }\nconst m: Mine = { a: 1 }\nm as Other",
  "interface Order { id: number }\nconst f = <T,>(x: T): T => x\nf<Order>(orders[0])",
  "const r = await forecast('Oslo'); r.degrees.toFixed(1) + r.city",
  "const all = await Promise.all(['Oslo', 'Rome'].map((c) => forecast(c, 2)))\nall.map((f) => f.degrees)",
  "const { degrees, ...rest } = await forecast('Oslo'); rest",
  "console.log(new URL('http://a').host, structuredClone({ a: 1 }), crypto.randomUUID()); setTimeout(() => {}, 1)",
  "await new Promise((done) => setTimeout(done, 1))",
  "class A { x; constructor(x) { this.x = x; this.y = 2 } get sum() { return this.x + this.y } }\nnew A(1).sum",
  "const m = new Map(); m.set('a', 1); for (const [k, v] of m) console.log(k, v)",
  "try { JSON.parse('{') } catch (e) { e.message }",
  "let acc; for (const o of orders) acc = { ...acc, [o.region]: o }\nacc",
  "const x = orders.reduce((sum, o) => { sum[o.region] = (sum[o.region] ?? 0) + 1; return sum }, {})\nx",
  "db.tables.map((t) => db.query(`select * from ${t}`))",
  "if (total > 3) return 'early'\n'late'",
  "{ a: 1 }",
  "import path from 'node:path'\npath.join('a')",
  "const f = async function* () { yield 1 }\nfor await (const x of f()) x",
  "globalThis.made = 1\nmade",
  "var self = this; label: for (;;) break label",
  "[1, 2, 3].at(-1)!.toFixed()",
  "new Error('x', { cause: 1 }).cause.message",
  "const s = new Set([1]); s.union(new Set([2])).size",
  "function old() { this.x = 1 }\nold.prototype.y = 2"
]

layer(TypeScriptChecker.layer)("TypeScriptChecker", (it) => {
  describe("stops", () => {
    for (const [code, message, line = 1, hint] of wrong) {
      it.effect(JSON.stringify(code), () =>
        Effect.gen(function*() {
          const [problem] = yield* (yield* TypeChecker).check(code, declarations)
          assert.include(problem?.message, message)
          assert.strictEqual(problem?.stage, "types")
          assert.strictEqual(problem?.line, line)
          assert.include(problem?.hint, "nothing of the cell has run")
          if (hint !== undefined) assert.include(problem?.hint, hint)
        }))
    }
  })

  describe("lets run", () => {
    for (const code of right) {
      it.effect(JSON.stringify(code), () =>
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* (yield* TypeChecker).check(code, declarations), [])
        }))
    }
  })

  it.effect("gives the column in the text", () =>
    Effect.gen(function*() {
      const [problem] = yield* (yield* TypeChecker).check("const a = 1\n  db.qurey(a)", declarations)
      assert.deepStrictEqual([problem?.line, problem?.column], [2, 6])
    }))

  it.effect("follows the declarations", () =>
    Effect.gen(function*() {
      const checker = yield* TypeChecker
      assert.isNotEmpty(yield* checker.check("extra + 1", declarations))
      assert.isEmpty(yield* checker.check("extra + 1", `${declarations}\ndeclare let extra: number`))
      assert.isNotEmpty(yield* checker.check("extra + 1", declarations))
    }))

  it.effect("survives declarations that do not parse", () =>
    Effect.gen(function*() {
      assert.isEmpty(yield* (yield* TypeChecker).check("1 + 1", "declare const a: {{{"))
    }))
})
