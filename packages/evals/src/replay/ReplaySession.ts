/** One agent of a recording runs again on its own: its prompts and variables, its model's answers, its cells. */
import {
  type AgentOptions,
  type AnySchema,
  decodeValue,
  EventBus,
  InvalidInput,
  type Live,
  type Outcome,
  type Value
} from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Cassette, RecordedAnswer, RecordedCell, RecordedRun } from "../cassette/Cassette.ts"
import type { Miss } from "../cassette/MissReport.ts"
import { ReplayModel, type ReplayOptions } from "../cassette/ReplayModel.ts"
import { LiveObjects } from "./LiveObjects.ts"
import { replayedAgent } from "./ReplayedAgent.ts"
import { type CellDivergence, sealedRuntime } from "./SealedRuntime.ts"
import { unasked } from "./Unasked.ts"

export interface ReplaySessionOptions extends ReplayOptions {
  readonly agent: AgentOptions
  /** Paths of names from the root; the last is the agent's own. */
  readonly path: ReadonlyArray<string>
  readonly runs: ReadonlyArray<RecordedRun>
  /** Of each run, what the model was told of the variables. */
  readonly told?: ReadonlyArray<string> | undefined
  /** With the answers of this session only, where it runs on its own. */
  readonly cassette: Cassette
  /** At depth `sealed`. */
  readonly cells?: ReadonlyArray<RecordedCell> | undefined
  readonly answer: AnySchema<any> | undefined
  readonly watch: (live: Live) => void
  readonly onUnseen: (agent: ReadonlyArray<string>, why: string) => void
  readonly signal: AbortSignal
}

/** What a session did when it ran again. */
export interface SessionReplay {
  readonly path: ReadonlyArray<string>
  readonly runs: ReadonlyArray<RecordedRun>
  readonly cassette: Cassette
  readonly outcomes: ReadonlyArray<Outcome<unknown>>
  /** Each with the number of its run. */
  readonly misses: ReadonlyArray<Miss & { readonly run: number }>
  readonly unused: ReadonlyArray<RecordedAnswer>
  readonly divergences: ReadonlyArray<CellDivergence & { readonly run: number; readonly step: number }>
}

export const replaySession = async (options: ReplaySessionOptions): Promise<SessionReplay> => {
  const { answer, cassette, cells, path, runs, signal } = options
  const replay = ReplayModel.make(cassette, options)
  const places = new Map(cells?.map((cell) => [cell.cell, cell]))
  const divergences: Array<SessionReplay["divergences"][number]> = []
  const misses: Array<SessionReplay["misses"][number]> = []
  let stop = new AbortController()
  const agent = replayedAgent(options.agent, {
    replay,
    above: path.slice(0, -1),
    services: watching(options.watch),
    onUnseen: options.onUnseen
  })
  const onDivergence = (divergence: CellDivergence) => {
    const { run = outcomes.length + 1, step = 0 } = places.get(divergence.cell) ?? {}
    divergences.push({ ...divergence, run, step })
  }
  const outcomes: Array<Outcome<unknown>> = []
  const sealed = (cells: ReadonlyArray<RecordedCell>): AgentOptions => ({
    ...unasked(agent, cells, options.told?.[0] ?? ""),
    runtime: sealedRuntime(agent.runtime, {
      cells,
      live: new LiveObjects(agent, cells),
      told: () => options.told?.[outcomes.length] ?? "",
      onDivergence,
      onStopped: () => stop.abort()
    })
  })
  await using handle = createAgent(cells === undefined ? agent : sealed(cells))
  for (const { prompt, variables = [], answer: expects } of runs) {
    for (const { name, value } of variables) handle.vars[name] = rebuilt(name, value, path)
    stop = new AbortController()
    const either = AbortSignal.any([stop.signal, signal])
    outcomes.push(await handle.run(prompt, { signal: either, answer: expects === true ? answer : undefined }))
    for (const miss of replay.misses.slice(misses.length)) misses.push({ ...miss, run: outcomes.length })
    if (signal.aborted) break
  }
  return { path, runs, cassette, outcomes, misses, unused: replay.unused, divergences }
}

/** Every event goes to the watcher; whoever the application had told is told as well. */
export const watching = (watch: (live: Live) => void): Layer.Layer<never> =>
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

/** Throws `InvalidInput` where the recording has no more than the type of it. */
const rebuilt = (name: string, value: Value, path: ReadonlyArray<string>): unknown => {
  if (value._tag === "Json" || value._tag === "Devalue") return decodeValue(value)
  throw new InvalidInput({
    subject: `variable ${name} of ${path.join("/")}`,
    problem: `was set to ${value._tag === "Ref" ? `a live or large object (${value.type})` : `a ${value._tag}`}, ` +
      "which a recording tells by reference only",
    remedy: 'Set plain data of up to 1,000 values, or replay at depth "model"'
  })
}
