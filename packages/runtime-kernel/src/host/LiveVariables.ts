/**
 * Variables of a namespace that are live objects. They change here, so how they do is seen here, at the end of a cell:
 * to the kernel each look would cost a message.
 */
import type { Bound, NamespaceDiff, Variable } from "@daylight/core"
import { describeVariable, fingerprintOf } from "@daylight/core/node"
import type { LiveVariable } from "../wire/Messages.ts"
import { valueOf } from "./BoundNames.ts"
import type { HostObjects } from "./HostObjects.ts"

interface Known {
  readonly object: unknown
  readonly print: number
}

export class LiveVariables {
  readonly #objects: HostObjects
  readonly #bound: (name: string) => Bound | undefined
  #known = new Map<string, Known>()

  constructor(objects: HostObjects, bound: (name: string) => Bound | undefined) {
    this.#objects = objects
    this.#bound = bound
  }

  /** The application has just bound it: it is known as it is now. */
  note(name: string): void {
    const object = valueOf(this.#bound(name))
    this.#known.set(name, { object, print: fingerprintOf(object) })
  }

  /** All that changed, in the order of the variables: what `diff` tells already, and live objects. */
  changes(live: ReadonlyArray<LiveVariable>, diff: NamespaceDiff): ReadonlyArray<Variable> {
    const known = this.#known
    this.#known = new Map()
    const changed: Array<Variable> = []
    let told = 0
    for (const [name, id, type, before] of live) {
      const object = this.#objects.get(id)?.object
      if (object === undefined) continue
      const print = fingerprintOf(object)
      this.#known.set(name, { object, print })
      const last = known.get(name)
      if (last?.object !== object || last.print === print) continue
      if ([...diff.added, ...diff.changed].some((told) => told.name === name)) continue
      while (told < Math.min(before, diff.changed.length)) changed.push(diff.changed[told++]!)
      changed.push(this.#described(name, type, object))
    }
    return changed.length === 0 ? diff.changed : [...changed, ...diff.changed.slice(told)]
  }

  #described(name: string, type: string, object: object): Variable {
    const bound = this.#bound(name)
    const sensitive = bound?._tag === "Variable" && bound.sensitive === true
    const { sample, shape } = describeVariable(name, object, sensitive)
    return { name, type, ...(shape !== undefined && { shape }), sample }
  }
}
