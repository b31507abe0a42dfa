/** What a replay found: the places where it left its recording. */
import type { Outcome } from "@daylight/core"
import type { Miss } from "../cassette/MissReport.ts"
import { unusedReport } from "../cassette/UnusedReport.ts"
import { type Difference, jsonDiff } from "../internal/JsonDiff.ts"
import type { SessionReplay } from "./ReplaySession.ts"

/** One place where a replay left its recording. */
export interface Divergence extends Difference {
  /** Whose: a path of names from the root. */
  readonly agent: ReadonlyArray<string>
  /** Of the agent, from 1, as far as it is known. */
  readonly run: number | undefined
  /** Model call of the run, from 1, as far as it is known. */
  readonly step: number | undefined
  readonly report: string
  /** All that was asked for was recorded, and there is more: nobody asked for that. */
  readonly unused?: true | undefined
}

type Place = Pick<Divergence, "agent" | "run" | "step">

/** Of all cells, in order. */
export const ofCells = ({ divergences, path }: SessionReplay): ReadonlyArray<Divergence> =>
  divergences.map(({ cell, difference, run, step, what }) => {
    const place = { agent: path, run, step }
    const where = `${what} of cell ${cell} of ${placeText(place)}`
    const { came, expected } = difference
    return {
      ...difference,
      ...place,
      report: `${where} differs from the recording at ${difference.path}: expected ${text(expected)}, came ${
        text(came)
      }`
    }
  })

/** The first one. `stopped`: it was not to go to the end. */
export const divergenceOf = (session: SessionReplay, stopped: boolean): Divergence | undefined =>
  ofCells(session)[0] ?? ofMiss(session, session.misses[0]) ??
    (stopped ? undefined : ofOutcomes(session) ?? ofRest(session))

const ofMiss = (
  { path }: SessionReplay,
  miss: (Miss & { readonly run: number }) | undefined
): Divergence | undefined => {
  if (miss === undefined) return undefined
  const place = { agent: path, run: miss.run, step: miss.step }
  return {
    ...(miss.differences[0] ?? { path: "$", expected: undefined, came: undefined }),
    ...place,
    report: path.length > 1 ? `${placeText(place)}: ${miss.report}` : miss.report
  }
}

const ofOutcomes = ({ outcomes, path, runs }: SessionReplay): Divergence | undefined => {
  for (const [index, run] of runs.entries()) {
    if (run.outcome === undefined) continue
    const came = outcomes[index]
    const [difference] = jsonDiff(comparable(run.outcome), comparable(came), 1)
    if (difference === undefined) continue
    const whose = path.length > 1 ? ` of ${path.join("/")}` : ""
    const why = came?.error === undefined ? "" : ` (${came.error.message})`
    return {
      ...difference,
      agent: path,
      run: index + 1,
      step: came?.steps,
      report: `run ${index + 1}${whose} ended otherwise than it was recorded: ${difference.path}${why}`
    }
  }
  return undefined
}

/** How long it took is no part of what happened; an answer's place in the log says nothing of its value. */
const comparable = (outcome: Omit<Outcome<unknown>, "answer"> | undefined) => {
  const { answer: _, durationMs: __, ...rest } = { answer: undefined, durationMs: 0, ...outcome }
  return rest
}

const ofRest = ({ cassette, path, unused }: SessionReplay): Divergence | undefined => {
  const { length } = unused
  if (length === 0) return undefined
  const whose = path.length > 1 ? ` by ${path.join("/")}` : ""
  const which = unusedReport(cassette, { answers: unused, exchanges: [] })
  return {
    path: "$",
    expected: `${length} more model calls`,
    came: undefined,
    agent: path,
    run: undefined,
    step: undefined,
    unused: true,
    report: `${length} recorded ${length === 1 ? "answer was" : "answers were"} not asked for${whose}: ${which}`
  }
}

const placeText = ({ agent, run, step }: Place): string =>
  [agent.join("/"), run === undefined ? "" : `run ${run}`, step === undefined ? "" : `step ${step}`]
    .filter((part) => part !== "").join(", ")

const text = (value: unknown): string => {
  const json = JSON.stringify(value) ?? "nothing"
  return json.length > 200 ? `${json.slice(0, 200)}…` : json
}
