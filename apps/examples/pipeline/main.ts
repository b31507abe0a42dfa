/**
 * From raw tables to a chart: an orchestrator with a database handle and two agents of its own cleans, joins, analyses
 * and draws. The program takes the chart out of the runtime as the object it is, and writes it to disk.
 *
 *     npm start
 *     npm start -- --kernel    # the same cells, in a process of their own
 */
import { TerminalRenderer } from "@daylight/cli/renderer"
import { createAgent } from "@daylight/core/promise"
import { Recorder } from "@daylight/evals"
import { KernelRuntime } from "@daylight/runtime-kernel"
import { mkdirSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import type { TopLevelSpec } from "vega-lite"
import { chooseModel, type ExampleOptions } from "../support/Example.ts"
import { runMain } from "../support/runMain.ts"
import { orchestrator, TASK, type Workplace } from "./Agents.ts"
import { Answer } from "./Answer.ts"
import { renderSvg } from "./Chart.ts"
import { openDatabase, readStateOutlines } from "./Database.ts"
import { QualityLog } from "./QualityLog.ts"
import { renderReport } from "./Report.ts"
import { summarise } from "./Summary.ts"

/** The same agents, for a replay of what they did. */
const AGENT_FILE = fileURLToPath(new URL("agent.ts", import.meta.url))

export interface PipelineOptions extends ExampleOptions {
  /** Folder of the SVG and the HTML file. Default: `out/pipeline` at the root of the repository. */
  readonly folder?: string | undefined
  /** Where cells run. Default: in this process. */
  readonly runtime?: Workplace["runtime"]
}

export const main = async (options: PipelineOptions = {}) => {
  const output = options.output ?? process.stdout
  const folder = options.folder ?? fileURLToPath(new URL("../../../out/pipeline", import.meta.url))
  const model = await chooseModel(options)
  output.write(`${model.notice}\n\n`)

  using db = openDatabase()
  const quality = new QualityLog()
  const usStates = readStateOutlines()
  const recorder = Recorder.make()
  const team = orchestrator({ db, usStates, quality, model, runtime: options.runtime })
  await using agent = createAgent({ ...team, services: recorder.services })

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

  const recording = await recorder.save(join(folder, "wildlife-strikes"))

  output.write(summarise(outcome.answer, quality.issues))
  output.write(whereAllIs({ ...files, ...recording }))
  return {
    answer: outcome.answer,
    issues: quality.issues,
    chart,
    chartInRuntime: agent.vars["chart"] as unknown,
    usStates,
    files: { ...files, ...recording }
  }
}

interface Files {
  readonly svg: string
  readonly html: string
  readonly trajectory: string
  readonly cassette: string
}

const whereAllIs = (files: Files): string => {
  const [svg, html, trajectory, cassette, agent] = [files.svg, files.html, files.trajectory, files.cassette, AGENT_FILE]
    .map((file) => relative(process.cwd(), file))
  return `
Chart:      ${svg}
Report:     ${html}
Trajectory: ${trajectory}
            npx daylight replay ${trajectory}
Cassette:   ${cassette}
            npx daylight replay ${cassette} --agent ${agent}
`
}

if (import.meta.main) {
  const inKernel = process.argv.includes("--kernel")
  await runMain((options) => main({ ...options, runtime: inKernel ? KernelRuntime.layer() : undefined }))
}
