/**
 * Bindings of an agent whose calls are all answered by a recording: what would ask the application for something, or
 * the world, is not asked.
 */
import { type AgentOptions, Binding } from "@daylight/core"
import type { RecordedCell } from "../cassette/Cassette.ts"

export const unasked = (agent: AgentOptions, cells: ReadonlyArray<RecordedCell>, told: string): AgentOptions =>
  agent.bindings === undefined ? agent : {
    ...agent,
    bindings: agent.bindings.map((binding) => standIn(binding, cells, told))
  }

const standIn = (binding: Binding, cells: ReadonlyArray<RecordedCell>, told: string): Binding => {
  switch (binding._tag) {
    case "Secret":
      return Binding.secret(binding.name, () => "not needed in a replay")
    case "Resource": {
      // Without a declaration, what the model is told of it is read off the resource itself.
      if (binding.declaration === undefined) return binding
      const { contract, declaration, description, name } = binding
      const methods = [...Object.keys(contract ?? {}), ...membersOf(name, cells)]
      return Binding.variable(name, instanceOf(classOf(name, told), methods), {
        contract,
        declaration,
        description
      })
    }
    default:
      return binding
  }
}

/** Methods that cells called. */
const membersOf = (name: string, cells: ReadonlyArray<RecordedCell>): ReadonlyArray<string> =>
  cells.flatMap(({ events }) =>
    events.flatMap((event) => {
      if (event._tag !== "CallStarted" || event.operation !== "call" || !event.path.startsWith(`${name}.`)) return []
      const member = event.path.slice(name.length + 1)
      return /[.[(]/.test(member) ? [] : [member]
    })
  )

/** As the model was told when it ran. */
const classOf = (name: string, told: string): string => {
  const line = told.split("\n").find((line) => line.startsWith(`${name}: `)) ?? ""
  return /: ([\p{ID_Continue}$]+)/u.exec(line)?.[1] ?? "Object"
}

const instanceOf = (type: string, methods: ReadonlyArray<string>): object => {
  const named = Object.defineProperty(() => {}, "name", { value: type })
  const prototype = Object.defineProperty({}, "constructor", { value: named })
  for (const method of methods) {
    Object.defineProperty(prototype, method, { value: notThere, writable: true, configurable: true })
  }
  return Object.create(prototype) as object
}

const notThere = (): never => {
  throw new Error("a sealed replay has no resources")
}
