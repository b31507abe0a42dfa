import { Binding, type Bound } from "@daylight/core"
import { EventEmitter } from "node:events"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { inspect } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { withSession } from "../support/session.ts"
import { corpus, type Hostile } from "./corpus.ts"
import { insiders } from "./insiders.ts"

const mebibyte = 2 ** 20
const secret = "the-secret-that-no-cell-may-see"

class Type {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

class Database {
  readonly rows = [{ id: 1 }]
  get size(): number {
    return this.rows.length
  }
  query(...args: ReadonlyArray<unknown>): ReadonlyArray<unknown> {
    return args
  }
  row(): Type {
    return new Type("row")
  }
  fail(): never {
    throw new RangeError("no")
  }
  async later(): Promise<never> {
    throw new RangeError("later")
  }
  never(): Promise<never> {
    return new Promise(() => {})
  }
  async each(call: (n: number) => unknown): Promise<unknown> {
    return call(1)
  }
  readonly emitter = new EventEmitter()
  #made = 0
  self(): Promise<this> {
    return Promise.resolve(this)
  }
  bytes(): Uint8Array {
    return Buffer.from([1, 2, 3])
  }
  view(): Uint8Array {
    return new Uint8Array([1, 2, 3])
  }
  floats(): Float64Array {
    return new Float64Array([1, 2])
  }
  pattern(): RegExp {
    return /x/g
  }
  deep(levels: number): object {
    let data: object = {}
    for (let i = 0; i < levels; i++) data = { data }
    return data
  }
  async deepLater(levels: number): Promise<object> {
    return this.deep(levels)
  }
  get made(): number {
    return this.#made
  }
  counted(): Promise<never> {
    this.#made++
    return this.never()
  }
  *steps(): Generator<number> {
    for (let i = 0;; i++) yield i
  }
  abort(): AbortController {
    return new AbortController()
  }
  promises(): object {
    const world = Promise.resolve(globalThis)
    return { deep: Promise.resolve(this.deep(6_000)), world }
  }
  world(): unknown {
    return process
  }
  world2(): unknown {
    return globalThis
  }
}

const database = new Database()
/** Helpers as careless applications have them. */
const tools = {
  get: (object: Record<string, unknown>, key: string): unknown => object[key],
  merge: (target: Record<string, unknown>, from: Record<string, unknown>): object => {
    for (const key of Object.keys(from)) if (key !== "__proto__" && key !== "constructor") target[key] = from[key]
    return target
  },
  chain(this: unknown): unknown {
    return this
  }
}
/** `kept`: what cells handed over. */
const bindingsWith = (kept: Array<unknown>): ReadonlyArray<Bound> => [
  Binding.variable("db", database) as Bound,
  Binding.variable("tools", tools) as Bound,
  Binding.type(Type) as Bound,
  Binding.func((a: number, b: number) => a + b, { name: "add", effect: "none" }) as Bound,
  Binding.func(async (...values: ReadonlyArray<unknown>) => {
    kept.push(...values)
    return values[0]
  }, { name: "keep" }) as Bound
]

/** What would end a program that has no handlers for it. */
const fatal: Array<unknown> = []
const note = (error: unknown): void => void fatal.push(error)

describe("hostile cells", () => {
  const folder = mkdtempSync(join(tmpdir(), "daylight-hostile-"))
  const file = join(folder, "secret.txt")
  const connections: Array<unknown> = []
  let server: Server
  let port: number
  const shapes = () => [
    Reflect.ownKeys(Object.prototype).length,
    Reflect.ownKeys(Function.prototype).length,
    Reflect.ownKeys(Array.prototype).length,
    Reflect.ownKeys(Map.prototype).length,
    Reflect.ownKeys(Database.prototype).join(),
    Reflect.ownKeys(Type.prototype).join(),
    Object.getPrototypeOf(database) === Database.prototype,
    Object.keys(database).join(),
    Object.keys(tools).join(),
    "pwned" in globalThis,
    "pwned" in {}
  ]
  const before = shapes()

  beforeAll(async () => {
    process.on("uncaughtException", note).on("unhandledRejection", note)
    writeFileSync(file, secret)
    process.env.SECRET = secret
    server = createServer((socket) => {
      connections.push(socket)
      socket.destroy()
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    port = (server.address() as { readonly port: number }).port
  })
  afterAll(() => {
    process.off("uncaughtException", note).off("unhandledRejection", note)
    delete process.env.SECRET
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const run = async ({ code, ends, ...hostile }: Hostile): Promise<void> => {
    const text = code.replaceAll("PORT", String(port)).replaceAll("FILE", file)
      .replaceAll("HOSTPID", String(process.pid))
    const kept: Array<unknown> = []
    await withSession({
      bindings: bindingsWith(kept),
      limits: { heapBytes: 128 * mebibyte, residentBytes: 700 * mebibyte, references: 2_000, pendingCalls: 2_000 }
    }, async (session) => {
      const cell = { cpu: "300 millis", time: "600 millis", outputBytes: 10_000 } as const
      const limits = ends === undefined ? { ...cell, cpu: "3 seconds", time: "8 seconds" } as const : cell
      const { report, value } = await session.run(text, limits).catch(refusedByParser)
      if (ends !== undefined) assert.include(ends, report.problem?.stage)
      if ("gives" in hostile) assert.deepStrictEqual(report.problem ?? value, hostile.gives)
      assert.deepStrictEqual(fatal, [])
      const told = inspect([report, value, kept.slice(0, 10)], { depth: 6, maxArrayLength: 20, maxStringLength: 5_000 })
      assert.notInclude(told, secret)
      // Numbers of a cell whose value is known may happen to be the same.
      if (!("gives" in hostile)) assert.notMatch(told, new RegExp(`\\b${process.pid}\\b`))
      assert.deepStrictEqual(shapes(), before)
      assert.isEmpty(connections)
      assert.deepStrictEqual(readdirSync(folder), ["secret.txt"])
      assert.strictEqual(readFileSync(file, "utf8"), secret)
      // A heap that a stopped cell left full may end the process in the next cell, and then it is empty.
      const { problem } = (await session.run("1 + 1")).report
      if (problem !== undefined) assert.strictEqual(problem.name, "MemoryLimit")
      assert.strictEqual(await session.value("1 + 1"), 2)
      assert.deepStrictEqual(database.query("x"), ["x"])
    })
  }

  // Two at a time: each has a process of its own, and much of its time it waits.
  const lanes: Array<Promise<void>> = [Promise.resolve(), Promise.resolve()]
  let next = 0
  const inLane = (act: () => Promise<void>): Promise<void> => {
    const lane = next++ % lanes.length
    const result = lanes[lane]!.then(act)
    lanes[lane] = result.catch(() => {}) // told by its own test
    return result
  }

  for (const hostile of [...corpus, ...insiders]) {
    it.concurrent(hostile.name, async () => assert.isUndefined(await inLane(() => run(hostile))), 60_000)
  }
})

/** What does not parse never reaches a kernel. */
const refusedByParser = (
  error: Error
): { readonly report: { readonly problem?: { readonly stage: string } }; readonly value: unknown } => {
  if (!error.message.startsWith("the cell does not parse")) throw error
  return { report: { problem: { stage: "syntax" } }, value: error.message }
}
