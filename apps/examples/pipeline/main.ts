/**
 * From raw tables to a chart: an orchestrator with a database handle and two agents of its own cleans, joins, analyses
 * and draws. The program takes the chart out of the runtime as the object it is, and writes it to disk.
 *
 *     npm start
 */
import { TerminalRenderer } from "@daylight/cli/renderer"
import { createAgent } from "@daylight/core/promise"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import type { TopLevelSpec } from "vega-lite"
import { chooseModel, type ExampleOptions } from "../support/Example.ts"
import { runMain } from "../support/runMain.ts"
import { orchestrator, TASK } from "./Agents.ts"
import { Answer } from "./Answer.ts"
import { renderSvg } from "./Chart.ts"
import { openDatabase, readStateOutlines } from "./Database.ts"
import { QualityLog } from "./QualityLog.ts"
import { renderReport } from "./Report.ts"
import { summarise } from "./Summary.ts"

export interface PipelineOptions extends ExampleOptions {
  /** Folder of the SVG and the HTML file. Default: `out/pipeline` at the root of the repository. */
  readonly folder?: string | undefined
}

export const main = async (options: PipelineOptions = {}) => {
  const output = options.output ?? process.stdout
  const folder = options.folder ?? fileURLToPath(new URL("../../../out/pipeline", import.meta.url))
  const model = await chooseModel(options)
  output.write(`${model.notice}\n\n`)

  using db = openDatabase()
  const quality = new QualityLog()
  const usStates = readStateOutlines()
  await using agent = createAgent(orchestrator({ db, usStates, quality, model }))

  const running = agent.stream(TASK, { answer: Answer, signal: options.signal })
  const renderer = new TerminalRenderer({ stream: output })
  for await (const _ of renderer.render(running)) continue
  const outcome = await running.outcome
  if (outcome.reason !== "completed") {
    const why = outcome.error === undefined ? outcome.limit : outcome.error.message
    throw new Error(
      `The orchestrator did not finish (${outcome.reason}${
        why ? `: ${why}` : ""
      }), so there is nothing to draw. Run it again, or choose another DAYLIGHT_MODEL.`
    )
  }

  const chart = await agent.retrieve<TopLevelSpec>("chart")
  const svg = await renderSvg(chart)
  const html = renderReport({ answer: outcome.answer, issues: quality.issues, svg, author: model.author })
  const files = { svg: join(folder, "wildlife-strikes.svg"), html: join(folder, "wildlife-strikes.html") }
  mkdirSync(folder, { recursive: true })
  writeFileSync(files.svg, svg)
  writeFileSync(files.html, html)

  output.write(summarise(outcome.answer, quality.issues))
  output.write(`\nChart:  ${relative(process.cwd(), files.svg)}\nReport: ${relative(process.cwd(), files.html)}\n`)
  return {
    answer: outcome.answer,
    issues: quality.issues,
    chart,
    chartInRuntime: agent.vars["chart"] as unknown,
    usStates,
    files
  }
}

if (import.meta.main) await runMain(main)
