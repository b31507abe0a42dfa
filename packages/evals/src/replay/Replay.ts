/**
 * Runs a recording again: the models answer from it, the cells run for real, and what comes out is compared with what
 * was recorded. Nothing is asked of a network.
 */
import {
  type AgentHandle,
  type AgentOptions,
  type AnySchema,
  InvalidInput,
  type Live,
  type Model,
  type Outcome
} from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import type * as Layer from "effect/Layer"
import type { Cassette, RecordedAnswer, RecordedSession } from "../cassette/Cassette.ts"
import type { Miss } from "../cassette/MissReport.ts"
import { ReplayModel, type ReplayOptions } from "../cassette/ReplayModel.ts"
import { AnsweredCalls } from "./AnsweredCalls.ts"
import { type CallRules, checkRules } from "./CallRules.ts"
import { type Divergence, divergenceOf, ofCells } from "./Divergence.ts"
import { couldAsk, recordedDecisions } from "./RecordedDecisions.ts"
import { replayedAgent } from "./ReplayedAgent.ts"
import { replaySession, type SessionReplay, watching } from "./ReplaySession.ts"
import { agentAt, passedSchema } from "./SubAgents.ts"

export interface ReplayRunOptions extends ReplayOptions {
  /**
   * The agent whose cells run. Its model and those of its sub-agents are not asked; their layers are built without keys
   * to see which models they are, which counts as any part of a request does.
   */
  readonly agent: AgentOptions
  readonly cassette: Cassette
  /**
   * `model`: recorded models, live cells and bindings. `sealed`: recorded host calls too, so that the application takes
   * no part, and each sub-agent again on its own; needs a sealed runtime and a cassette with calls. Default `model`.
   */
  readonly depth?: "model" | "sealed" | undefined
  /**
   * Depth `model`: what answers the calls of cells, also those of sub-agents, by their path. What is `recorded` needs a
   * cassette with calls. Default: the application answers all of them.
   */
  readonly calls?: CallRules | undefined
  /** The schema that the recorded run was given for its answer. */
  readonly answer?: AnySchema<any> | undefined
  /**
   * The schema that a cell gave a sub-agent for its answer; `agent` is its path of names. Needed at depth `sealed`
   * where the caller has several schemas bound, or none.
   */
  readonly answerOf?: ((agent: ReadonlyArray<string>) => AnySchema<any> | undefined) | undefined
  /** Stop after this step (model call of the agent) of the last run. Default: to the end. */
  readonly to?: number | undefined
  /** Told of every event. */
  readonly watch?: ((live: Live) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

export interface ReplayReport {
  /** Same outcomes, no miss, nothing left, of all sessions. */
  readonly same: boolean
  /** Of the agent's runs. */
  readonly outcomes: ReadonlyArray<Outcome<unknown>>
  /** The first one: the agent's own, then those of its sub-agents. */
  readonly divergence: Divergence | undefined
  /** Sessions that ran on their own: one, and at depth `sealed` each sub-agent's. */
  readonly sessions: number
  /** Of all sessions. */
  readonly misses: ReadonlyArray<Miss>
  /** Recorded answers that nobody asked for. */
  readonly unused: number
  readonly unusedAnswers: ReadonlyArray<RecordedAnswer>
  /** Calls that were to be recorded and were not, also those whose error the cell caught. */
  readonly calls: ReadonlyArray<Divergence>
  /** Recorded calls that were to answer, and that nobody made. */
  readonly unusedCalls: number
  /** Depth `sealed`: cells of all sessions that did something else than they were recorded to. */
  readonly cells: ReadonlyArray<Divergence>
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
 * Rejects with `InvalidInput` where the recording cannot be run: no prompt in it, an answer's schema, calls or a
 * sub-agent that are missing, a variable that was set and cannot be rebuilt, a step that is none.
 */
const run = async (options: ReplayRunOptions): Promise<ReplayReport> => {
  check(options)
  const { cassette, depth, to } = options
  const calls = answeredCalls(options)
  const stop = new AbortController()
  const unseen: Array<UnseenModel> = []
  const sessions: Array<SessionReplay> = []
  for (const session of depth === "sealed" ? cassette.sessions ?? [] : [whole(options)]) {
    const isRoot = session.session === ""
    const { agent, answer } = ofSession(options, session)
    const watch = (live: Live) => {
      calls?.watch(live)
      options.watch?.(isRoot ? live : below(live, session))
      if (to === undefined || live._tag !== "Recorded" || live.origin.lineage.length > 1) return
      const { event } = live.recorded
      if (event._tag === "ModelCalled" && event.run === cassette.runs.length && event.step > to) stop.abort()
    }
    sessions.push(
      await replaySession({
        ...options,
        agent: asked(calls?.agent(agent) ?? agent, cassette),
        path: session.agent,
        runs: session.runs ?? cassette.runs,
        told: session.told,
        cassette: depth === "sealed" ? { ...cassette, answers: answersOf(cassette, session) } : cassette,
        cells: depth === "sealed" ? cassette.cells?.filter((cell) => cell.session === session.session) : undefined,
        answer,
        watch,
        onUnseen: (agent, why) => unseen.push({ agent, why }),
        signal: options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal])
      })
    )
    // What sub-agents were asked for after that step is not known.
    if (stop.signal.aborted || options.signal?.aborted) break
  }
  return { ...reportOf(sessions, calls, stop.signal.aborted), unseen }
}

/** Nothing where the application answers all of them. */
const answeredCalls = (
  options: Pick<ReplayRunOptions, "agent" | "calls" | "cassette" | "depth" | "remedy" | "repeat">,
  left?: () => boolean
): AnsweredCalls | undefined => {
  const { agent, calls } = options
  if (calls === undefined) return undefined
  checkRules(calls, agent, options)
  return new AnsweredCalls({ ...options, rules: calls, left })
}

/** At depth `model` sub-agents run where they are called. */
const whole = ({ agent, cassette }: ReplayRunOptions): RecordedSession => ({
  type: "session",
  session: "",
  agent: [agent.name],
  answers: cassette.answers
})

const answersOf = ({ answers }: Cassette, session: RecordedSession): Cassette["answers"] => {
  const own = new Set(session.answers.map(({ key, ordinal }) => `${key}:${ordinal}`))
  return answers.filter(({ key, ordinal }) => own.has(`${key}:${ordinal}`))
}

const refuse = (problem: string, remedy: string): never => {
  throw new InvalidInput({ subject: "replay", problem, remedy })
}

/** Whose session it is, and the schema that its runs were given. */
const ofSession = (
  { agent: root, answer, answerOf }: ReplayRunOptions,
  { agent: path, runs, session }: RecordedSession
): { readonly agent: AgentOptions; readonly answer: AnySchema<any> | undefined } => {
  if (session === "") return { agent: root, answer }
  const agent = agentAt(root, session) ??
    refuse(`${root.name} has no sub-agent under the name ${session}`, "Bind it as when the run was recorded")
  if (!runs?.some((run) => run.answer === true)) return { agent, answer: undefined }
  const caller = agentAt(root, session.split("/").slice(0, -1).join("/"))
  const schema = answerOf?.(path) ?? (caller && passedSchema(caller)) ??
    refuse(`a cell gave ${path.join("/")} a schema for its answer`, "Pass answerOf, which tells the same schema")
  return { agent, answer: schema }
}

/** As it would have been seen from the root. */
const below = (live: Live, { agent }: RecordedSession): Live => ({
  ...live,
  origin: { ...live.origin, agent: [...agent.slice(0, -1), ...live.origin.agent] }
})

const check = ({ answer, cassette, depth, to = 1 }: ReplayRunOptions): void => {
  if (cassette.runs.length === 0) {
    refuse("the recording holds no prompt, so there is nothing to run", "Record a run of an agent")
  }
  if (depth === "sealed" && (cassette.sessions ?? []).length === 0) {
    refuse("the recording holds no host calls", 'Record with { calls: true }, or replay at depth "model"')
  }
  if (!Number.isInteger(to) || to < 1) refuse(`there is no step ${to}`, "Steps count 1, 2, 3")
  if (answer === undefined && cassette.runs.some((run) => run.answer === true)) {
    refuse("the recorded run was given a schema for its answer", "Pass the same schema as answer")
  }
}

/** An agent with approvals of its own uses them. */
const asked = (agent: AgentOptions, cassette: Cassette): AgentOptions =>
  agent.approvals === undefined && couldAsk(cassette) ? { ...agent, approvals: recordedDecisions(cassette) } : agent

const reportOf = (
  sessions: ReadonlyArray<SessionReplay>,
  calls: AnsweredCalls | undefined,
  stopped: boolean
): Omit<ReplayReport, "unseen"> => {
  // A call without an answer comes before what it led to, and what is left over last.
  const found = [
    ...calls?.misses ?? [],
    ...sessions.flatMap((session) => divergenceOf(session, stopped) ?? []),
    ...(stopped ? [] : [calls?.rest])
  ].filter((each) => each !== undefined)
  const divergence = found.find(({ unused }) => unused !== true) ?? found[0]
  const unusedAnswers = sessions.flatMap(({ unused }) => unused)
  return {
    same: divergence === undefined,
    outcomes: sessions[0]?.outcomes ?? [],
    divergence,
    sessions: sessions.length,
    misses: sessions.flatMap(({ misses }) => misses),
    unused: unusedAnswers.length,
    unusedAnswers,
    calls: calls?.misses ?? [],
    unusedCalls: calls?.unused.length ?? 0,
    cells: sessions.flatMap(ofCells)
  }
}

export interface ForkOptions extends ReplayOptions {
  readonly agent: AgentOptions
  readonly cassette: Cassette
  /** The last cell that is fed by the recording. */
  readonly at: number
  /** Who answers from there on. Sub-agents that have a model of their own use that. */
  readonly model: Layer.Layer<Model, unknown>
  /** As of `run`, up to that cell. From there on what was to be recorded is live; functions stay. */
  readonly calls?: CallRules | undefined
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
  /** Calls that were to be recorded and were not. */
  readonly calls: ReadonlyArray<Divergence>
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
  const calls = answeredCalls(options, () => live)
  const watch = (event: Live) => {
    calls?.watch(event)
    options.watch?.(event)
    if (event._tag !== "Recorded" || event.origin.lineage.length > 1) return
    const { event: recorded } = event.recorded
    if (recorded._tag === "CellEnded" && recorded.cell >= options.at) live = true
  }
  const agent = createAgent(replayedAgent(asked(calls?.agent(options.agent) ?? options.agent, options.cassette), {
    replay,
    live: { entered: () => live, model: options.model },
    services: watching(watch)
  }))
  let outcome: Outcome<unknown> | undefined
  for (const { prompt } of options.cassette.runs) {
    outcome = await agent.run(prompt, { answer: options.answer })
    if (live) break
  }
  return { agent, outcome: outcome!, misses: replay.misses, calls: calls?.misses ?? [] }
}

/** A cell that the recording has, as far as it says how many there are. */
const checkCell = ({ at, cassette }: ForkOptions): void => {
  const cells = cassette.runs.reduce((sum, { outcome }) => sum + (outcome?.cells ?? Infinity), 0)
  if (Number.isInteger(at) && at >= 1 && at <= cells) return
  refuse(
    `the recording has no cell ${at}`,
    cells === 0 ? "Fork a recording in which code ran" : `Its cells are 1 to ${cells}`
  )
}

export const Replay = { run, fork }
