/** Says where the calls of a replay left their recording. */
import type { HostCall } from "@daylight/core"
import { differenceLine } from "../internal/JsonDiff.ts"
import { comparableArguments } from "./ComparableArguments.ts"
import type { Divergence } from "./Divergence.ts"
import type { AskedCall, RecordedCall, Unanswered } from "./RecordedCalls.ts"

/** A call as a person would write it, shortened. */
export const callOf = ({ args, asked, path }: Pick<AskedCall, "args" | "asked" | "path">): string =>
  written(path, comparableArguments(args, asked, []))

const recordedCallOf = ({ args, started: { path } }: RecordedCall): string => written(path, args)

const written = (path: string, args: ReadonlyArray<unknown>): string => {
  const text = args.map((arg) => JSON.stringify(arg)).join(", ")
  return `${path}(${text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text})`
}

/** Characters of arguments that are told. */
const most = 200

const recordAgain = "If the change is meant, record the run again."

/** A call that was to be recorded: for people, and for the cell that made it. */
export const missedCall = (
  { cell, ordinal, path }: HostCall,
  asked: AskedCall,
  { difference, nearest, why }: Unanswered,
  place: Pick<Divergence, "agent" | "run" | "step">,
  remedy = recordAgain
): { readonly divergence: Divergence; readonly nearest: string } => {
  const { agent, run, step } = place
  const steps = run === undefined ? "" : `, run ${run}, step ${step}`
  const subject = `call ${ordinal} (${path}) of cell ${cell} of ${agent.join("/")}${steps}`
  const [problem, ...more] = problemOf(difference, nearest, why)
  const lines = [`${subject} ${problem}`, `  came ${callOf(asked)}`, ...more.map((line) => `  ${line}`), remedy]
  return {
    divergence: { ...difference, ...place, report: lines.join("\n") },
    nearest: why === "unknown" ? more.join(", ") : problem!
  }
}

const problemOf = (
  difference: Unanswered["difference"],
  nearest: RecordedCall | undefined,
  why: Unanswered["why"]
): ReadonlyArray<string> => {
  switch (why) {
    case "lost":
      return [`cannot be answered from the recording: ${String(difference.expected)}. Let it be live, or fake it.`]
    case "exhausted":
      return ["was made once more than it was recorded: all recordings of this call are used up."]
    case "unknown":
      return [
        "was not recorded.",
        ...(nearest === undefined
          ? ["no call of it is recorded"]
          : [`the nearest is ${recordedCallOf(nearest)} of cell ${nearest.started.cell}`, differenceLine(difference)])
      ]
  }
}

/** Calls that are named; of more only the number is told. */
const named = 5

/** What is recorded and nobody called. */
export const unusedCalls = (
  unused: ReadonlyArray<RecordedCall>,
  agentOf: (session: string) => ReadonlyArray<string>
): Divergence | undefined => {
  const [first] = unused
  if (first === undefined) return undefined
  const { length } = unused
  const names = unused.slice(0, named).map((call) => {
    const whose = call.session === "" ? "" : ` of ${agentOf(call.session).join("/")}`
    return `${recordedCallOf(call)} of cell ${call.started.cell}${whose}`
  })
  const which = [...names, ...(length > named ? [`and ${length - named} more`] : [])].join(", ")
  return {
    path: "$",
    expected: `${length} more ${length === 1 ? "call" : "calls"}`,
    came: undefined,
    agent: agentOf(first.session),
    run: undefined,
    step: undefined,
    unused: true,
    report: `${length} recorded ${length === 1 ? "call was" : "calls were"} not made: ${which}`
  }
}
