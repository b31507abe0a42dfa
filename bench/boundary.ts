/**
 * What the boundary costs. Calls from one cell, a thousand a round: of a bare function of the application, and of
 * functions with a schema, judged by a policy of five rules, of which the last matches. And the static rules over cells
 * of fifty lines that are parsed already; no text is checked twice.
 */
import { Binding, type ParsedCell, Platform, Policy, Security } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { parseCell } from "@daylight/core/syntax"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { z } from "zod"
import type { Line } from "./support/Figure.ts"
import { type Contestant, inRounds } from "./support/Rounds.ts"
import { medianOf, type Summary, summaryOf, summaryOfNumbers } from "./support/Samples.ts"
import { printTable } from "./support/Table.ts"

const calls = 1_000
const checks = 50

const input = z.tuple([z.object({ id: z.number(), region: z.string() }), z.number().positive()])
const output = z.object({ id: z.number(), total: z.number() })
const price = async (order: { readonly id: number }, amount: number) => ({ id: order.id, total: amount * 2 })
const priced = { input, output }

const policy = Policy.rules([
  { path: ["refund", "pay*"], where: { "1": { above: 500 } }, verdict: "ask" },
  { path: "mail.*", tainted: "*", verdict: "deny" },
  { effect: "idempotent", agent: "clerk", verdict: "deny" },
  { path: "db.drop*", verdict: "deny" },
  { path: ["looked", "charged"], where: { "1": { below: 1e9 } }, verdict: "allow" }
], {
  decide: () => {
    throw new Error("the last rule did not match")
  }
})

const bindings = [
  Binding.variable("bare", { price }),
  Binding.func(price, { ...priced, name: "charged", effect: "external" }),
  Binding.func((order, amount) => ({ id: order.id, total: amount * 2 }), { ...priced, name: "looked", effect: "none" })
]

const calling = (call: string): Contestant => ({
  units: calls,
  run: async () => {
    const code = `let sum = 0
for (let i = 1; i <= ${calls}; i++) sum += (await ${call}({ id: i, region: "north" }, i)).total
finish(sum)`
    await using agent = createAgent({
      name: "caller",
      bindings,
      policy,
      runtime: VmRuntime.layer,
      model: ScriptedModel.layer([{ code }])
    })
    const sum = await agent.ask("go", z.number())
    if (sum !== calls * (calls + 1)) throw new Error(`wrong sum ${sum}`)
  }
})

let made = 0

/** Ten times five lines of an analyst. */
const cell = (): ParsedCell => {
  const n = ++made
  const code = Array.from({ length: 10 }, (_, i) =>
    [
      `const rows${i} = await ordersOf("region ${n + i}")`,
      `const large${i} = rows${i}.filter((row) => row.amount > ${n} && row["region"] !== null)`,
      `const byId${i} = new Map(large${i}.map(({ id, ...rest }) => [id, { ...rest, n: ${i} }]))`,
      `for (const [id, row] of byId${i}) if (id % 2 === 0) totals[id] = (totals[id] ?? 0) + row.amount`,
      `const label${i} = \`\${totals[${i}]?.toFixed(2)} of \${Object.keys(totals).length}\``
    ].join("\n")).join("\n")
  const parsed = parseCell(code, Platform.defaultValue().strip)
  if ("stage" in parsed) throw new Error(parsed.message)
  return parsed
}

const bound: ReadonlySet<string> = new Set(["ordersOf", "totals"])

const checking = (security: Security): Contestant => {
  let cells: ReadonlyArray<ParsedCell> = []
  return {
    units: checks,
    run: (mark) => {
      cells = Array.from({ length: checks }, cell)
      mark()
      for (const parsed of cells) {
        const [problem] = security.check(parsed, bound)
        if (problem !== undefined) throw new Error(`a good cell was refused: ${problem.message}`)
        mark()
      }
    }
  }
}

interface Rounds {
  readonly rounds: ReadonlyArray<number>
}

/**
 * What a call costs beyond a bare one: the median of the rounds' own differences, and the difference of the fastest.
 */
const beyond = ({ rounds }: Rounds, bare: Rounds): Summary => ({
  median: medianOf(rounds.map((sample, round) => sample - bare.rounds[round]!)),
  min: Math.min(...rounds) - Math.min(...bare.rounds)
})

const measure = async (): Promise<ReadonlyArray<Line>> => {
  const made = await inRounds({
    bare: calling("bare.price"),
    looked: calling("looked"),
    charged: calling("charged")
  })
  const checked = await inRounds({ standard: checking(Security.standard), strict: checking(Security.strict) })
  /** Marks stand between checks alone; a whole round also parses. */
  const perCheck = ({ intervals }: { readonly intervals: ReadonlyArray<number> }) => summaryOfNumbers(intervals)
  return [
    { what: "call of a bare function", unit: "us", ...summaryOf(made.bare) },
    { what: "with schema and policy, no effect", unit: "us", bar: 15, ...beyond(made.looked, made.bare) },
    { what: "with schema, policy and ledger", unit: "us", bar: 15, ...beyond(made.charged, made.bare) },
    { what: "rules over a cell of 50 lines", unit: "us", bar: 300, ...perCheck(checked.standard) },
    { what: "  the strict ones", unit: "us", ...perCheck(checked.strict) }
  ]
}

await printTable("Boundary", measure)
