/**
 * The namespaces that share one process, over all the processes they have in turn: what they share are the objects of
 * the host, and, in the process, the objects of each other.
 */
import { HostCallError, RuntimeError } from "@daylight/core"
import { randomBytes } from "node:crypto"
import type { KernelEvent, KernelMessage, NamespaceOptions } from "../wire/Messages.ts"
import { Originals } from "../wire/Originals.ts"
import type { SpawnOptions } from "./Command.ts"
import { checkedLimits } from "./Checked.ts"
import { FarObjects } from "./FarObjects.ts"
import { HostObjects } from "./HostObjects.ts"
import { KernelProcess } from "./KernelProcess.ts"
import type { Scheduler } from "./Scheduler.ts"
import { type Spare, takeSpare } from "./Spares.ts"
import type { Ending, Transport } from "./Transport.ts"

export interface KernelOptions {
  readonly spawn: SpawnOptions
  readonly namespace: NamespaceOptions
  readonly references: number
  readonly residentBytes: number
  readonly spare: boolean
  readonly scheduler: Scheduler
}

/** What a namespace is to its kernel. */
export interface Member {
  readonly id: number
  readonly take: (message: KernelMessage) => void
  /** The process is gone. */
  readonly ended: (ending: Ending) => void
  readonly callback: (id: number, args: ReadonlyArray<unknown>, told: boolean) => Promise<unknown>
}

export class Kernel {
  readonly options: KernelOptions
  /** Of markers; the same for all processes, since what was sent to one may be sent to the next. */
  readonly key = `\u0000${randomBytes(16).toString("hex")}`
  readonly errors = new Originals()
  readonly objects: HostObjects
  readonly far: FarObjects
  readonly members = new Map<number, Member>()
  /** Calls of cells that are being performed right now, while the kernel waits. */
  readonly waits: Array<Wait> = []
  starts = 0
  #process: Transport | undefined
  #starting: Promise<Transport> | undefined
  #spare: Spare | undefined
  #last = 0

  constructor(options: KernelOptions) {
    this.options = options
    this.objects = new HostObjects(options.references)
    this.far = new FarObjects({
      call: (ns, id, args, told) => this.members.get(ns)?.callback(id, args, told) ?? Promise.reject(lost("function")),
      forget: (id) => this.send({ t: "forget", id }),
      lost
    })
  }

  get process(): Transport | undefined {
    return this.#process
  }

  join(make: (id: number) => Member): void {
    const id = ++this.#last
    this.members.set(id, make(id))
  }

  /** The last one ends the process. */
  async leave(id: number): Promise<void> {
    this.members.delete(id)
    if (this.members.size > 0) return this.send({ t: "close", ns: id })
    this.#spare?.leave()
    this.#spare = undefined
    const process = this.#process ?? await this.#starting?.catch(() => undefined)
    if (process === undefined) return
    process.busy()
    process.kill("closed")
    await process.ended
  }

  send(event: KernelEvent): void {
    if (this.#process?.over === false) this.#process.send(event)
  }

  /** The running process, or a new one. Rejects with a `RuntimeError`. */
  start(): Promise<Transport> {
    if (this.#process !== undefined) return Promise.resolve(this.#process)
    return this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined
    })
  }

  async #start(): Promise<Transport> {
    const { spare, spawn } = this.options
    let process: Transport | undefined
    try {
      if (spare) this.#spare ??= takeSpare(spawn)
      process = this.#spare?.adopt() ?? new KernelProcess(spawn)
      process.busy()
      await process.ready
      process.idle()
    } catch (error) {
      process?.kill("closed")
      throw new RuntimeError({ reason: { _tag: "StartFailed", detail: (error as Error).message } })
    }
    this.starts++
    this.#process = process
    process.onMessage = (message) => this.#take(message)
    void process.ended.then((ending) => this.#ended(ending))
    process.send({ t: "init", key: this.key })
    return process
  }

  #ended(ending: Ending): void {
    this.#process = undefined
    this.errors.forgetCopies()
    for (const member of this.members.values()) member.ended(ending)
  }

  /** The kernel may be hostile: what is no answer to anything is nothing. */
  #take(message: KernelMessage): void {
    switch (message.t) {
      case "shape": {
        const shape = this.objects.shape(message.id)
        const none = { name: "", methods: [], accessors: [], symbols: [] }
        return void this.#process?.answer({ t: "shape", shape: shape ?? none })
      }
      case "sight":
        return this.#process?.answer({
          t: "sight",
          sight: this.objects.sight(message.id, checkedLimits(message.limits))
        })
      case "released":
        return this.objects.release(message.id, message.count)
      case "idle":
        for (const member of this.members.values()) member.take(message)
        return this.options.scheduler.idle?.(() => this.#process?.isIdle === true)
      case "returned":
      case "settled":
      case "answer":
        for (const member of this.members.values()) member.take(message)
        return
      default:
        if ("ns" in message) this.members.get(message.ns)?.take(message)
    }
  }
}

/** A call while the kernel waits for it. */
export interface Wait {
  /** Listeners that were called meanwhile: nobody waits for them, so they run afterwards. */
  readonly told: Array<() => void>
  /** Callbacks that were called meanwhile: they can run only if the call turns out to give a promise. */
  readonly held: Array<{ readonly go: () => void; readonly refuse: () => void; readonly promise: Promise<unknown> }>
}

const lost = (what: string): Error =>
  new HostCallError({ path: "callback", reason: { _tag: "ReferenceLost", type: what } })
