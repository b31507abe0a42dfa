/**
 * `daylight replay`: a recording again. Without an agent it is shown as it was (`view`); with one its cells run for
 * real and its models answer from the recording (`model`, `sealed`), and what comes is compared with what was.
 */
import type { AgentOptions, OutcomeRecord } from "@daylight/core"
import { type CallRules, Replay, type ReplayReport } from "@daylight/evals"
import { type Cassette, readCassette } from "@daylight/evals/cassette"
import {
  daylightOf,
  eventsOf,
  eventsOfFile,
  isLargeTrajectory,
  readTrajectory,
  type RootExtra,
  type Trajectory
} from "@daylight/evals/trajectory"
import { hash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { chosenAgent } from "./AgentChoice.ts"
import { exitCodeOf } from "./Complaint.ts"
import { type Display, jsonDisplay, terminalDisplay } from "./Display.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"
import { recordedCalls } from "./RecordedCalls.ts"

export interface ReplayInput {
  readonly recording: string
  readonly agent: string | undefined
  /** The model that the recorded run was given in place of the agent's own: it is compared, or goes on after a fork. */
  readonly model: string | undefined
  readonly baseUrl: string | undefined
  readonly depth: "view" | "model" | "sealed" | undefined
  /** Paths of calls that the recording answers. */
  readonly recorded: ReadonlyArray<string>
  readonly to: number | undefined
  readonly fork: number | undefined
  readonly json: boolean
  readonly verbose: boolean
}

/** The replay left its recording. */
const diverged = ExitCode.failure

/** Never rejects: what goes wrong is shown and told by the exit code. */
export const replay = async (input: ReplayInput): Promise<number> => {
  const display = input.json ? jsonDisplay() : terminalDisplay({ verbose: input.verbose })
  try {
    const depth = depthOf(input)
    checkSteps(input)
    return depth === "view" ? await view(input, display) : await rerun(input, depth, display)
  } catch (error) {
    display.fail(error)
    return exitCodeOf(error)
  }
}

const depthOf = ({ agent, depth, fork, recorded }: ReplayInput): "view" | "model" | "sealed" => {
  const chosen = depth ?? (agent === undefined ? "view" : "model")
  if (chosen !== "view" && agent === undefined) {
    throw new Problem(
      `--depth ${chosen}`,
      "runs code and needs an agent",
      "Name the agent's file with --agent FILE.",
      ExitCode.usage
    )
  }
  if (chosen === "view" && recorded.length > 0) {
    throw new Problem(
      "--recorded",
      "answers calls of cells that run",
      "Name the agent's file with --agent FILE.",
      ExitCode.usage
    )
  }
  if (fork !== undefined && chosen !== "model") {
    throw new Problem(
      "--fork",
      "goes on with a live model",
      "Name the agent's file with --agent FILE, at depth model.",
      ExitCode.usage
    )
  }
  return chosen
}

const checkSteps = ({ fork, to }: ReplayInput): void => {
  const wrong = (subject: string, problem: string, remedy: string) =>
    new Problem(subject, problem, remedy, ExitCode.usage)
  if (to !== undefined && fork !== undefined) {
    throw wrong("--to", "says where to stop, and --fork where to go on", "Use one of the two.")
  }
  if (to !== undefined && to < 1) throw wrong(`--to ${to}`, "is no step", "Steps count 1, 2, 3.")
}

const isCassette = (file: string): boolean => file.endsWith(".jsonl")

const view = async ({ recording, to }: ReplayInput, display: Display): Promise<number> => {
  if (isCassette(recording)) {
    const beside = recording.replace(/\.cassette\.jsonl$/, ".trajectory.json")
    throw new Problem(
      recording,
      "is a cassette, which holds what models answered and not what became of it",
      `Show the trajectory (${beside}), or run the cassette with --agent FILE.`,
      ExitCode.usage
    )
  }
  let outcome: OutcomeRecord | undefined
  const events = await isLargeTrajectory(recording)
    ? eventsOfFile(recording, { to })
    : eventsOf(await readTrajectory(recording), { to })
  for await (const live of events) {
    display.event(live)
    const event = live._tag === "Recorded" && live.origin.lineage.length === 1 ? live.recorded.event : undefined
    if (event?._tag === "RunEnded") outcome = event.outcome
  }
  display.renderer?.end()
  return to === undefined && outcome !== undefined ? ExitCode.ofReason(outcome.reason) : 0
}

const rerun = async (input: ReplayInput, depth: "model" | "sealed", display: Display): Promise<number> => {
  const file = await cassetteFile(input.recording)
  const cassette = await readCassette(file)
  const remedy = `If the change is meant, record it again:\n  ${recordCommand(input, file, cassette)}`
  const { answer, options } = await chosenAgent(input.agent!, input)
  const watch = display.event
  const calls = recordedCalls(input.recorded)
  if (input.fork !== undefined) {
    return forked(input.fork, { agent: options, cassette, answer, remedy, watch, calls }, display)
  }
  const report = await Replay.run({ agent: options, cassette, depth, answer, remedy, to: input.to, watch, calls })
  display.renderer?.end()
  const outcome = report.outcomes.at(-1)
  if (outcome !== undefined && input.json) display.end("replay", outcome)
  const [unseen] = report.unseen
  if (unseen !== undefined && input.model !== undefined) {
    throw new Problem(`--model ${input.model}`, unseen.why, "`daylight models list` names some.", ExitCode.usage)
  }
  for (const { agent, why } of report.unseen) {
    display.note(`not compared: which model ${agent.join("/")} has (${why}); the recorded one counts`)
  }
  display.note(verdict(report, cassette, input.to))
  if (!report.same) return diverged
  return input.to === undefined && outcome !== undefined ? ExitCode.ofReason(outcome.reason) : 0
}

const forked = async (
  at: number,
  options: {
    readonly agent: AgentOptions
    readonly cassette: Cassette
    readonly answer: any
    readonly remedy: string
    readonly calls: CallRules | undefined
    readonly watch: Display["event"]
  },
  display: Display
): Promise<number> => {
  const { agent, calls, misses, outcome } = await Replay.fork({ ...options, at, model: options.agent.model })
  await using _ = agent
  display.renderer?.end()
  const [miss] = [...calls, ...misses]
  display.note(miss === undefined ? `forked after cell ${at}; session ${await agent.session}` : miss.report)
  return miss === undefined ? ExitCode.ofReason(outcome.reason) : diverged
}

/** What makes the same recording anew, as far as one line can say it. */
const recordCommand = (
  { agent, baseUrl, model }: ReplayInput,
  file: string,
  { runs, sessions = [] }: Cassette
): string => {
  const [part, ...others] = runs.flatMap(({ prompt }) => prompt.content)
  const prompt = part?._tag === "Text" && others.length === 0 ? quoted(part.text) : "PROMPT"
  return [
    "daylight record",
    quoted(agent!),
    prompt,
    ...(model === undefined ? [] : ["--model", quoted(model)]),
    ...(baseUrl === undefined ? [] : ["--base-url", quoted(baseUrl)]),
    "--out",
    quoted(file.replace(/\.cassette\.jsonl$/, "")),
    ...(sessions.length > 0 ? ["--calls"] : [])
  ].join(" ")
}

/** For a shell. */
const quoted = (word: string): string => /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`

const hashOf = (bytes: Buffer): string => `sha256:${hash("sha256", bytes)}`

/** A trajectory names its cassette, which lies beside it. */
const cassetteFile = async (recording: string): Promise<string> => {
  if (isCassette(recording)) return recording
  const trajectory: Trajectory = await readTrajectory(recording)
  const { cassette } = daylightOf<RootExtra>(trajectory)
  if (cassette !== undefined) {
    const file = join(dirname(recording), cassette.path)
    const text = await readFile(file).catch(() => undefined) // not there: told by whoever reads it
    if (text === undefined || hashOf(text) === cassette.sha256) return file
    throw new Problem(
      recording,
      `its cassette ${cassette.path} is another one by now`,
      "Give the cassette itself, or restore both files.",
      ExitCode.usage
    )
  }
  throw new Problem(
    recording,
    "names no cassette, so no model can answer from it",
    "Give the cassette itself (….cassette.jsonl).",
    ExitCode.usage
  )
}

const verdict = (report: ReplayReport, cassette: Cassette, to: number | undefined): string => {
  const { divergence, outcomes, same, sessions, unused } = report
  const answers = cassette.answers.length
  if (same && to !== undefined) return `replayed to step ${to}: as recorded (${answers - unused} of ${answers} answers)`
  const all = sessions > 1 ? `, ${sessions} agents` : ""
  if (same) {
    return `replayed: the same outcome (${outcomes.at(-1)?.reason}, ${answers} answers from the recording${all})`
  }
  return [`the replay left its recording: ${divergence?.report}`, ...inAll(report)].join("\n")
}

/** Where there is more than the first difference. */
const inAll = ({ calls, cells, misses, unused, unusedCalls }: ReplayReport): ReadonlyArray<string> => {
  const counts = [
    counted(calls.length, "call that was not recorded", "calls that were not recorded"),
    counted(cells.length, "cell or call that differs", "cells or calls that differ"),
    counted(misses.length, "request that was not recorded", "requests that were not recorded"),
    counted(unused, "answer that nobody asked for", "answers that nobody asked for"),
    counted(unusedCalls, "call that nobody made", "calls that nobody made")
  ]
  return calls.length + cells.length + misses.length > 1
    ? [`in all: ${counts.filter((text) => text !== "").join(", ")}`]
    : []
}

const counted = (count: number, one: string, many: string): string =>
  count === 0 ? "" : `${count} ${count === 1 ? one : many}`
