/**
 * Cells of thirty lines against the declarations of their bindings. No text is checked twice. Declarations change after
 * every cell that makes a variable, so both cases are measured: the same as before, and one variable more.
 */
import { Binding, type Bound, TypeChecker } from "@daylight/core"
import { declarationsOf } from "@daylight/core/node"
import { createAgent } from "@daylight/core/promise"
import { ScriptedModel } from "@daylight/core/testing"
import { TypeScriptChecker } from "@daylight/core/typescript"
import { VmRuntime } from "@daylight/runtime-vm"
import * as Effect from "effect/Effect"
import { z } from "zod"
import type { Line } from "../support/Figure.ts"
import { type Contestant, inRounds } from "../support/Rounds.ts"
import { summaryOf } from "../support/Samples.ts"

const checks = 20

interface Order {
  readonly id: number
  readonly region: string
  readonly amount: number
}

const bindings = [
  Binding.variable("orders", [{ id: 1, region: "north", amount: 9.5 }, { id: 2, region: "south", amount: 3 }]),
  Binding.func(async (region: string): Promise<ReadonlyArray<Order>> => [{ id: 3, region, amount: 1 }], {
    name: "ordersOf",
    description: "The orders of a region.",
    input: z.tuple([z.string()]),
    output: z.array(z.object({ id: z.number(), region: z.string(), amount: z.number() }))
  })
]

let made = 0

/** Six times five lines, each cell with names and numbers of its own. */
const cell = (): string => {
  const n = ++made
  return Array.from({ length: 6 }, (_, i) =>
    [
      `const rows${i} = await ordersOf("region ${n + i}")`,
      `const large${i} = rows${i}.filter((row) => row.amount > ${n % 97})`,
      `const byId${i} = new Map(large${i}.map((row) => [row.id, row]))`,
      `const total${i}: number = [...byId${i}.values()].reduce((sum, row) => sum + row.amount, 0)`,
      `const label${i} = \`\${total${i}.toFixed(2)} of \${orders.length}\``
    ].join("\n")).join("\n")
}

const mistaken = (): string => cell().replace("row.amount >", "row.amuont >")

export const measure = (): Promise<ReadonlyArray<Line>> =>
  Effect.gen(function*() {
    const checker = yield* TypeChecker
    const runSync = Effect.runSyncWith(yield* Effect.context<never>())
    const variables: Array<readonly [name: string, value: unknown]> = []
    const base = yield* Effect.promise(() => declarationsOf(bindings as ReadonlyArray<Bound>, variables))
    const check = (code: string, declarations: string, wrong: boolean) => {
      const [problem] = runSync(checker.check(code, declarations))
      if ((problem === undefined) === wrong) {
        throw new Error(`wrong verdict on a cell: ${problem?.message ?? "no problem"}`)
      }
    }
    const started = performance.now()
    check(cell(), base, false)
    const first = performance.now() - started

    const contestant = (one: () => void): Contestant => ({
      units: checks,
      run: (mark) => {
        for (let i = 0; i < checks; i++) {
          mark()
          one()
        }
      }
    })
    const samples = yield* Effect.promise(() =>
      inRounds({
        same: contestant(() => check(cell(), base, false)),
        changed: contestant(() => check(cell(), `${base}\ndeclare let result${++made}: number\n`, false)),
        wrong: contestant(() => check(mistaken(), base, true)),
        step: { units: checks, run: (mark) => steps(true, mark) },
        uncheckedStep: { units: checks, run: (mark) => steps(false, mark) }
      }, { rounds: 15, warmUp: 4 })
    )
    return [
      { what: "first check, with the compiler's start", unit: "ms" as const, median: first, min: first },
      { row: 12, what: "check of 30 lines", unit: "ms" as const, bar: 10, ...inMilliseconds(summaryOf(samples.same)) },
      {
        what: "  one variable more since the last",
        unit: "ms" as const,
        ...inMilliseconds(summaryOf(samples.changed))
      },
      { what: "  with a mistake in it", unit: "ms" as const, ...inMilliseconds(summaryOf(samples.wrong)) },
      {
        what: "whole step with 30 lines and 6 host calls, checked",
        unit: "ms" as const,
        ...inMilliseconds(summaryOf(samples.step))
      },
      { what: "  unchecked", unit: "ms" as const, ...inMilliseconds(summaryOf(samples.uncheckedStep)) }
    ]
  }).pipe(Effect.provide(TypeScriptChecker.layer), Effect.runPromise)

const steps = async (checked: boolean, mark: () => void) => {
  await using agent = createAgent({
    name: "checked",
    bindings,
    runtime: VmRuntime.layer,
    limits: { steps: checks + 1 },
    ...(checked && { services: TypeScriptChecker.layer }),
    model: ScriptedModel.layer((_, step) => {
      mark()
      return step < checks ? { code: cell() } : "done"
    })
  })
  const { cells, text } = await agent.run("go")
  if (text !== "done" || cells !== checks) throw new Error(`wrong outcome: ${text} after ${cells} cells`)
  if (await agent.retrieve("label5") === undefined) throw new Error("the last cell did not run")
}

const inMilliseconds = ({ median, min, typical }: ReturnType<typeof summaryOf>) => ({
  median: median / 1_000,
  min: min / 1_000,
  typical: typical === undefined ? undefined : typical / 1_000
})
