/** The variables of a session, for `/vars`: as cells reported them, and as they are where only a binding gave them. */
import type { AgentHandle, AgentOptions, Live, Variable } from "@daylight/core"
import { inspect } from "node:util"

export class Variables {
  readonly #reported = new Map<string, Variable>()
  readonly #hidden: ReadonlySet<string>

  /** Values of sensitive bindings are not shown. */
  constructor(bindings: AgentOptions["bindings"] = []) {
    const hidden = bindings.filter((one) => one._tag === "Variable" && one.sensitive === true)
    this.#hidden = new Set(hidden.map(({ name }) => name))
  }

  /** Takes in what a cell of the root agent added, changed or removed. */
  watch(live: Live): void {
    if (live._tag !== "Recorded" || live.origin.agent.length > 1 || live.recorded.event._tag !== "CellEnded") return
    const { added, changed, lost, removed } = live.recorded.event.report.namespace
    for (const variable of [...added, ...changed]) this.#reported.set(variable.name, variable)
    for (const name of [...removed, ...lost.map((one) => one.name)]) this.#reported.delete(name)
  }

  /** All variables as they are now. */
  async list(handle: AgentHandle): Promise<ReadonlyArray<Variable>> {
    return await Promise.all((await handle.names()).map((name) => this.#describe(name, handle)))
  }

  clear(): void {
    this.#reported.clear()
  }

  async #describe(name: string, handle: AgentHandle): Promise<Variable> {
    const reported = this.#reported.get(name)
    if (reported) return reported
    if (this.#hidden.has(name)) return { name, type: "hidden", sample: "" }
    const value = await handle.retrieve(name)
    return { name, type: typeOf(value), shape: shapeOf(value), sample: sampleOf(value) }
  }
}

const typeOf = (value: unknown): string => {
  if (value === null || typeof value !== "object") return value === null ? "null" : typeof value
  const name = Object.getPrototypeOf(value)?.constructor?.name
  return typeof name === "string" && name !== "" ? name : "object"
}

const maxKeys = 6

const shapeOf = (value: unknown): string | undefined => {
  if (Array.isArray(value)) {
    const of = value.length === 0 ? "" : ` of ${typeOf(value[0])} ${shapeOf(value[0]) ?? ""}`.trimEnd()
    return `[${value.length}]${of}`
  }
  if (value instanceof Map || value instanceof Set) return `(${value.size})`
  if (typeOf(value) !== "Object") return undefined
  const keys = Object.keys(value as object)
  return keys.length === 0 ? undefined : `{ ${keys.slice(0, maxKeys).join(", ")}${keys.length > maxKeys ? ", …" : ""} }`
}

const sampleOf = (value: unknown): string =>
  typeof value === "function"
    ? ""
    : inspect(value, { depth: 1, breakLength: Infinity, maxStringLength: 80, maxArrayLength: 2 })
