import { Binding, type Bound } from "@daylight/core"
import { EventEmitter } from "node:events"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { openSession, type Session } from "../support/session.ts"

/** What would end a program that has no handlers for it. */
const fatal: Array<unknown> = []
const note = (error: unknown): void => void fatal.push(error)

describe("a function of a cell that listens", () => {
  const emitter = new EventEmitter()
  const target = new EventTarget()
  const controller = new AbortController()
  let session: Session

  beforeAll(async () => {
    process.on("uncaughtException", note).on("unhandledRejection", note)
    session = await openSession({
      bindings: [
        Binding.variable("emitter", emitter) as Bound,
        Binding.variable("target", target) as Bound,
        Binding.variable("controller", controller) as Bound,
        Binding.variable("both", (a: number, b: number) => a + b) as Bound,
        Binding.variable("fire", () => target.dispatchEvent(new Event("tick"))) as Bound
      ]
    })
    await session.value("const heard = []; const settled = () => new Promise((done) => setTimeout(done, 5)); 1")
  })
  afterEach(() => assert.deepStrictEqual(fatal, []))
  afterAll(async () => {
    await session?.close()
    process.off("uncaughtException", note).off("unhandledRejection", note)
  })

  it("hears what the cell itself makes happen, as soon as it yields", async () => {
    const code = `
      emitter.on("own", (x) => heard.push(x)); emitter.once("own", (x) => heard.push("once " + x))
      const first = [emitter.emit("own", 1), emitter.emit("own", 2), heard.length]
      await settled(); [first, heard.splice(0)]`
    assert.deepStrictEqual(await session.value(code), [[true, true, 0], [1, "once 1", 2]])
  })

  it("hears an event target, also where it dispatches while the cell waits", async () => {
    const code = `
      target.addEventListener("tick", (event) => heard.push(event.type)); target.addEventListener("tick", { handleEvent(event) { heard.push("object " + event.type) } })
      const given = fire(); await settled(); [given, heard.splice(0)]`
    assert.deepStrictEqual(await session.value(code), [true, ["tick", "object tick"]])
    target.dispatchEvent(new Event("tick"))
    assert.deepStrictEqual(await session.value("await settled(); heard.splice(0)"), ["tick", "object tick"])
  })

  it("may fail without harm to the host, in every way of listening", async () => {
    await session.value(`
      const fail = async () => { throw new RangeError("of a listener") }
      emitter.on("bad", fail); target.addEventListener("bad", fail); target.addEventListener("bad", { handleEvent: fail })
      controller.signal.addEventListener("abort", fail); controller.signal.onabort = fail; 1`)
    emitter.emit("bad")
    target.dispatchEvent(new Event("bad"))
    controller.abort()
    assert.strictEqual(await session.value("await settled(); await settled(); heard.length"), 0)
  })

  it("is taken off again", async () => {
    await session.value("const once = () => heard.push('gone'); emitter.on('off', once); emitter.off('off', once); 1")
    assert.strictEqual(emitter.listenerCount("off"), 0)
  })

  it("says how many arguments it takes, as functions of the host do in the cell", async () => {
    await session.value("const three = (a, b, c) => a; emitter.on('three', three); 1")
    assert.strictEqual(emitter.listeners("three")[0]!.length, 3)
    assert.deepStrictEqual(await session.value("[both.length, fire.length]"), [2, 0])
  })

  it("that is gone with its process harms nobody", async () => {
    await session.value("emitter.on('late', (x) => heard.push(x)); target.addEventListener('late', () => {}); 1")
    await session.kill()
    emitter.emit("late", 1)
    target.dispatchEvent(new Event("late"))
    assert.strictEqual(await session.value("1"), 1)
    emitter.emit("late", 2)
    target.dispatchEvent(new Event("late"))
    await session.close()
    emitter.emit("late", 3)
    target.dispatchEvent(new Event("late"))
    await new Promise((done) => setImmediate(done))
  })
})
