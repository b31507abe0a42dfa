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

  /** What has changed since the last time, and is not told by `diff` already. */
  changes(live: ReadonlyArray<LiveVariable>, diff: NamespaceDiff): ReadonlyArray<Variable> {
    const before = this.#known
    this.#known = new Map()
    const changed: Array<Variable> = []
    for (const [name, id, type] of live) {
      const object = this.#objects.get(id)?.object
      if (object === undefined) continue
      const print = fingerprintOf(object)
      this.#known.set(name, { object, print })
      const last = before.get(name)
      if (last?.object !== object || last.print === print) continue
      if ([...diff.added, ...diff.changed].some((told) => told.name === name)) continue
      const bound = this.#bound(name)
      const sensitive = bound?._tag === "Variable" && bound.sensitive === true
      const { sample, shape } = describeVariable(name, object, sensitive)
      changed.push({ name, type, ...(shape !== undefined && { shape }), sample })
    }
    return changed
  }
}
