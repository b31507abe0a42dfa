/**
 * What host and kernel say to each other. Three descriptors carry it: events to the kernel (3), messages of the kernel
 * and the answers it waits for (4), and a file without a name for what is too large for a pipe (5).
 */
import type { CellReport } from "@daylight/core"
import type { ExecutionLimits, PrintLimits, Runnable, Sight } from "@daylight/core/node"
import type { Packed } from "./Packing.ts"

export const eventDescriptor = 3
export const messageDescriptor = 4
export const bulkDescriptor = 5

/** A message with a larger payload leaves it in the file. */
export const bulkBytes = 1 << 20

/** Larger than any value that is worth a copy: what claims to be so is none. */
export const mostBulkBytes = 2 ** 30

/** The file is written by both: the host from its beginning, the kernel from here. */
export const kernelOffset = 2 ** 40

/** A value that was made ready to cross: data, with markers in it where something is no data. */
export interface Wire {
  readonly d: unknown
  /** There are markers. */
  readonly m?: true | undefined
  /** Of the object itself, in the kernel: a copy that comes back unchanged is the object again. */
  readonly o?: number | undefined
  /** A copy that cannot be changed. */
  readonly f?: true | undefined
}

/** An error, in parts that can cross. `thrown`: something else was thrown. */
export type ErrorWire =
  | { readonly thrown: unknown }
  | {
    readonly name: string
    /** The built-in class it descends from. */
    readonly base: string
    readonly message: string
    readonly stack: string
    readonly own: Readonly<Record<string, unknown>>
    readonly cause?: unknown
    readonly errors?: ReadonlyArray<unknown> | undefined
    /** Number of the sender's for it, or of the receiver's, where it is a copy of an error of that side. */
    readonly mine?: number | undefined
    readonly yours?: number | undefined
  }

/** What a call gave, or how it failed. */
export type Result =
  | { readonly v: Wire; readonly e?: never }
  | { readonly e: ErrorWire; readonly v?: never }

/** A live object of the host. */
export interface ReferenceWire {
  readonly id: number
  readonly kind: "object" | "function" | "class"
  /** Of its prototype; of a class, that of its instances. */
  readonly shape?: number | undefined
  readonly name: string
  /** Of a function: how many arguments it says it takes. */
  readonly length?: number | undefined
  /** Own properties that are functions. */
  readonly methods?: ReadonlyArray<string> | undefined
  /** Names in `Symbol` of its own methods. */
  readonly symbols?: ReadonlyArray<string> | undefined
  /** Methods that give promises at once, since they cross the boundary; of a function `true`. */
  readonly posts?: true | ReadonlyArray<string> | undefined
  readonly thenable?: true | undefined
}

/** What a prototype of the host gives its objects. */
export interface Shape {
  readonly name: string
  readonly parent?: number | undefined
  readonly methods: ReadonlyArray<string>
  readonly accessors: ReadonlyArray<string>
  /** Names in `Symbol` that it has methods for. */
  readonly symbols: ReadonlyArray<string>
}

/** What an operation does with a reference. `own`: the descriptor of a property; `next`: of an iterator. */
export type Operation = "call" | "construct" | "get" | "set" | "has" | "own" | "keys" | "next" | "stop"

/** What a marker stands for. */
export type Marker =
  | { readonly ref: ReferenceWire }
  /** An object of the receiver. */
  | { readonly yours: number }
  | { readonly error: ErrorWire }
  /** Settled by an event with this key. */
  | { readonly promise: string }
  | { readonly symbol: string; readonly unique: boolean }
  | { readonly url: string }
  | { readonly web: "Headers" | "URLSearchParams"; readonly entries: ReadonlyArray<readonly [string, string]> }
  /** Of the kernel: a function, or something that only the kernel can use. */
  | {
    readonly far: {
      readonly id: number
      readonly kind: "function" | "iterable" | "promise" | "signal" | "opaque"
      readonly name: string
      /** Of a function: how many arguments it says it takes. */
      readonly length?: number | undefined
    }
  }

export interface BoundWire {
  readonly name: string
  /** A type without a class has none. */
  readonly value?: Wire | undefined
  readonly readonly: boolean
  readonly sensitive: boolean
  readonly asynchronous: ReadonlyArray<string>
}

/** Clock readings, run-length coded: `[ms, reads, ...]`. */
export type Clock = ReadonlyArray<number>

/** A namespace at rest, as the kernel writes it. */
export interface SavedNamespace {
  readonly data: string
  readonly sources: ReadonlyArray<{ readonly name: string; readonly code: string }>
  readonly lost: ReadonlyArray<{ readonly name: string; readonly path: string; readonly reason: string }>
  readonly names: ReadonlyArray<string>
  /** Live objects of the host that are in it. */
  readonly references: ReadonlyArray<{ readonly id: number; readonly path: string }>
  readonly clock: number
  /** Timers, calls and promises that were pending. */
  readonly pending: number
  readonly callbacks: Readonly<Record<string, number>>
  readonly lastCallback: number
}

/** A cell, its names as a list. */
export type RunnableWire = Omit<Runnable, "names"> & {
  readonly names: ReadonlyArray<EntryOf<Runnable["names"]>>
}

type EntryOf<A> = A extends Iterable<infer Entry> ? Entry : never

/** To the kernel, in order, one per turn of its event loop. */
export type KernelEvent =
  | { readonly t: "init"; readonly key: string }
  | { readonly t: "warm" }
  | { readonly t: "open"; readonly ns: number; readonly options: NamespaceOptions }
  | { readonly t: "close"; readonly ns: number }
  | { readonly t: "bind"; readonly ns: number; readonly bound: BoundWire }
  | { readonly t: "unbind"; readonly ns: number; readonly name: string }
  | {
    readonly t: "cell"
    readonly ns: number
    readonly cell: number
    readonly parsed: RunnableWire
    readonly limits: ExecutionLimits
    readonly seed: string
    /** Readings of an earlier attempt. */
    readonly clock: Clock
    /** Names whose functions and classes can be made again from their text. */
    readonly rebuildable: ReadonlyArray<string>
  }
  | { readonly t: "end"; readonly ns: number; readonly key: string; readonly v?: Wire; readonly e?: ErrorWire }
  | { readonly t: "fired"; readonly ns: number; readonly key: string }
  | { readonly t: "callback"; readonly ns: number; readonly id: number; readonly call: number; readonly args: Wire }
  | { readonly t: "set"; readonly ns: number; readonly name: string; readonly v: Wire }
  | { readonly t: "pause"; readonly ns: number; readonly on: boolean }
  | { readonly t: "ask"; readonly ns: number; readonly request: number; readonly question: Question }
  | { readonly t: "forget"; readonly id: number }

/** Acts at once, also in the middle of a loop. */
export interface Interrupt {
  readonly t: "interrupt"
  readonly ns: number
  readonly cell: number
  /** What took too long; nothing where somebody wants it to end. */
  readonly expired?: string | undefined
}

/** The payload of an event is in the file. */
export interface Bulk {
  readonly t: "bulk"
  readonly offset: number
  readonly bytes: number
}

export type Question =
  | { readonly is: "get"; readonly name: string }
  | { readonly is: "remove"; readonly name: string }
  | { readonly is: "taken"; readonly names: ReadonlyArray<string> }
  | { readonly is: "describe" }
  | { readonly is: "made" }
  | { readonly is: "reset" }
  | { readonly is: "snapshot" }
  | { readonly is: "restore"; readonly saved: SavedNamespace }
  | { readonly is: "collect" }

export interface NamespaceOptions {
  readonly storedBytes: number
  readonly timers: number
  readonly pendingCalls: number
  readonly snapshotBytes: number
  readonly modules: ReadonlyArray<string>
}

/** How an operation is told. */
export interface OperationMessage {
  readonly t: "operation"
  readonly ns: number
  readonly cell: number
  /** Number within the cell, shared with timers. */
  readonly n: number
  /** Events of the schedule that the cell had taken in. */
  readonly after: number
  readonly id: number
  readonly op: Operation
  readonly key: string | undefined
  /** The `Wire` of the list of arguments. */
  readonly args: Packed
  /** Of the object that is written to a property, in the kernel. It differs from process to process. */
  readonly o?: number | undefined
  /** The kernel waits. */
  readonly sync: boolean
  readonly clock: Clock
}

/** A variable that is a live object of the host. `before`: of the changed ones in the report, those that precede it. */
export type LiveVariable = readonly [name: string, id: number, type: string, before: number]

/** From the kernel, in order. */
export type KernelMessage =
  | { readonly t: "ready" }
  | { readonly t: "bulk"; readonly bytes: number }
  | OperationMessage
  | {
    readonly t: "timer"
    readonly ns: number
    readonly cell: number
    readonly n: number
    readonly after: number
    readonly ms: number
    readonly clock: Clock
  }
  /** Work of a thread pool, whose end gets its place in the order from the host. */
  | {
    readonly t: "work"
    readonly ns: number
    readonly cell: number
    readonly n: number
    readonly after: number
    readonly clock: Clock
  }
  | { readonly t: "workEnded"; readonly ns: number; readonly key: string }
  | { readonly t: "clear"; readonly ns: number; readonly key: string }
  | {
    readonly t: "done"
    readonly ns: number
    readonly cell: number
    readonly report: CellReport
    readonly v: Wire
    readonly live?: ReadonlyArray<LiveVariable> | undefined
    readonly clock: Clock
  }
  /** `seen`: how many events it had taken in by then. */
  | { readonly t: "saved"; readonly ns: number; readonly seen: number; readonly saved: SavedNamespace }
  | { readonly t: "printed"; readonly ns: number; readonly text: string }
  | { readonly t: "answer"; readonly request: number; readonly v: unknown; readonly e?: ErrorWire }
  | { readonly t: "returned"; readonly call: number; readonly v?: Wire; readonly e?: ErrorWire }
  | { readonly t: "settled"; readonly id: number; readonly v?: Wire; readonly e?: ErrorWire }
  | { readonly t: "released"; readonly id: number; readonly count: number }
  | { readonly t: "shape"; readonly id: number }
  | { readonly t: "sight"; readonly id: number; readonly limits: PrintLimits }
  | { readonly t: "revive"; readonly ns: number; readonly id: number; readonly path: string | undefined }
  /** All events so far were taken in, microtasks included. */
  | { readonly t: "idle"; readonly seen: number }
  /** `key`: of the event that nothing waits for. */
  | { readonly t: "diverged"; readonly ns: number; readonly cell: number; readonly key?: string; readonly why: string }

/** What the kernel waits for. `later`: a promise, settled by an event. */
export type Answer =
  | { readonly t: "value"; readonly v: Wire }
  | { readonly t: "error"; readonly e: ErrorWire }
  | { readonly t: "later" }
  | { readonly t: "shape"; readonly shape: Shape }
  | { readonly t: "sight"; readonly sight: Sight | undefined }
  | { readonly t: "read" }
