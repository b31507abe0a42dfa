import * as Schema from "effect/Schema"
import { Binding, type Bound } from "../../Binding.ts"
import { Group } from "./Case.ts"
import { equal, excludes, includes, truthy } from "./Check.ts"

const bound = (...bindings: ReadonlyArray<Binding>) => ({ bindings: bindings as ReadonlyArray<Bound> })

class Account {
  owner: string
  #balance = 0
  constructor(owner: string, firstDeposit = 0) {
    this.owner = owner
    this.#balance = firstDeposit
  }
  get balance() {
    return this.#balance
  }
  async deposit(amount: number, ...notes: Array<string>) {
    this.#balance += amount
    return notes.length
  }
}
class Savings extends Account {
  rate() {
    return 0.02
  }
}

export const changes = new Group("what changed")
  .test("a new variable is added, with type, shape and sample", async ({ run }) => {
    const { added, changed, removed } =
      (await run("const rows = [{ id: 1, name: 'a' }, { id: 2, name: 'b' }]")).report.namespace
    equal([added.map(({ name }) => name), changed, removed], [["rows"], [], []], "diff")
    const [rows] = added
    equal(rows!.type, "Array", "type")
    includes(rows!.shape ?? "", "[2]", "shape")
    includes(rows!.shape ?? "", "id, name", "shape")
    includes(rows!.sample, "id: 1", "sample")
    truthy(rows!.bytes! > 10, "size")
    excludes(rows!.sample, "\n", "sample")
  })
  .test("what did not change is not told", async ({ run, value }) => {
    await value("const a = 1; const b = { c: [1, 2] }; function f() {}")
    equal((await run("a + b.c.length")).report.namespace, { added: [], changed: [], removed: [], lost: [] }, "diff")
  })
  .test("an assignment is a change", async ({ run, value }) => {
    await value("let n = 1")
    equal(
      (await run("n = 2")).report.namespace.changed.map(({ name, sample }) => [name, sample]),
      [["n", "2"]],
      "changed"
    )
  })
  .test("a change inside is a change", async ({ run, value }) => {
    await value("const state = { user: { name: 'a' }, tags: new Set(), list: [1] }")
    for (
      const code of [
        "state.user.name = 'b'",
        "state.tags.add('x')",
        "state.list.push(2)",
        "state.list[0] = 9",
        "delete state.user"
      ]
    ) {
      equal((await run(code)).report.namespace.changed.map(({ name }) => name), ["state"], code)
    }
  })
  .test("a change through another name is a change of both", async ({ run, value }) => {
    await value("const a = [1]; const b = a")
    equal((await run("b.push(2)")).report.namespace.changed.map(({ name }) => name), ["a", "b"], "changed")
  })
  .test("a change of a bound variable is told", async ({ run, value }) => {
    await value("1")
    equal((await run("orders.push(3)")).report.namespace.changed.map(({ name }) => name), ["orders"], "changed")
  }, bound(Binding.variable("orders", [1, 2])))
  .test("a live object is told as what it is, and how it changed", async ({ run, value }) => {
    await value("1")
    equal((await run("account.balance")).report.namespace.changed, [], "after a look")
    const [changed] = (await run("account.owner = 'b'")).report.namespace.changed
    equal(
      [changed?.name, changed?.type, changed?.shape, changed?.sample],
      ["account", "Account", "{ owner, deposit() }", "Account { owner: 'b' }"],
      "variable"
    )
  }, bound(Binding.variable("account", new Account("a", 5))))
  .test("changes are told in the order of the variables", async ({ run, value }) => {
    await value("const list = [1]; const other = account")
    const { changed } = (await run("list.push(2); account.owner = 'b'")).report.namespace
    equal(changed.map(({ name }) => name), ["account", "list", "other"], "changed")
  }, bound(Binding.variable("account", new Account("a", 5))))
  .test("so is one whose methods have a contract", async ({ run }) => {
    const [copy] = (await run("const copy = savings")).report.namespace.added
    equal(
      [copy?.type, copy?.shape, copy?.sample],
      ["Savings", "{ owner, rate() }", "Savings { owner: 'x' }"],
      "variable"
    )
  }, bound(Binding.variable("savings", new Savings("x"), { contract: { rate: {} } })))
  .test("a live object is printed as in the application, also inside of other values", async ({ run }) => {
    const { preview, stdout } = (await run("console.log(account); [account]")).report
    equal([stdout.trim(), preview], ["Account { owner: 'a' }", "[ Account { owner: 'a' } ]"], "text")
  }, bound(Binding.variable("account", new Account("a", 5))))
  .test("a redeclared function is a change", async ({ run, value }) => {
    await value("function f() { return 1 }")
    equal((await run("function f() { return 2 }")).report.namespace.changed.map(({ name }) => name), ["f"], "changed")
  })
  .test("a deleted variable is removed", async ({ run, value }) => {
    await value("globalThis.gone = 1")
    equal((await run("delete globalThis.gone")).report.namespace.removed, ["gone"], "removed")
  })
  .test("a failing cell tells what it changed", async ({ run, value }) => {
    await value("let n = 1")
    const { namespace } = (await run("n = 2; const added = 1; null.x")).report
    equal(
      [namespace.added.map(({ name }) => name), namespace.changed.map(({ name }) => name)],
      [["added"], ["n"]],
      "diff"
    )
  })
  .test("what the application sets is not told as a change", async ({ run, set, value }) => {
    await value("1")
    await set("given", 1)
    equal((await run("given")).report.namespace.added, [], "added")
  })

export const description = new Group("description")
  .test("all variables are described", async ({ bind, runtime, value, variable }) => {
    await bind(Binding.variable("given", new Map([["a", 1]])) as Bound)
    await value(
      "const n = 1, text = 'x'.repeat(500), list = [1, 2], fn = () => 1; class Foo {}; const foo = new Foo(), nothing = null, bytes = new Uint8Array(9)"
    )
    void runtime
    equal((await variable("given"))?.type, "Map", "given")
    equal((await variable("n"))?.sample, "1", "n")
    equal([(await variable("text"))?.type, (await variable("text"))?.bytes], ["string", 500], "text")
    equal((await variable("fn"))?.type, "function", "fn")
    equal((await variable("Foo"))?.type, "class", "Foo")
    equal((await variable("foo"))?.type, "Foo", "foo")
    equal((await variable("nothing"))?.type, "null", "nothing")
    equal([(await variable("bytes"))?.type, (await variable("bytes"))?.bytes], ["Uint8Array", 9], "bytes")
  })
  .test("samples are one short line", async ({ value, variable }) => {
    await value("const big = Array.from({ length: 10000 }, (_, i) => ({ i, text: 'line\\n'.repeat(50) }))")
    const { sample } = (await variable("big"))!
    truthy(sample.length <= 200, "length")
    excludes(sample, "\n", "sample")
  })
  .test("nothing of a sensitive variable is shown", async ({ run, value, variable }) => {
    const described = (await variable("patient"))!
    const { namespace } = (await run("patient.visits = 3")).report
    excludes(JSON.stringify([described, namespace]), "Ada", "description")
    excludes(JSON.stringify([described, namespace]), "diagnosis", "description")
    equal(await value("patient.name"), "Ada", "value")
  }, bound(Binding.variable("patient", { name: "Ada", diagnosis: "x" }, { sensitive: true })))
  .test("describing runs no code of a value", async ({ value, variable }) => {
    await value(
      "let ran = 0; const trap = { get a() { ran++ }, get [Symbol.toStringTag]() { ran++; return 'x' } }; const proxy = new Proxy({}, { get() { ran++ }, ownKeys() { ran++; return [] } })"
    )
    await variable("trap")
    equal(await value("ran"), 0, "ran")
  })

export const declarations = new Group("declarations")
  .test(
    "a given text is used",
    async ({ declarations }) =>
      includes(await declarations(), "declare const db: { query(sql: string): Row[] }", "text"),
    bound(Binding.variable("db", {}, { declaration: "declare const db: { query(sql: string): Row[] }" }))
  )
  .test(
    "a description is a comment",
    async ({ declarations }) => includes(await declarations(), "/** Orders of 2024 */", "text"),
    bound(Binding.variable("orders", [], { description: "Orders of 2024" }))
  )
  .test(
    "rows become a type",
    async ({ declarations }) =>
      includes(await declarations(), "declare let orders: { id: number; name: string; note?: null }[]", "text"),
    bound(Binding.variable("orders", [{ id: 1, name: "a" }, { id: 2, name: "b", note: null }]))
  )
  .test(
    "a function gives a promise",
    async ({ declarations }) =>
      includes(await declarations(), "declare function find(text: any, limit?: any): Promise<any>", "text"),
    bound(Binding.func(function find(text: string, limit = 5) {
      return [text, limit]
    }, { name: "find" }))
  )
  .test(
    "a harmless one does not",
    async ({ declarations }) => includes(await declarations(), "declare function add(a: any, b: any): any", "text"),
    bound(Binding.func((a: number, b: number) => a + b, { name: "add", effect: "none" }))
  )
  .test(
    "schemas become types",
    async ({ declarations }) =>
      includes(
        await declarations(),
        "declare function rate(place: string, stars?: 1 | 2 | 3): Promise<{ id: number; when: Date }>",
        "text"
      ),
    bound(Binding.func(async (place: string, stars?: 1 | 2 | 3) => ({ id: 1, when: new Date(), place, stars }), {
      name: "rate",
      input: Schema.Tuple([Schema.String, Schema.optionalKey(Schema.Literals([1, 2, 3]))]),
      output: Schema.Struct({ id: Schema.Finite, when: Schema.Date })
    }))
  )
  .test("a class shows constructor, properties and inherited methods", async ({ declarations }) => {
    const text = await declarations()
    for (
      const part of [
        "declare class Savings",
        "constructor(owner: any, firstDeposit?: any)",
        "owner: any",
        "readonly balance: any",
        "deposit(amount: any, ...notes: any[]): Promise<any>",
        "rate(): any"
      ]
    ) includes(text, part, "text")
  }, bound(Binding.type(Savings)))
  .test("methods with a contract give promises", async ({ declarations }) => {
    const text = await declarations()
    includes(text, "rate(): Promise<any>", "text")
    includes(text, "declare const savings", "text")
  }, bound(Binding.variable("savings", new Savings("x"), { contract: { rate: {} } })))
  .test(
    "a schema as a type",
    async ({ declarations }) =>
      includes(await declarations(), "type Order = { readonly id: number }".replace("readonly ", ""), "text"),
    bound(Binding.type(Schema.Struct({ id: Schema.Finite }), { name: "Order" }))
  )
  .test("variables of cells are declared", async ({ declarations, value }) => {
    await value(
      "const totals = new Map([['a', 1]]); class Foo { x = 1 }; const foo = new Foo(); async function load(name, { retries = 3 } = {}) {}"
    )
    const text = await declarations()
    for (
      const part of [
        "declare let totals: Map<string, number>",
        "declare class Foo",
        "declare let foo: Foo",
        "declare function load(name: any, "
      ]
    ) includes(text, part, "text")
  })
  .test(
    "they are the same every time",
    async ({ declarations }) => equal(await declarations(), await declarations(), "text"),
    bound(Binding.variable("a", { x: 1 }), Binding.func(async function f() {}, { name: "f" }))
  )

export const stored = new Group("stored outputs")
  .test("a long output is kept whole under a name", async ({ get, run }) => {
    const { report } = await run("console.log('abc\\n'.repeat(1000) + 'the end')")
    equal(report.stored, ["_output_1"], "stored")
    equal(await get("_output_1"), `${"abc\n".repeat(1000)}the end\n`, "text")
    for (const part of ["_output_1", "4008 characters", "abc\nabc", "the end", "_output_1.slice("]) {
      includes(report.stdout, part, "stdout")
    }
    truthy(report.stdout.length < 800, "short")
  })
  .test(
    "a short one is not",
    async ({ run }) => equal((await run("console.log('x'.repeat(999))")).report.stored, [], "stored")
  )
  .test("a long text as the value", async ({ get, run }) => {
    const { report } = await run("'x'.repeat(5000)")
    equal([report.stored, (await get("_output_1") as string).length], [["_output_1"], 5000], "stored")
    includes(report.preview, "5000 characters", "preview")
  })
  .test("a large value that has no name yet", async ({ get, run }) => {
    const { report } = await run("Array.from({ length: 3000 }, (_, i) => i)")
    equal([report.stored, (await get("_output_1") as ReadonlyArray<number>).length], [["_output_1"], 3000], "stored")
    includes(report.preview, "the whole value is in the variable _output_1", "preview")
  })
  .test("a large value that has one", async ({ run }) => {
    const { report } = await run("const all = Array.from({ length: 3000 }, (_, i) => i)\nall")
    equal(report.stored, [], "stored")
    includes(report.preview, "the whole value is in the variable all", "preview")
  })
  .test("numbers go on", async ({ run }) => {
    await run("console.log('x'.repeat(2000))")
    equal((await run("console.log('y'.repeat(2000)); console.error('z'.repeat(2000))")).report.stored, [
      "_output_2",
      "_output_3"
    ], "stored")
  })
  .test("a name in use is skipped", async ({ get, run, value }) => {
    await value("const _output_1 = 'mine'")
    equal((await run("console.log('x'.repeat(2000))")).report.stored, ["_output_2"], "stored")
    equal(await get("_output_1"), "mine", "_output_1")
  })
  .test("no preview where none is wanted", async ({ run }) => {
    const { report } = await run("console.log('x'.repeat(2000))", { previewChars: 0 })
    excludes(report.stdout, "xxx", "stdout")
    includes(report.stdout, "_output_1", "stdout")
  })
