/**
 * The host's side of what crosses: objects that stay here are handed out by number, those that come back are
 * themselves, and what belongs to the kernel is something that can be used from here.
 */
import { HostCallError } from "@daylight/core"
import type { Modules } from "@daylight/core/node"
import { types } from "node:util"
import type { Side } from "../wire/Crossing.ts"
import type { Originals } from "../wire/Originals.ts"
import type { Marker, Wire } from "../wire/Messages.ts"
import { Handed } from "./Bindings.ts"
import { isLive } from "./HostObjects.ts"
import type { Kernel } from "./Kernel.ts"
import { follow, moduleOf, rootOf } from "./Paths.ts"

/** What it needs of its namespace. */
export interface HostSideOptions {
  readonly kernel: Kernel
  readonly ns: number
  readonly modules: Modules
  /** What the application bound under this name. */
  readonly bound: (name: string) => unknown
  /** Gives the key under which the kernel hears how the promise ends. */
  readonly follow: (promise: PromiseLike<unknown>) => string
}

/** When they are needed: Node loads `Headers` together with all of `fetch`. */
const web = { Headers: () => Headers, URLSearchParams: () => URLSearchParams }

export class HostSide implements Side {
  readonly key: string
  readonly errors: Originals
  readonly #options: HostSideOptions
  readonly #loaded = new Map<string, unknown>()

  constructor(options: HostSideOptions) {
    this.#options = options
    this.key = options.kernel.key
    this.errors = options.kernel.errors
  }

  leave(value: object, path: string | undefined, holder: object | undefined): Marker | undefined {
    const { follow, kernel } = this.#options
    if (value instanceof Handed) return { ref: value.entry.wire }
    const yours = kernel.far.idOf(value)
    if (yours !== undefined) return { yours }
    if (types.isPromise(value)) return { promise: follow(value) }
    return isLive(value) ? { ref: kernel.objects.bare(value, path, holder).wire } : undefined
  }

  arrive(marker: Parameters<Side["arrive"]>[0]): unknown {
    const { kernel, ns } = this.#options
    if ("yours" in marker) {
      const entry = kernel.objects.get(marker.yours)
      if (entry !== undefined) return entry.object
      throw new HostCallError({ path: "object", reason: { _tag: "ReferenceLost", type: "object" } })
    }
    if ("far" in marker) return kernel.far.of(marker.far, ns)
    if ("symbol" in marker) return marker.unique ? Symbol(marker.symbol) : Symbol.for(marker.symbol)
    if ("web" in marker) return new (web[marker.web]())(marker.entries as never)
    return "url" in marker ? new URL(marker.url) : undefined
  }

  /** An object that was handed out, once more. */
  again(id: number): Wire | undefined {
    const entry = this.#options.kernel.objects.get(id)
    if (entry === undefined) return undefined
    entry.count++
    return { d: { [this.key]: { ref: entry.wire } }, m: true }
  }

  /** The object that a path leads to now, if it is an object. */
  reach(path: string): object | undefined {
    const module = moduleOf(path)
    const root = module === undefined ? this.#options.bound(rootOf(path)) : this.#loaded.get(module)
    const value = follow(root, path)
    return (typeof value === "object" || typeof value === "function") && value !== null ? value : undefined
  }

  /** A module that cells may import. */
  async load(name: string): Promise<unknown> {
    const { modules } = this.#options
    const load = Object.hasOwn(modules, name) ? modules[name] : undefined
    if (load === undefined) throw new Error(`Cannot find module '${name}'`)
    const module = await load()
    this.#loaded.set(name, module)
    return module
  }
}
