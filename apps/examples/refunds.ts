/**
 * Three refunds in one cell: a small one goes through, one that is too large is denied and handled by the cell's own
 * `catch`, and one waits for the finance department, which answers from another terminal. The same cell then finishes.
 *
 *     node apps/examples/refunds.ts
 */
import { Approvals, Binding, currentCall, type Live, Policy } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { VmRuntime } from "@daylight/runtime-vm"
import { SqliteStore } from "@daylight/store"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as z from "zod"
import { chooseModel, type ExampleOptions } from "./support/Example.ts"
import { runMain } from "./support/runMain.ts"

interface Refund {
  readonly order: string
  readonly amount: number
  /** What the payment service recognises a repeated request by. */
  readonly idempotencyKey: string
}

export interface RefundOptions extends ExampleOptions {
  /** The file of sessions. Default: one in the folder for temporary files. */
  readonly store?: string | undefined
}

/** What the application lets happen by itself, what it forbids, and what a person decides. */
const policy = Policy.rules([
  { path: "refund", where: { "1": { above: 500 } }, verdict: "deny", why: "more than 500 is never refunded here" },
  {
    path: "refund",
    where: { "1": { above: 50 } },
    verdict: "ask",
    why: "more than 50",
    role: "finance",
    expires: "1 hour"
  },
  { path: "refund", most: { sum: 200, of: "1", per: "1 day" }, verdict: "allow" }
])

export const main = async (options: RefundOptions = {}) => {
  const output = options.output ?? process.stdout
  const store = options.store ?? join(tmpdir(), "daylight-refunds.db")
  const model = await chooseModel(options)
  output.write(`${model.notice}\n`)

  const refunds: Array<Refund> = []
  const refund = Binding.func((order: string, amount: number) => {
    refunds.push({ order, amount, idempotencyKey: currentCall()!.key })
    return `refunded ${amount} for ${order}`
  }, {
    name: "refund",
    description: "Pays money back for an order, in euros.",
    input: z.tuple([z.string(), z.number().positive()]),
    effect: "external"
  })

  await using agent = createAgent({
    name: "refunds",
    principal: "support@example.org",
    model: model.replying(REPLIES),
    runtime: VmRuntime.layer,
    store: SqliteStore.layer({ filename: store }),
    approvals: Approvals.wait,
    policy,
    bindings: [Binding.variable("claims", CLAIMS), refund]
  })
  const run = agent.stream("Refund what the customers claim, and tell me what came of each claim.", {
    signal: options.signal
  })
  for await (const event of run) show(event, store, output)
  const outcome = await run.outcome

  output.write(`${outcome.text}\n`)
  return { outcome, refunds, results: await agent.retrieve<ReadonlyArray<string>>("results") }
}

/** Tells a person what waits for them, and how to answer. */
const show = (live: Live, store: string, output: NodeJS.WritableStream): void => {
  if (live._tag !== "Recorded") return
  const { event } = live.recorded
  if (event._tag === "ApprovalAsked") {
    output.write(`\n${event.path} waits: ${event.why}, for the role ${event.role}. From another terminal:\n`)
    output.write(`  daylight approvals resolve ${event.key} --allow --role finance --store ${store}\n\n`)
  }
  if (event._tag === "ApprovalDecided") output.write(`${event.by} decided: ${event.decision._tag.toLowerCase()}\n`)
  if (event._tag === "CallRefused") output.write(`${event.path} was refused: ${event.reason._tag.toLowerCase()}\n`)
}

const CLAIMS = [
  { order: "A-17", amount: 20 },
  { order: "B-4", amount: 900 },
  { order: "C-33", amount: 180 }
]

const REPLIES = [
  {
    text: "I refund all three, and keep what came of each.",
    code: `const results = await Promise.all(claims.map(async ({ order, amount }) => {
  try {
    return await refund(order, amount)
  } catch (error) {
    return \`\${order}: not refunded, \${error.message}\`
  }
}))
results`
  },
  "A-17 and C-33 are refunded. B-4 is not: it is more than may be refunded."
]

if (import.meta.main) await runMain(main)
