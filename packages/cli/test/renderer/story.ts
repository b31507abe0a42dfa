/** Hand-made live events, in the order in which the engine sends them. */
import type { CellReport, Event, Live, Message, Origin, Recorded } from "@daylight/core"

export const usage = { input: 1200, output: 80, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: false }

/** A session that tells its events, numbered and timed. */
export class Teller {
  readonly origin: Origin
  #seq = 0
  #time = 1_700_000_000_000

  constructor(...agent: ReadonlyArray<string>) {
    const lineage = agent.map((name, index) => `${name}-${index}` as Origin["session"])
    this.origin = { session: lineage.at(-1)!, agent, lineage }
  }

  event(event: Recorded["event"], afterMs = 0): Live {
    this.#time += afterMs
    const recorded = { session: this.origin.session, seq: ++this.#seq, time: this.#time, v: 1, event }
    return { _tag: "Recorded", origin: this.origin, recorded }
  }

  delta(tag: "TextDelta" | "ReasoningDelta" | "CodeDelta" | "OutputDelta", text: string): Live {
    return { _tag: tag, origin: this.origin, text }
  }

  /** `text` as it would stream, `size` characters a delta. */
  stream(
    tag: "TextDelta" | "ReasoningDelta" | "CodeDelta" | "OutputDelta",
    text: string,
    size = 7
  ): ReadonlyArray<Live> {
    const deltas: Array<Live> = []
    for (let at = 0; at < text.length; at += size) deltas.push(this.delta(tag, text.slice(at, at + size)))
    return deltas
  }

  runStarted(prompt: string): Live {
    return this.event({ _tag: "RunStarted", run: 1, prompt: user(prompt) })
  }

  modelCalled(step = 1, attempt = 1, purpose: "answer" | "wrap-up" | "compaction" | "judge" = "answer"): Live {
    return this.event({
      _tag: "ModelCalled",
      run: 1,
      step,
      attempt,
      purpose,
      provider: "scripted",
      model: "script",
      digest: "d"
    })
  }

  modelAnswered(text: string, code?: string | undefined, reasoning?: string | undefined): Live {
    const message: typeof Message.cases.Assistant.Type = {
      _tag: "Assistant",
      content: [
        ...(reasoning === undefined ? [] : [{ _tag: "Reasoning" as const, text: reasoning }]),
        { _tag: "Text", text },
        ...(code === undefined ? [] : [{ _tag: "Action" as const, id: "a1", name: "run", input: { code } }])
      ]
    }
    return this.event({
      _tag: "ModelAnswered",
      run: 1,
      step: 1,
      message,
      finish: code === undefined ? "stop" : "action",
      usage
    })
  }

  cellStarted(cell: number, code: string): Live {
    return this.event({ _tag: "CellStarted", run: 1, step: cell, cell, action: "a1", code, seed: "s" })
  }

  cellEnded(cell: number, given: Partial<CellReport> = {}): Live {
    return this.event({ _tag: "CellEnded", cell, report: report(given), entropy: [] }, given.durationMs ?? 12)
  }

  /** A call that took 3 ms. */
  call(ordinal: number, path: string, args: ReadonlyArray<unknown>, value?: unknown): ReadonlyArray<Live> {
    return [
      this.callStarted(ordinal, path, args),
      this.event({
        _tag: "CallEnded",
        cell: 1,
        ordinal,
        status: "completed",
        inPlace: false,
        ...(value === undefined ? {} : { value: json(value) })
      }, 3)
    ]
  }

  callStarted(
    ordinal: number,
    path: string,
    args: ReadonlyArray<unknown>,
    child?: Origin["session"] | undefined
  ): Live {
    return this.event({
      _tag: "CallStarted",
      cell: 1,
      ordinal,
      path,
      operation: "call",
      args: args.map(json),
      effect: "none",
      key: `k${ordinal}`,
      entropy: [],
      after: 0,
      callbacks: [],
      ...(child === undefined ? {} : { child })
    })
  }

  runEnded(given: Partial<Extract<Event, { _tag: "RunEnded" }>["outcome"]> = {}): Live {
    return this.event({
      _tag: "RunEnded",
      run: 1,
      outcome: { reason: "completed", text: "", steps: 2, cells: 1, usage, durationMs: 4200, ...given }
    })
  }
}

export const user = (text: string) => ({ _tag: "User" as const, content: [{ _tag: "Text" as const, text }] })

export const json = (value: unknown) => ({ _tag: "Json" as const, value: value as null })

export const report = (given: Partial<CellReport> = {}): CellReport => ({
  preview: "",
  stdout: "",
  stderr: "",
  stored: [],
  namespace: { added: [], changed: [], removed: [], lost: [] },
  durationMs: 12,
  ...given
})

const code = `// The regions, largest first
const byRegion = Map.groupBy(orders, (order) => order.region)
const totals = [...byRegion].map(([region, rows]) => ({ region, sum: rows.length * 2.5 }))
console.log(\`\${totals.length} regions
in all\`)
totals`

const answer = `# Result

The region **north** grew fastest, by *12 %*:

- north: \`1,200\` orders, which is **more than \`twice\`** the number of any other region in this table
- south: 300
  1. first
  2. second

> It is an estimate: 2 * 3 * 4 = 24 and snake_case_name stays.

\`\`\`ts
const chart = { mark: "bar" } // see \`chart\`
\`\`\`

Done.`

/** A run with a bit of everything that goes well. */
export const completedRun = (size = 7): ReadonlyArray<Live> => {
  const root = new Teller("analyst")
  return [
    root.event({ _tag: "SessionOpened", agent: "analyst", definition: "d", workItem: "w", labels: {} }),
    root.runStarted("Which region grew fastest?"),
    root.modelCalled(1),
    ...root.stream("ReasoningDelta", "The user wants the fastest growing region.\nI will group the orders.", size),
    ...root.stream("TextDelta", "I group the orders **by region** first.\n\n", size),
    ...root.stream("CodeDelta", code, size),
    root.modelAnswered(
      "I group the orders **by region** first.\n\n",
      code,
      "The user wants the fastest growing region.\nI will group the orders."
    ),
    root.cellStarted(1, code),
    ...root.call(0, "db.query", ["select * from orders"], [{ region: "north" }]),
    ...root.stream("OutputDelta", "4 regions\nin all\n", size),
    root.cellEnded(1, {
      preview: "[ { region: 'north', sum: 12.5 }, { region: 'south', sum: 5 } ]",
      stdout: "4 regions\nin all\n",
      namespace: {
        added: [
          {
            name: "byRegion",
            type: "Map<string, Order[]>",
            shape: "4 entries",
            bytes: 12_345,
            sample: "'north' => [ { … } ]"
          },
          {
            name: "totals",
            type: "{ region: string, sum: number }[]",
            shape: "4 items",
            sample: "{ region: 'north', sum: 12.5 }"
          }
        ],
        changed: [{ name: "orders", type: "Order[]", sample: "" }],
        removed: ["draft"],
        lost: []
      }
    }),
    root.event({
      _tag: "ActionsAnswered",
      run: 1,
      step: 1,
      message: {
        _tag: "Result",
        content: [{ _tag: "Feedback", id: "a1", ok: true, content: [{ _tag: "Text", text: "…" }] }]
      }
    }),
    root.modelCalled(2),
    ...root.stream("TextDelta", answer, size),
    root.modelAnswered(answer),
    root.runEnded({ usd: 0.0123 })
  ]
}

/** An orchestrator with two children at the same time. */
export const nestedRun = (): ReadonlyArray<Live> => {
  const root = new Teller("orchestrator")
  const cleaner = new Teller("orchestrator", "cleaner")
  const analyst = new Teller("orchestrator", "analyst")
  const source = 'await Promise.all([cleaner.ask("Clean it"), analyst.ask("Count it")])'
  return [
    root.runStarted("Clean and count"),
    root.modelCalled(1),
    ...root.stream("CodeDelta", source),
    root.modelAnswered("", source),
    root.cellStarted(1, source),
    root.callStarted(0, "cleaner.ask", ["Clean it"], cleaner.origin.session),
    root.callStarted(1, "analyst.ask", ["Count it"], analyst.origin.session),
    cleaner.runStarted("Clean it"),
    analyst.runStarted("Count it"),
    cleaner.modelCalled(),
    analyst.modelCalled(),
    cleaner.delta("TextDelta", "I drop the rows "),
    analyst.delta("TextDelta", "There are "),
    cleaner.delta("TextDelta", "without a date."),
    analyst.delta("TextDelta", "42 rows."),
    analyst.modelAnswered("There are 42 rows."),
    analyst.runEnded({ steps: 1, cells: 0 }),
    root.event({
      _tag: "CallEnded",
      cell: 1,
      ordinal: 1,
      status: "completed",
      inPlace: false,
      value: json("There are 42 rows.")
    }, 800),
    cleaner.delta("CodeDelta", "rows = rows.filter((row) => row.date)\nrows.length"),
    cleaner.modelAnswered("I drop the rows without a date.", "rows = rows.filter((row) => row.date)\nrows.length"),
    cleaner.cellStarted(1, "rows = rows.filter((row) => row.date)\nrows.length"),
    cleaner.cellEnded(1, { preview: "41" }),
    cleaner.modelCalled(2),
    cleaner.delta("TextDelta", "Done."),
    cleaner.modelAnswered("Done."),
    cleaner.runEnded(),
    root.event(
      { _tag: "CallEnded", cell: 1, ordinal: 0, status: "completed", inPlace: false, value: json("Done.") },
      400
    ),
    root.cellEnded(1, { preview: "[ 'Done.', 'There are 42 rows.' ]", durationMs: 1200 }),
    root.runEnded()
  ]
}
