/** The variables of a session, for `/vars`: what cells reported of them, and the names that only bindings gave. */
import type { AgentHandle, Live, Variable } from "@daylight/core"
import { inspect } from "node:util"

type Described = typeof Variable.Type

export class Variables {
  readonly #reported = new Map<string, Described>()

  /** Takes in what a cell of the root agent added, changed or removed. */
  watch(live: Live): void {
    if (live._tag !== "Recorded" || live.origin.agent.length > 1 || live.recorded.event._tag !== "CellEnded") return
    const { added, changed, lost, removed } = live.recorded.event.report.namespace
    for (const variable of [...added, ...changed]) this.#reported.set(variable.name, variable)
    for (const name of [...removed, ...lost.map((one) => one.name)]) this.#reported.delete(name)
  }

  /** All variables as they are now. */
  async list(handle: AgentHandle): Promise<ReadonlyArray<Described>> {
    const names = await handle.names()
    return await Promise.all(names.map(async (name) => this.#reported.get(name) ?? describe(name, await handle.retrieve(name))))
  }

  clear(): void {
    this.#reported.clear()
  }
}

const describe = (name: string, value: unknown): Described => ({
  name,
  type: typeOf(value),
  sample: typeof value === "function" ? "" : inspect(value, { depth: 0, breakLength: Infinity, maxStringLength: 80, maxArrayLength: 3 })
})

const typeOf = (value: unknown): string => {
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value
  const name = Object.getPrototypeOf(value)?.constructor?.name
  return typeof name === "string" && name !== "" ? name : "object"
}
