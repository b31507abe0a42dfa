/**
 * Names of actions on the wire. Providers take letters, digits, `_` and `-`, at most 64 of them; a binding path such as
 * `orders.find` has to be spelled so that it can be read back.
 */
import { type ModelRequest } from "@daylight/core"

export interface ActionNames {
  readonly toWire: (name: string) => string
  readonly fromWire: (wire: string) => string
}

export const namesOf = (actions: ModelRequest["actions"]): ActionNames => {
  const wires = new Map<string, string>()
  const names = new Map<string, string>()
  for (const { name } of actions) {
    let wire = spell(name)
    for (let n = 2; names.has(wire); n++) wire = `${spell(name).slice(0, 60)}_${n}`
    wires.set(name, wire)
    names.set(wire, name)
  }
  return {
    toWire: (name) => wires.get(name) ?? spell(name),
    fromWire: (wire) => names.get(wire) ?? wire
  }
}

const spell = (name: string) => {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64)
  return plain === "" ? "_" : plain
}

/** The one action of the `tool` format. Cells run one at a time, so asking for several at once only wastes tokens. */
export const onlyRun = (actions: ModelRequest["actions"]) => actions.length === 1 && actions[0]!.name === "run"
