/** Runs the gates in order, one line each, and ends with the total. */
import process from "node:process"
import { parseArgs } from "node:util"
import { paint, StatusLine } from "../setup/StatusLine.mjs"
import { arrows } from "./Arrows.ts"
import { build } from "./Build.ts"
import { bundleSize } from "./BundleSize.ts"
import { cycles } from "./Cycles.ts"
import { dependencyTable } from "./DependencyTable.ts"
import { effectLint } from "./EffectLint.ts"
import { eventsTable } from "./EventsTable.ts"
import { exports } from "./Exports.ts"
import { formatting } from "./Formatting.ts"
import { add, type Counts, countsOf, type Gate, type GateResult, none, total } from "./Gate.ts"
import { lint } from "./Lint.ts"
import { oneEffect } from "./OneEffect.ts"
import { recordings } from "./Recordings.ts"
import { style } from "./Style.ts"
import { types } from "./Types.ts"
import { unitTests } from "./UnitTests.ts"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: "string", multiple: true }, recordings: { type: "boolean" } }
})

const all: ReadonlyArray<Gate> = [
  types,
  effectLint,
  lint,
  formatting,
  style,
  arrows,
  cycles,
  dependencyTable,
  eventsTable,
  build,
  exports,
  bundleSize,
  oneEffect,
  unitTests([])
]

/** In CI nothing may be left out, so that a green run means that everything ran. */
const skipsFail = process.env["CI"] === "true"

process.exit(await run(chosen()))

function chosen(): ReadonlyArray<Gate> {
  if (values.recordings === true) return [recordings]
  if (positionals.length > 0) return [unitTests(positionals)]
  const names = (values.only ?? []).flatMap((list) => list.split(",")).map((name) => name.trim())
  const unknown = names.find((name) => !all.some((gate) => gate.name === name))
  if (unknown !== undefined) {
    console.error(`There is no gate named "${unknown}". There are: ${all.map((gate) => gate.name).join(", ")}.`)
    process.exit(1)
  }
  return names.length === 0 ? all : all.filter((gate) => names.includes(gate.name))
}

async function run(gates: ReadonlyArray<Gate>): Promise<number> {
  let counts: Counts = none
  for (const gate of gates) {
    const status = new StatusLine(gate.name)
    const result = await attempt(gate, (what) => status.update(what))
    status.stop()
    report(gate, result, status.elapsed)
    counts = add(counts, countsOf(result))
  }
  const failed = counts.failed > 0 || (skipsFail && counts.skipped > 0)
  if (skipsFail && counts.skipped > 0) console.log("\nA skipped test is a failure here (CI=true).")
  console.log(`\n${total(counts)}`)
  return failed ? 1 : 0
}

/** A gate that breaks is a gate that fails. */
async function attempt(gate: Gate, progress: (what: string) => void): Promise<GateResult> {
  try {
    return await gate.run(progress)
  } catch (error) {
    return { detail: "could not be answered", problems: [error instanceof Error ? error.message : String(error)] }
  }
}

function report(gate: Gate, { detail, problems }: GateResult, duration: string): void {
  const mark = problems.length === 0 ? paint("green", "✓") : paint("red", "✗")
  console.log(`${mark} ${gate.name.padEnd(26)}${detail.padEnd(52)} ${paint("dim", duration)}`)
  if (problems.length > 0) console.log(`\n${problems.map(indent).join("\n")}\n`)
}

/** Blocks of several lines keep a distance, single lines stay together. */
function indent(problem: string): string {
  const text = problem.trimEnd().replace(/^(?=.)/gm, "    ")
  return text.includes("\n") ? `${text}\n` : text
}
