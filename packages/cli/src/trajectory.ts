/** `daylight trajectory`: shows, compares, converts and checks trajectories, also those of other tools. */
import {
  diffTrajectories,
  diffTrajectoryFiles,
  eventsOf,
  eventsOfFile,
  htmlOf,
  htmlOfFile,
  importTrajectories,
  isLargeTrajectory,
  printTrajectory,
  type StepDifference,
  textOf,
  toCodeActInstruct,
  toOtel,
  type Trajectory,
  validateTrajectoryFile
} from "@daylight/evals/trajectory"
import { createWriteStream } from "node:fs"
import { readFile, writeFile } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { complain, exitCodeOf } from "./Complaint.ts"
import { jsonDisplay, terminalDisplay } from "./Display.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"
import { makePaint, wantsColor } from "./renderer/Paint.ts"
import { safeLines } from "./renderer/Safe.ts"

/** Runs a command, and tells what went wrong, also with the place that it writes to. */
const guarded = async (run: () => Promise<number>, out?: string): Promise<number> => {
  try {
    return await run()
  } catch (error) {
    const { code, path } = error as NodeJS.ErrnoException
    if (out !== undefined && path === out) {
      complain(
        new Problem(
          `--out ${out}`,
          `cannot be written (${code})`,
          "Name a place that you may write to.",
          ExitCode.usage
        )
      )
      return ExitCode.usage
    }
    complain(error)
    return exitCodeOf(error)
  }
}

export const show = (
  { file, json, verbose }: { readonly file: string; readonly json: boolean; readonly verbose: boolean }
): Promise<number> =>
  guarded(async () => {
    const display = json ? jsonDisplay() : terminalDisplay({ verbose })
    if (await isLargeTrajectory(file)) {
      for await (const live of eventsOfFile(file)) display.event(live)
      display.renderer?.end()
      return 0
    }
    for (const trajectory of await load(file)) {
      for (const live of eventsOf(trajectory)) display.event(live)
      display.renderer?.end()
    }
    return 0
  })

export interface DiffInput {
  readonly left: string
  readonly right: string
  readonly json: boolean
}

export const diff = ({ json, left, right }: DiffInput): Promise<number> =>
  guarded(async () => {
    const { same, steps } = await isLargeTrajectory(left) || await isLargeTrajectory(right)
      ? await diffTrajectoryFiles(left, right)
      : diffTrajectories(await loadOne(left), await loadOne(right))
    const paint = makePaint(wantsColor(process.stdout.isTTY === true, process.env))
    let unchanged = 0
    const tellUnchanged = () => {
      if (unchanged > 0) process.stdout.write(`  ${unchanged} ${unchanged === 1 ? "step" : "steps"} the same\n`)
      unchanged = 0
    }
    for (const step of steps) {
      if (json) process.stdout.write(`${JSON.stringify(compact(step))}\n`)
      else if (step.kind === "same") unchanged++
      else {
        tellUnchanged()
        const rows = lines(step).map(([text, style]) => style === undefined ? text : paint(text, [style]))
        process.stdout.write(`${rows.join("\n")}\n`)
      }
    }
    tellUnchanged()
    return same ? 0 : ExitCode.failure
  })

const marks = { changed: "~", removed: "-", added: "+", same: " " } as const

type Line = readonly [text: string, style: "bad" | "good" | undefined]

const lines = ({ at, differences, kind, left, right }: StepDifference): ReadonlyArray<Line> => {
  const shown = (right ?? left)!
  const calls = (shown.tool_calls ?? []).map((call) => call.function_name).join(", ")
  const [first = ""] = safeLines(textOf(shown.message))
  const what = [calls === "" ? "" : `[${calls}]`, first.slice(0, 80)].join(" ").trim()
  const head = `${marks[kind]} ${`${at.left ?? "·"}/${at.right ?? "·"}`.padEnd(9)} ${shown.source.padEnd(6)} ${what}`
  const style = kind === "removed" ? "bad" : kind === "added" ? "good" : undefined
  return [
    [head, style],
    ...differences.flatMap(({ came, expected, path }): ReadonlyArray<Line> => [
      [`    ${path}`, undefined],
      [`      - ${shortened(expected)}`, "bad"],
      [`      + ${shortened(came)}`, "good"]
    ])
  ]
}

const shortened = (value: unknown): string =>
  value === undefined ? "nothing" : safeLines(JSON.stringify(value)).join(" ").slice(0, 200)

const compact = ({ at, differences, kind }: StepDifference) => ({ kind, ...at, differences })

export interface ConvertInput {
  readonly file: string
  readonly to: "atif" | "otel" | "codeact" | "html"
  readonly content: boolean
  readonly out: string | undefined
}

export const convert = ({ content, file, out, to }: ConvertInput): Promise<number> =>
  guarded(async () => {
    if (to === "html" && await isLargeTrajectory(file)) {
      await pipeline(htmlOfFile(file), out === undefined ? process.stdout : createWriteStream(out), {
        end: out !== undefined
      })
      return 0
    }
    const imported = importTrajectories(await read(file), file)
    for (const { format, lost } of imported) {
      if (lost.length > 0) process.stderr.write(`${file}: ${format}: dropped ${lost.join(", ")}\n`)
    }
    const trajectories = imported.map(({ trajectory }) => trajectory)
    const text = to === "codeact"
      ? trajectories.map((trajectory) => `${toCodeActInstruct(trajectory)}\n`).join("")
      : written(single(trajectories, file), to, content, out ?? file)
    if (out === undefined) process.stdout.write(text)
    else await writeFile(out, text)
    return 0
  }, out)

const written = (trajectory: Trajectory, to: "atif" | "otel" | "html", content: boolean, file: string): string => {
  switch (to) {
    case "atif":
      return printTrajectory(trajectory, file)
    case "otel":
      return `${JSON.stringify(toOtel(trajectory, { content }), null, 2)}\n`
    case "html":
      return [...htmlOf(trajectory)].join("")
  }
}

export const validate = ({ file }: { readonly file: string }): Promise<number> =>
  guarded(async () => {
    const problems = await validateTrajectoryFile(file)
    for (const problem of problems) process.stdout.write(`${problem}\n`)
    process.stdout.write(
      problems.length === 0
        ? `${file}: valid\n`
        : `${file}: ${problems.length} ${problems.length === 1 ? "problem" : "problems"}\n`
    )
    return problems.length === 0 ? 0 : ExitCode.failure
  })

const read = async (file: string): Promise<Buffer> => {
  try {
    return await readFile(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Problem(
      file,
      code === "ENOENT" ? "there is no such file" : `cannot be read (${code ?? message})`,
      "Give the path of a trajectory.",
      ExitCode.usage
    )
  }
}

const load = async (file: string): Promise<ReadonlyArray<Trajectory>> =>
  importTrajectories(await read(file), file).map(({ trajectory }) => trajectory)

const loadOne = async (file: string): Promise<Trajectory> => single(await load(file), file)

const single = (trajectories: ReadonlyArray<Trajectory>, file: string): Trajectory => {
  const [first] = trajectories
  if (trajectories.length === 1 && first !== undefined) return first
  throw new Problem(
    file,
    `holds ${trajectories.length} trajectories`,
    "Convert it to codeact, or give a file that holds one.",
    ExitCode.usage
  )
}
