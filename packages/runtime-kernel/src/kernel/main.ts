/**
 * The program of the child process. It has no parser, opens no file and no socket, and does what the host says, in the
 * order in which the host says it.
 */
import { currentRun } from "@daylight/core/node"
import { departError } from "../wire/Crossing.ts"
import type { Interrupt, KernelEvent } from "../wire/Messages.ts"
import { Originals } from "../wire/Originals.ts"
import { breakable, drain } from "./Breaking.ts"
import { Exports, Origins } from "./Exports.ts"
import { KernelNamespace, type Shared } from "./KernelNamespace.ts"
import { freezeIntrinsics } from "./Intrinsics.ts"
import { assertWhole, flush, Inbox, request, send, whenSending } from "./Line.ts"
import { References } from "./References.ts"
import { replaceDates } from "./Surroundings.ts"
import { Turns } from "./Turns.ts"

const namespaces = new Map<number, KernelNamespace>()
const byNotebook = new Map<object, KernelNamespace>()
/** Whose event was taken in last: code that belongs to no cell is taken for its. */
let latest: KernelNamespace | undefined
let shared: Shared | undefined
let seen = 0

const running = (): KernelNamespace | undefined => {
  const run = currentRun()
  return (run && byNotebook.get(run.notebook)) ?? latest
}

const operator: ConstructorParameters<typeof References>[0] = {
  operate: (...args) => {
    const namespace = running()
    if (namespace === undefined) throw new TypeError("there is no namespace to call from")
    return namespace.operate(...args)
  },
  shape: (id) => {
    const answer = request({ t: "shape", id })
    if (answer.t !== "shape") throw new TypeError("the host does not know this class")
    return answer.shape
  },
  sight: (id, limits) => {
    const answer = request({ t: "sight", id, limits })
    return answer.t === "sight" ? answer.sight : undefined
  },
  release: (id, count) => send({ t: "released", id, count })
}

const take = (event: KernelEvent): void => {
  seen++
  if (event.t === "init") return void (shared = makeShared(event.key))
  if (event.t === "warm") return warm()
  if (event.t === "forget") return shared!.exports.forget(event.id)
  if (event.t === "open") return open(event)
  const namespace = namespaces.get(event.ns)
  if (namespace === undefined) return
  latest = namespace
  switch (event.t) {
    case "close":
      namespaces.delete(event.ns)
      byNotebook.delete(namespace.notebook)
      return namespace.close()
    case "bind":
      return namespace.bind(event.bound)
    case "unbind":
      return namespace.unbind(event.name)
    case "cell":
      return namespace.run(event)
    case "end":
      return namespace.settle(event.key, event.v, event.e)
    case "fired":
      return namespace.fire(event.key)
    case "callback":
      return namespace.callback(event.id, event.call, event.args)
    case "set":
      return namespace.set(event.name, event.v)
    case "pause":
      return namespace.pause(event.on)
    case "ask":
      return answer(namespace, event)
  }
}

const answer = (
  namespace: KernelNamespace,
  { question, request }: Extract<KernelEvent, { readonly t: "ask" }>
): void => {
  try {
    send({ t: "answer", request, v: namespace.ask(question) })
  } catch (error) {
    send({ t: "answer", request, v: undefined, e: departError(namespace.side, error) })
  }
}

const makeShared = (key: string): Shared => ({
  key,
  references: new References(operator),
  exports: new Exports(),
  origins: new Origins(),
  errors: new Originals(),
  poll: () => inbox.poll(),
  seen: () => seen
})

const open = ({ ns, options }: Extract<KernelEvent, { readonly t: "open" }>): void => {
  const namespace = new KernelNamespace(ns, options, shared!)
  namespaces.set(ns, namespace)
  byNotebook.set(namespace.notebook, namespace)
}

/** A spare runs a first cell ahead, so that the engine has compiled what every cell needs. */
const warm = (): void => {
  open({ t: "open", ns: -1, options: { storedBytes: 0, timers: 1, pendingCalls: 1, snapshotBytes: 0, modules: [] } })
  const namespace = namespaces.get(-1)!
  namespace.notebook.set("x", [1])
  namespace.notebook.describe()
  namespaces.delete(-1)
  byNotebook.delete(namespace.notebook)
  namespace.close()
}

/** Interrupts overtake: they have to reach a loop. */
const inbox = new Inbox((event: KernelEvent | Interrupt) => {
  if (event.t === "interrupt") namespaces.get(event.ns)?.interrupt(event.cell, event.expired)
  else turns.push(event)
})

/** What has code of cells run. */
const runsCode = new Set<KernelEvent["t"]>(["cell", "end", "fired", "callback", "set"])

const tryTake = (event: KernelEvent): void => {
  try {
    take(event)
  } catch (error) {
    const ns = "ns" in event ? event.ns : 0
    send({ t: "diverged", ns, cell: -1, why: `${event.t}: ${String((error as Error).stack ?? error)}` })
  }
}

/** The host has said why, unless somebody else sent the signal. */
const broken = (): void => {
  assertWhole()
  inbox.poll()
  latest?.broken()
}

const turns = new Turns<KernelEvent>({
  take: (event) => {
    if (runsCode.has(event.t)) return breakable(() => tryTake(event), broken)
    tryTake(event)
    drain()
  },
  rested: (tell) => {
    flush() // the host need not wait for what is kept
    const large = [...namespaces.values()].filter(({ keeper }) => keeper.saveLittle())
    if (tell) send({ t: "idle", seen })
    flush()
    if (large.length > 0) setImmediate(() => large.forEach(({ keeper }) => keeper.save()))
  },
  hold: (event) => event.t === "fired" ? namespaces.get(event.ns)?.held(event.key) : undefined
})

whenSending(() => turns.soon())

replaceDates(() => {
  const run = currentRun()
  return run && byNotebook.get(run.notebook)?.entropy
})

// The frames of the cell lie below half a dozen of the kernel; to take more costs every call more.
Error.stackTraceLimit = 16

freezeIntrinsics()

// What no notebook claims must not end the process: a cell is told of its own failures by its report.
process.on("uncaughtException", () => {})
process.on("unhandledRejection", () => {})
send({ t: "ready" })
