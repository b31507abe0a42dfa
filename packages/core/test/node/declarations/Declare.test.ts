import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { z } from "zod"
import { Binding, type Bound } from "../../../src/Binding.ts"
import { declare } from "../../../src/node/declarations/index.ts"

const declared = (...bindings: ReadonlyArray<Binding>): string => declare(bindings as ReadonlyArray<Bound>)
const value = (value: unknown): string => declare([], [["v", value]])

describe("values", () => {
  const cases: ReadonlyArray<readonly [value: unknown, type: string]> = [
    [1, "number"],
    ["x", "string"],
    [null, "null"],
    [1n, "bigint"],
    [true, "boolean"],
    [[], "unknown[]"],
    [[1, "a"], "Array<number | string>"],
    [[[1]], "Array<number[]>"],
    [[{ a: 1 }, { a: null, b: "x" }], "{ a: number | null; b?: string }[]"],
    [{ "a-b": 1, c: { d: [true] } }, '{ "a-b": number; c: { d: boolean[] } }'],
    [new Map([["a", { n: 1 }]]), "Map<string, { n: number }>"],
    [new Set([1, 2]), "Set<number>"],
    [new Date(0), "Date"],
    [/x/, "RegExp"],
    [Promise.resolve(1), "Promise<any>"],
    [new Error("x"), "Error"],
    [new Uint8Array(2), "Uint8Array"],
    [new URL("http://a"), "URL"],
    [Object.create(null), "{}"],
    [new Proxy({}, {}), "any"],
    [
      (function*() {
        yield 1
      })(),
      "Generator<any>"
    ],
    [Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, i])), "Record<string, number>"]
  ]
  for (const [given, type] of cases) {
    it(type, () => assert.strictEqual(value(given), `declare let v: ${type}`))
  }

  it("cycles end", () => {
    const node: Record<string, unknown> = { name: "a" }
    node.self = node
    assert.strictEqual(value(node), "declare let v: { name: string; self: any }")
  })

  it("instances get an interface, and share it", () => {
    class Row {
      id = 1
      next: Row | undefined
      get label() {
        return "x"
      }
      async save(force = false) {
        return force
      }
    }
    const row = new Row()
    row.next = new Row()
    const text = value([row, row.next])
    assert.include(text, "interface Row {\n  id: number\n  next: ")
    assert.include(text, "readonly label: any")
    assert.include(text, "save(force?: any): Promise<any>")
    assert.include(text, "declare let v: Row[]")
    assert.strictEqual(text.split("interface Row").length, 2)
  })

  it("no getter is run", () => {
    assert.strictEqual(
      value({
        get a() {
          throw new Error("ran")
        }
      }),
      "declare let v: { a: any }"
    )
  })

  it("functions keep the names of their parameters", () => {
    assert.strictEqual(
      value((a: number, b = 2, ...rest: Array<number>) => [a, b, rest]),
      "declare function v(a: any, b?: any, ...rest: any[]): any"
    )
    assert.strictEqual(value(async function*() {}), "declare function v(): AsyncGenerator<any>")
  })
})

describe("functions of the application", () => {
  it("with an Effect schema", () => {
    const text = declared(Binding.func(async (city: string, when?: string) => `${city} ${when}`, {
      name: "forecast",
      description: "Weather of a day.",
      input: Schema.Tuple([Schema.String, Schema.optionalKey(Schema.DateFromString)]),
      output: Schema.Struct({ degrees: Schema.Finite, at: Schema.DateFromString, notes: Schema.Array(Schema.String) })
    }))
    assert.strictEqual(
      text,
      "/** Weather of a day. */\ndeclare function forecast(city: string, when?: string): Promise<{ degrees: number; at: Date; notes: ReadonlyArray<string> }>"
    )
  })

  it("with a Zod schema", () => {
    const text = declared(
      Binding.func(async (options: { readonly query: string; readonly limit?: number | undefined }) => [options], {
        name: "search",
        input: z.tuple([z.object({ query: z.string().describe("What to look for"), limit: z.number().optional() })]),
        output: z.array(z.object({ id: z.number() }))
      })
    )
    assert.strictEqual(
      text,
      "declare function search(options: {\n  /** What to look for */\n  query: string\n  limit?: number\n}): Promise<{ id: number }[]>"
    )
  })

  it("with names of parameters alone", () => {
    const text = declared(Binding.func((...args: Array<unknown>) => args, { name: "send", parameters: ["to", "body"] }))
    assert.strictEqual(text, "declare function send(to: any, body: any): Promise<any>")
  })

  it("that are native or bound", () => {
    assert.strictEqual(
      declared(Binding.func(Math.max, { effect: "none" })),
      "declare function max(arg0: any, arg1: any): any"
    )
  })

  it("share named types", () => {
    const Tree = Schema.Struct({ kids: Schema.Array(Schema.String) }).annotate({ identifier: "Tree" })
    const text = declared(
      Binding.func(async () => ({ kids: [] }), { name: "a", output: Tree }),
      Binding.func(async () => ({ kids: [] }), { name: "b", output: Tree })
    )
    assert.strictEqual(text.split("type Tree =").length, 2)
    assert.include(text, "declare function b(): Promise<Tree>")
  })
})

describe("types of the application", () => {
  it("a text as it is", () => assert.strictEqual(declared(Binding.type("type Id = string")), "type Id = string"))

  it("an Effect class by its fields", () => {
    class Point extends Schema.Class<Point>("Point")({ x: Schema.Finite }) {}
    assert.include(declared(Binding.type(Schema.Struct({ at: Point }), { name: "Place" })), "type Place = ")
  })

  it("a class with statics, fields and inherited members", () => {
    class Base {
      base = 1
      protected readonly hidden = 2
      shared() {
        return this.hidden
      }
    }
    class Shape extends Base {
      name = "x"
      static unit(size: number) {
        return size
      }
      area(scale = 1) {
        return scale
      }
    }
    const text = declared(Binding.type(Shape, { description: "A shape." }))
    for (
      const part of [
        "/** A shape. */",
        "declare class Shape {",
        "static unit(size: any): any",
        "name: any",
        "base: any",
        "area(scale?: any): any",
        "shared(): any"
      ]
    ) {
      assert.include(text, part)
    }
  })

  it("are referred to by variables", () => {
    class Lamp {
      room = "hall"
    }
    const text = declared(Binding.type(Lamp), Binding.variable("lamps", [new Lamp()]))
    assert.include(text, "declare let lamps: Lamp[]")
    assert.notInclude(text, "interface Lamp")
  })
})
