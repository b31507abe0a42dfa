/**
 * Row 8: how long a program waits before its first own line. Every sample is a fresh process on the built packages, and
 * all kinds take turns.
 */
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { importTimes, lifetimeOf } from "./start/Fresh.ts"
import { importsOf } from "./start/Imports.ts"
import type { Line } from "./support/Figure.ts"
import { ratioOf, type Samples, summaryOf } from "./support/Samples.ts"
import { printTable } from "./support/Table.ts"

const rounds = 15
/** What the first example of the README imports. */
const hello = ["@daylight/core", "@daylight/core/promise", "@daylight/runtime-vm"]
const cli = fileURLToPath(new URL("../packages/cli/bin/daylight.js", import.meta.url))
const kernel = fileURLToPath(new URL("../packages/runtime-kernel/dist/kernel.js", import.meta.url))

const effectModules = (specifier: string): ReadonlyArray<string> =>
  [...importsOf(new URL(import.meta.resolve(specifier)))].filter((name) => name.startsWith("effect/"))

const kinds = {
  core: () => importTimes(effectModules("@daylight/core"), ["@daylight/core"]),
  hello: () => importTimes([...new Set(hello.flatMap(effectModules))], hello),
  ai: () => importTimes([], ["ai"]),
  zod: () => importTimes([], ["zod"]),
  bare: () => [lifetimeOf(["-e", "0"])],
  cli: () => [lifetimeOf([cli, "--version"])]
}

const measure = async (): Promise<ReadonlyArray<Line>> => {
  const names = Object.keys(kinds) as Array<keyof typeof kinds>
  const samples = Object.fromEntries(names.map((name) => [name, [] as Array<ReadonlyArray<number>>]))
  // The first round only brings the files into the system's cache.
  for (let round = 0; round <= rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(turn + round) % names.length]!
      const sample = kinds[name]()
      if (round > 0) samples[name]!.push(sample)
    }
  }
  const column = (name: keyof typeof kinds, index = 0): Samples => ({
    rounds: samples[name]!.map((sample) => sample[index]!),
    intervals: []
  })
  return [
    { what: "effect modules that core imports", unit: "ms", ...summaryOf(column("core")) },
    { row: 8, what: "  core beyond them", unit: "ms", bar: 60, ...summaryOf(column("core", 1)) },
    { what: "  core, its promises and the vm runtime beyond theirs", unit: "ms", ...summaryOf(column("hello", 1)) },
    { what: "AI SDK", unit: "ms", ...summaryOf(column("ai", 1)) },
    { what: "zod", unit: "ms", ...summaryOf(column("zod", 1)) },
    { what: "bare Node, start to exit", unit: "ms", ...summaryOf(column("bare")) },
    { what: "daylight --version, start to exit", unit: "ms", ...summaryOf(column("cli")) },
    { row: 8, what: "  ratio to bare Node", unit: "x", bar: 2, ...ratioOf(column("cli"), column("bare")) },
    ...existsSync(kernel) ? [] : [{ row: 8, what: "kernel, bundled", unavailable: "runtime-kernel holds no kernel" }]
  ]
}

await printTable("Start", measure)
