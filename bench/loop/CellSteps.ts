/**
 * Row 3: a step with a cell of three lines and one host call. Every cell has a text of its own, else V8 would compile
 * it once for all rounds. Beside it the least that a cell can cost: the same three lines compiled and run in a plain
 * context of `node:vm`, with nothing checked, recorded or reported.
 */
import { constants, createContext, Script } from "node:vm"
import type { Line } from "../support/Figure.ts"
import { apart } from "../support/Isolated.ts"
import { several } from "../support/Rounds.ts"
import { summaryOf } from "../support/Samples.ts"
import { daylight, lookup } from "./Agents.ts"

const steps = 100
let made = 0

/** Names return from cell to cell, as they do in a notebook. */
const sameNames = (): string => `const row = await lookup(${++made})\nconst total = row.amount * 2 + row.id\ntotal`

/** Each cell leaves two new variables, so a round ends with two hundred. */
const newNames = (): string => {
  const n = ++made
  return `const row${n} = await lookup(${n})\nconst total${n} = row${n}.amount * 2 + row${n}.id\ntotal${n}`
}

const run = async (code: () => string, mark: () => void) => {
  await using agent = daylight("tool", steps, () => ({ code: code() }), mark)
  const { cells, text } = await agent.run("go")
  const last = lookup(made)
  const found = await agent.retrieve("total").catch(() => agent.retrieve(`total${made}`))
  if (text !== "done" || cells !== steps || found !== last.amount * 2 + last.id) {
    throw new Error(`wrong outcome: ${text}, ${cells} cells, ${String(found)}`)
  }
}

const stream = async (mark: () => void) => {
  await using agent = daylight("tool", steps, () => ({ code: sameNames() }), mark)
  let ended = 0
  for await (const event of agent.stream("go")) {
    if (event._tag === "Recorded" && event.recorded.event._tag === "CellEnded") ended++
  }
  if (ended !== steps) throw new Error(`saw ${ended} cells of ${steps}`)
}

const bare = async (mark: () => void) => {
  const context = createContext(constants.DONT_CONTEXTIFY) as Record<string, unknown>
  context["lookup"] = async (id: number) => lookup(id)
  for (let step = 0; step < steps; step++) {
    mark()
    const n = ++made
    const total: unknown = await new Script(
      `(async () => { row = await lookup(${n})\ntotal = row.amount * 2 + row.id\nreturn total })()`,
      { filename: `cell-${n}.js` }
    ).runInContext(context)
    if (total !== lookup(n).amount * 2 + n) throw new Error(`wrong total ${String(total)}`)
  }
}

export const contestants = {
  same: several(5, { units: steps, run: (mark) => run(sameNames, mark) }),
  stream: several(5, { units: steps, run: stream }),
  fresh: several(5, { units: steps, run: (mark) => run(newNames, mark) }),
  bare: several(5, { units: steps, run: bare })
}

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const samples = await apart(import.meta.url, { contestants }, { rounds: 15, warmUp: 4 })
  return [
    { row: 3, what: "cell step with one host call", unit: "us", bar: 300, ...summaryOf(samples.same) },
    { what: "  every event taken", unit: "us", ...summaryOf(samples.stream) },
    { what: "  two new variables a cell", unit: "us", ...summaryOf(samples.fresh) },
    { what: "  the same lines in node:vm alone", unit: "us", ...summaryOf(samples.bare) }
  ]
}
