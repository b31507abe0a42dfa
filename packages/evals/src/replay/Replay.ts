/**
 * Runs a recording again: the models answer from it, the cells run for real, and what comes out is compared with what
 * was recorded. Nothing is asked of a network.
 */
import {
  type AgentHandle,
  type AgentOptions,
  type AnySchema,
  EventBus,
  InvalidInput,
  type Live,
  type Model,
  type Outcome
} from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Cassette, RecordedAnswer, RecordedRun } from "../cassette/Cassette.ts"
import type { Miss } from "../cassette/MissReport.ts"
import { type ModelReplay, ReplayModel, type ReplayOptions } from "../cassette/ReplayModel.ts"
import { unusedReport } from "../cassette/UnusedReport.ts"
import { type Difference, jsonDiff } from "../internal/JsonDiff.ts"
import { couldAsk, recordedDecisions } from "./RecordedDecisions.ts"
import { replayedAgent } from "./ReplayedAgent.ts"
import { type CallDivergence, sealedRuntime } from "./SealedRuntime.ts"

export interface ReplayRunOptions extends ReplayOptions {
  /**
   * The agent whose cells run. Its model and those of its sub-agents are not asked; their layers are built without keys
   * to see which models they are, which counts as any part of a request does.
   */
  readonly agent: AgentOptions
  readonly cassette: Cassette
  /**
   * `model`: recorded models, live cells and bindings. `sealed`: recorded host calls too, so that the application takes
   * no part; needs a sealed runtime and a cassette with calls. Default `model`.
   */
  readonly depth?: "model" | "sealed" | undefined
  /** The schema that the recorded run was given for its answer. */
  readonly answer?: AnySchema<any> | undefined
  /** Stop after this step (model call of the agent) of the last run. Default: to the end. */
  readonly to?: number | undefined
  /** Told of every event. */
  readonly watch?: ((live: Live) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** The first place where a replay left its recording. */
export interface Divergence extends Difference {
  /** Model call of the run, from 1, as far as it is known. */
  readonly step: number | undefined
  readonly report: string
}

export interface ReplayReport {
  /** Same outcomes, no miss, nothing left. */
  readonly same: boolean
  readonly outcomes: ReadonlyArray<Outcome<unknown>>
  readonly divergence: Divergence | undefined
  readonly misses: ReadonlyArray<Miss>
  /** Recorded answers that nobody asked for. */
  readonly unused: number
  /** Agents whose model was not compared. */
  readonly unseen: ReadonlyArray<UnseenModel>
}

/** An agent whose model did not tell its name, so that it counts as the recorded one. */
export interface UnseenModel {
  /** Path of names from the root. */
  readonly agent: ReadonlyArray<string>
  readonly why: string
}

/**
 * Rejects with `InvalidInput` where the recording cannot be run: no prompt in it, an answer's schema or calls that are
 * missing, a step that is none.
 */
const run = async (options: ReplayRunOptions): Promise<ReplayReport> => {
  const { cassette, to } = options
  check(options)
  const replay = ReplayModel.make(cassette, options)
  const stop = new AbortController()
  const divergences: Array<CallDivergence> = []
  const watch = (live: Live) => {
    options.watch?.(live)
    if (to === undefined || live._tag !== "Recorded" || live.origin.lineage.length > 1) return
    const { event } = live.recorded
    if (event._tag === "ModelCalled" && event.run === cassette.runs.length && event.step > to) stop.abort()
  }
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal])
  const unseen: Array<UnseenModel> = []
  const agent = replayedAgent(asked(options.agent, cassette), {
    replay,
    services: watching(watch),
    onUnseen: (agent, why) => unseen.push({ agent, why })
  })
  await using handle = createAgent(sealed(agent, options, divergences))
  const outcomes: Array<Outcome<unknown>> = []
  for (const { prompt } of cassette.runs) {
    outcomes.push(await handle.run(prompt, { signal, answer: options.answer }))
    if (signal.aborted) break
  }
  return { ...reportOf(cassette, outcomes, replay, divergences, stop.signal.aborted), unseen }
}

const check = ({ answer, cassette, depth, to = 1 }: ReplayRunOptions): void => {
  const refuse = (problem: string, remedy: string) => {
    throw new InvalidInput({ subject: "replay", problem, remedy })
  }
  if (cassette.runs.length === 0) {
    refuse("the recording holds no prompt, so there is nothing to run", "Record a run of an agent")
  }
  if (
    depth === "sealed" && cassette.calls.length + (cassette.cells?.length ?? 0) === 0 && cassette.answers.length > 0
  ) {
    refuse("the recording holds no host calls", 'Record with { calls: true }, or replay at depth "model"')
  }
  if (!Number.isInteger(to) || to < 1) refuse(`there is no step ${to}`, "Steps count 1, 2, 3")
  if (answer === undefined && cassette.runs.some((run) => run.answer === true)) {
    refuse("the recorded run was given a schema for its answer", "Pass the same schema as answer")
  }
}

/** Every event goes to the watcher; whoever the application had told is told as well. */
const watching = (watch: (live: Live) => void): Layer.Layer<never> =>
  Layer.effect(
    EventBus,
    Effect.map(EventBus, ({ publish, subscribe }): EventBus => ({
      publish: (live) => {
        watch(live)
        publish(live)
      },
      subscribe
    }))
  )

/** An agent with approvals of its own uses them. */
const asked = (agent: AgentOptions, cassette: Cassette): AgentOptions =>
  agent.approvals === undefined && couldAsk(cassette) ? { ...agent, approvals: recordedDecisions(cassette) } : agent

const sealed = (
  agent: AgentOptions,
  { cassette, depth }: ReplayRunOptions,
  found: Array<CallDivergence>
): AgentOptions => {
  if (depth !== "sealed") return agent
  const calls = cassette.calls.filter((call) => call.agent.length <= 1)
  const rootCells = cassette.cells?.filter((cell) => cell.agent.length <= 1)
  return {
    ...agent,
    runtime: sealedRuntime(agent.runtime, {
      calls,
      cells: rootCells,
      onDivergence: (divergence) => found.push(divergence)
    })
  }
}

const reportOf = (
  cassette: Cassette,
  outcomes: ReadonlyArray<Outcome<unknown>>,
  replay: ModelReplay,
  calls: ReadonlyArray<CallDivergence>,
  stopped: boolean
): Omit<ReplayReport, "unseen"> => {
  const { misses, unused } = replay
  const divergence = ofCall(calls[0]) ?? ofMiss(misses[0]) ??
    (stopped ? undefined : ofOutcomes(cassette.runs, outcomes) ?? ofRest(cassette, unused))
  return { same: divergence === undefined, outcomes, divergence, misses, unused: unused.length }
}

const ofCall = (call: CallDivergence | undefined): Divergence | undefined =>
  call && {
    ...call.difference,
    step: undefined,
    report:
      `call ${call.ordinal} of cell ${call.cell} (${call.path}) differs from the recording at ${call.difference.path}`
  }

const ofMiss = (miss: Miss | undefined): Divergence | undefined =>
  miss && {
    ...(miss.differences[0] ?? { path: "$", expected: undefined, came: undefined }),
    step: miss.step,
    report: miss.report
  }

const ofOutcomes = (
  runs: ReadonlyArray<RecordedRun>,
  outcomes: ReadonlyArray<Outcome<unknown>>
): Divergence | undefined => {
  for (const [index, run] of runs.entries()) {
    if (run.outcome === undefined) continue
    const came = outcomes[index]
    const { answer: _, durationMs: __, ...expected } = run.outcome
    const { answer: ___, durationMs: ____, ...actual } = came ?? { durationMs: 0 }
    const [difference] = jsonDiff(expected, actual, 1)
    if (difference === undefined) continue
    return {
      ...difference,
      step: came?.steps,
      report: `run ${index + 1} ended otherwise than it was recorded: ${difference.path}`
    }
  }
  return undefined
}

const ofRest = (cassette: Cassette, unused: ReadonlyArray<RecordedAnswer>): Divergence | undefined => {
  const { length } = unused
  if (length === 0) return undefined
  const which = unusedReport(cassette, { answers: unused, exchanges: [] })
  return {
    path: "$",
    expected: `${length} more model calls`,
    came: undefined,
    step: undefined,
    report: `${length} recorded ${length === 1 ? "answer was" : "answers were"} not asked for: ${which}`
  }
}

export interface ForkOptions extends ReplayOptions {
  readonly agent: AgentOptions
  readonly cassette: Cassette
  /** The last cell that is fed by the recording. */
  readonly at: number
  /** Who answers from there on. Sub-agents that have a model of their own use that. */
  readonly model: Layer.Layer<Model, unknown>
  readonly answer?: AnySchema<any> | undefined
  readonly watch?: ((live: Live) => void) | undefined
}

export interface Forked {
  /** The new session; it goes on like any other. */
  readonly agent: AgentHandle
  /** Of the run in which the fork lies. */
  readonly outcome: Outcome<unknown>
  /** Where the recording was left too early, if it was. */
  readonly misses: ReadonlyArray<Miss>
}

/**
 * A new session that goes the recorded way up to a finished cell, and on from there with another model. Rejects with
 * `InvalidInput` as `run` does, and for a cell that the recording does not have.
 */
const fork = async (options: ForkOptions): Promise<Forked> => {
  check(options)
  checkCell(options)
  const replay = ReplayModel.make(options.cassette, options)
  let live = false
  const watch = (event: Live) => {
    options.watch?.(event)
    if (event._tag !== "Recorded" || event.origin.lineage.length > 1) return
    const { event: recorded } = event.recorded
    if (recorded._tag === "CellEnded" && recorded.cell >= options.at) live = true
  }
  const agent = createAgent(replayedAgent(asked(options.agent, options.cassette), {
    replay,
    live: { entered: () => live, model: options.model },
    services: watching(watch)
  }))
  let outcome: Outcome<unknown> | undefined
  for (const { prompt } of options.cassette.runs) {
    outcome = await agent.run(prompt, { answer: options.answer })
    if (live) break
  }
  return { agent, outcome: outcome!, misses: replay.misses }
}

/** A cell that the recording has, as far as it says how many there are. */
const checkCell = ({ at, cassette }: ForkOptions): void => {
  const cells = cassette.runs.reduce((sum, { outcome }) => sum + (outcome?.cells ?? Infinity), 0)
  if (Number.isInteger(at) && at >= 1 && at <= cells) return
  throw new InvalidInput({
    subject: "replay",
    problem: `the recording has no cell ${at}`,
    remedy: cells === 0 ? "Fork a recording in which code ran" : `Its cells are 1 to ${cells}`
  })
}

export const Replay = { run, fork }
