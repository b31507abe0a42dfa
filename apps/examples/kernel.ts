/**
 * A cell works on a live database from a process of its own, and the process is killed in the middle of it. The
 * database is the program's, so nothing happens to it; the cell goes on from where it was in a new process, and no row
 * is written twice. The model is not even told.
 *
 *     node apps/examples/kernel.ts
 */
import { Agent, Binding, Session, SessionStore } from "@daylight/core"
import { KernelRuntime } from "@daylight/runtime-kernel"
import * as Effect from "effect/Effect"
import { DatabaseSync } from "node:sqlite"
import { chooseModel, type ExampleOptions } from "./support/Example.ts"
import { runMain } from "./support/runMain.ts"

const rows = 40

export const main = async (options: ExampleOptions = {}) => {
  const output = options.output ?? process.stdout
  const tell = (line: string) => output.write(`${line}\n`)
  const model = await chooseModel(options)
  tell(model.notice)

  const db = new DatabaseSync(":memory:")
  db.exec("create table squares (n integer primary key, square integer)")
  const count = (): number => Number(db.prepare("select count(*) as n from squares").get()!["n"])

  const agent = Agent.make({
    name: "kernel",
    bindings: [
      Binding.variable("db", db, { description: "A live node:sqlite database with a table squares(n, square)" })
    ]
  })
  const program = Effect.gen(function*() {
    const session = yield* Session.open(agent)
    const plug = pullThePlug(() => KernelRuntime.inspect(session.runtime)?.pid, count, tell)
    const outcome = yield* session.run(`Put the numbers 0 to ${rows - 1} and their squares into the table, row by row.`)
    return { outcome, killed: plug.end(), processes: KernelRuntime.inspect(session.runtime)!.starts }
  })
  const provided = Effect.provide(program, [model.replying(REPLIES), KernelRuntime.layer(), SessionStore.layerMemory])
  const { killed, outcome, processes } = await Effect.runPromise(Effect.scoped(provided), { signal: options.signal })

  tell(`${count()} rows: done, with ${processes} processes and ${outcome.cells} cells.`)
  tell(`The model says: ${outcome.text}`)
  return { outcome, killed, processes, rows: count() }
}

/** Kills the cell's process once, when a quarter of the rows is there, and tells who writes the rest. */
const pullThePlug = (pidOf: () => number | undefined, count: () => number, tell: (line: string) => unknown) => {
  let killed: { readonly pid: number; readonly rows: number } | undefined
  const watch = setInterval(() => {
    const pid = pidOf()
    const written = count()
    if (pid === undefined) return
    if (killed === undefined && written >= rows / 4) {
      killed = { pid, rows: written }
      tell(`${written} rows: process ${pid} is killed, in the middle of its loop.`)
      process.kill(pid, "SIGKILL")
    } else if (killed !== undefined && pid !== killed.pid && written > killed.rows) {
      tell(`${written} rows: process ${pid} goes on with the same loop.`)
      clearInterval(watch)
    }
  }, 1)
  return {
    end: () => {
      clearInterval(watch)
      return killed
    }
  }
}

const REPLIES = [
  {
    text: "First the rows, and a statement that stays.",
    code: `const plan = Array.from({ length: ${rows} }, (_, n) => ({ n, square: n * n }))
const insert = db.prepare("insert into squares values (?, ?)")
plan.length`
  },
  {
    text: "Now they go in, one after the other.",
    code: `for (const { n, square } of plan) {
  insert.run(n, square)
  await new Promise((resolve) => setTimeout(resolve, 5))
}`
  },
  {
    text: "All are in. What do they come to?",
    code: `const { rows, sum } = db.prepare("select count(*) as rows, sum(square) as sum from squares").get()!
finish(\`\${rows} rows; all squares come to \${sum}.\`)`
  }
]

if (import.meta.main) await runMain(main)
