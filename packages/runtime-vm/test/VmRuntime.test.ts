import { assert, describe, it } from "@effect/vitest"
import { Binding, type Bound, type Boundary, type Runtime, RuntimeFactory, SessionId } from "@daylight/core"
import { parseCell } from "@daylight/core/syntax"
import { VmRuntime, type VmRuntimeOptions } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"

const limits = {
  time: "5 seconds",
  cpu: "2 seconds",
  outputBytes: 1_000_000,
  inlineChars: 1_000,
  previewChars: 200
} as const
const boundary: Boundary = { invoke: (call, perform) => Effect.sync(() => perform(call.args, undefined as never)) }

const open = (options: VmRuntimeOptions = {}) =>
  Effect.flatMap(RuntimeFactory, (factory) => factory.open({ session: SessionId.make("vm"), boundary })).pipe(
    Effect.provide(VmRuntime.layerWith(options))
  )

let id = 0
const run = (runtime: Runtime, code: string) => {
  const parsed = parseCell(code)
  if ("stage" in parsed) throw new Error(parsed.message)
  return runtime.execute({ id: ++id, parsed, limits, seed: "vm" })
}

describe("modules", () => {
  const modules = { "node:path": () => import("node:path"), broken: () => Promise.reject(new Error("does not load")) }

  it.effect("that are granted can be imported in every way", () =>
    Effect.gen(function*() {
      const runtime = yield* open({ modules })
      const { value } = yield* run(
        runtime,
        "import path, { join as glue } from 'node:path'\nimport * as all from 'node:path'\nconst later = await import('node:path');\n" +
          "[glue('a', 'b'), path.sep, all.join === glue, later.join === glue].join()"
      )
      assert.strictEqual(value, "a/b,/,true,true")
      assert.strictEqual((yield* run(runtime, "glue('c', 'd')")).value, "c/d")
    }))

  it.effect("miss an export by name", () =>
    Effect.gen(function*() {
      const { report } = yield* run(yield* open({ modules }), "import { nothing } from 'node:path'")
      assert.include(report.problem?.message, "does not provide an export named 'nothing'")
    }))

  it.effect("that are not granted name those that are", () =>
    Effect.gen(function*() {
      const { report } = yield* run(yield* open({ modules }), "import fs from 'node:fs'")
      assert.include(report.problem?.message, "granted are node:path, broken")
    }))

  it.effect("that do not load say why, each time", () =>
    Effect.gen(function*() {
      const runtime = yield* open({ modules })
      for (let i = 0; i < 2; i++) {
        assert.strictEqual((yield* run(runtime, "await import('broken')")).report.problem?.message, "does not load")
      }
    }))
})

describe("without copying", () => {
  it.effect("a hundred megabytes go in and come out as the same object", () =>
    Effect.gen(function*() {
      const runtime = yield* open()
      const big = new Uint8Array(100_000_000)
      yield* runtime.bind([Binding.variable("big", big) as Bound])
      yield* run(runtime, "big[5] = 7; const other = { big }")
      assert.strictEqual(yield* runtime.get("big"), big)
      assert.strictEqual((yield* runtime.get("other") as Effect.Effect<any>).big, big)
      assert.strictEqual(big[5], 7)
    }))

  it.effect("a class of the application makes instances of it", () =>
    Effect.gen(function*() {
      class Row {}
      const runtime = yield* open()
      yield* runtime.bind([Binding.type(Row) as Bound])
      assert.instanceOf((yield* run(runtime, "new Row()")).value, Row)
    }))

  it.effect("what a cell makes satisfies the host", () =>
    Effect.gen(function*() {
      const runtime = yield* open()
      const { value } = yield* run(
        runtime,
        "({ date: new Date(0), map: new Map(), bytes: new Uint8Array(1), list: [1], url: new URL('http://a') })"
      )
      const { bytes, date, list, map, url } = value as Record<string, unknown>
      assert.instanceOf(date, Date)
      assert.instanceOf(map, Map)
      assert.instanceOf(bytes, Uint8Array)
      assert.instanceOf(url, URL)
      assert.isTrue(Array.isArray(list))
    }))
})

describe("stored outputs", () => {
  it.effect("the oldest go when there are too many bytes, and that is said", () =>
    Effect.gen(function*() {
      const runtime = yield* open({ storedBytes: 5_000 })
      yield* run(runtime, "console.log('a'.repeat(3000))")
      const { report } = yield* run(runtime, "console.log('b'.repeat(3000))")
      assert.deepStrictEqual(report.stored, ["_output_2"])
      assert.include(report.stdout, "dropped to make room: _output_1")
      assert.deepStrictEqual(report.namespace.removed, ["_output_1"])
      assert.strictEqual((yield* Effect.flip(runtime.get("_output_1"))).reason._tag, "NoSuchVariable")
    }))
})

describe("many sessions", () => {
  it.effect("an idle one makes no context", () =>
    Effect.gen(function*() {
      const before = process.memoryUsage().heapUsed
      for (let i = 0; i < 500; i++) yield* (yield* open()).bind([Binding.variable("rows", [1, 2, 3]) as Bound])
      assert.isBelow((process.memoryUsage().heapUsed - before) / 500, 100_000)
    }))

  it.effect("timers of a closed one do not fire", () =>
    Effect.gen(function*() {
      const seen: Array<number> = []
      yield* Effect.scoped(Effect.gen(function*() {
        const runtime = yield* open()
        yield* runtime.set("seen", seen)
        yield* run(runtime, "setInterval(() => seen.push(1), 1);")
      }))
      yield* Effect.promise(() => new Promise((done) => setTimeout(done, 30)))
      assert.isEmpty(seen)
    }))

  it.effect("a continuation of a closed one is stopped at its next loop", () =>
    Effect.gen(function*() {
      const seen: Array<number> = []
      yield* Effect.scoped(Effect.gen(function*() {
        const runtime = yield* open()
        yield* runtime.set("seen", seen)
        yield* runtime.set("gate", new Promise((done) => setTimeout(done, 20)))
        yield* run(runtime, "gate.then(() => { for (let i = 0; i < 10; i++) seen.push(i) }); 1")
      }))
      yield* Effect.promise(() => new Promise((done) => setTimeout(done, 60)))
      assert.isEmpty(seen)
    }))
})

describe("a facade", () => {
  class Counter {
    #count = 0
    readonly label = "c"
    get count() {
      return this.#count
    }
    add(by: number) {
      return this.#count += by
    }
    peek() {
      return this.#count
    }
  }

  it.effect("leaves identity, private state and the rest of the object alone", () =>
    Effect.gen(function*() {
      const runtime = yield* open()
      const counter = new Counter()
      yield* runtime.bind([Binding.variable("counter", counter, { contract: { add: {} } }) as Bound])
      const { value } = yield* run(
        runtime,
        "await counter.add(2); [counter.peek(), counter.count, counter.label, counter.peek === counter.peek, 'add' in counter].join()"
      )
      assert.strictEqual(value, "2,2,c,true,true")
      assert.strictEqual(counter.count, 2)
      assert.strictEqual(yield* runtime.get("counter"), counter)
    }))

  it.effect("does not let a contracted method be replaced", () =>
    Effect.gen(function*() {
      const runtime = yield* open()
      yield* runtime.bind([Binding.variable("counter", new Counter(), { contract: { add: {} } }) as Bound])
      assert.include((yield* run(runtime, "counter.add = () => 1")).report.problem?.message, "read-only")
    }))

  it.effect("stands before a Map", () =>
    Effect.gen(function*() {
      const runtime = yield* open()
      yield* runtime.bind([Binding.variable("map", new Map([["a", 1]]), { contract: { set: {} } }) as Bound])
      const { value } = yield* run(
        runtime,
        "await map.set('b', 2); [map.size, map.get('b'), [...map.keys()].join('')].join()"
      )
      assert.strictEqual(value, "2,2,ab")
    }))
})
