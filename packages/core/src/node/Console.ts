/**
 * The `console` of one notebook: Node's formatting, captured per cell, with a byte budget.
 *
 * Past the budget nothing is formatted any more: a million long lines cost a million comparisons.
 */
import { formatWithOptions } from "node:util"
import { consoleText } from "./Inspect.ts"
import type { Output } from "./Output.ts"
import { tableText } from "./Table.ts"

export type Stream = "stdout" | "stderr"

/** Builds a console. `sink` gives where a line goes now, or nothing where it is to be dropped. */
export const makeConsole = (sink: (stream: Stream) => Output | undefined): object => {
  let indent = ""
  const counts = new Map<string, number>()
  const timers = new Map<string, number>()

  const print = (stream: Stream, text: () => string): void => {
    const output = sink(stream)
    if (output === undefined) return
    if (output.full) return output.drop()
    const line = text()
    output.write(`${indent === "" ? line : indent + line.replaceAll("\n", `\n${indent}`)}\n`)
  }
  const to = (stream: Stream) => (...args: Array<unknown>): void => print(stream, () => format(args))
  const log = to("stdout")
  const error = to("stderr")
  const elapsed = (label: string): string | undefined => {
    const started = timers.get(label)
    return started === undefined ? undefined : `${label}: ${(performance.now() - started).toFixed(3)}ms`
  }

  return {
    log,
    info: log,
    debug: log,
    error,
    warn: error,
    dir: (value: unknown, options?: { readonly depth?: number | null } | undefined) =>
      print("stdout", () => consoleText(value, options?.depth === null ? Infinity : options?.depth)),
    dirxml: log,
    table: (rows: unknown, columns?: unknown) => print("stdout", () => tableText(rows, columns) ?? format([rows])),
    trace: (...args: Array<unknown>) => print("stderr", () => args.length === 0 ? "Trace" : `Trace: ${format(args)}`),
    assert: (condition: unknown, ...args: Array<unknown>) => {
      if (!condition) {
        print("stderr", () => args.length === 0 ? "Assertion failed" : `Assertion failed: ${format(args)}`)
      }
    },
    group: (...args: Array<unknown>) => {
      if (args.length > 0) log(...args)
      indent += "  "
    },
    groupCollapsed: (...args: Array<unknown>) => {
      if (args.length > 0) log(...args)
      indent += "  "
    },
    groupEnd: () => {
      indent = indent.slice(2)
    },
    count: (label: unknown = "default") => {
      const next = (counts.get(String(label)) ?? 0) + 1
      counts.set(String(label), next)
      print("stdout", () => `${String(label)}: ${next}`)
    },
    countReset: (label: unknown = "default") => void counts.delete(String(label)),
    time: (label: unknown = "default") => void timers.set(String(label), performance.now()),
    timeLog: (label: unknown = "default", ...args: Array<unknown>) =>
      print(
        "stdout",
        () =>
          [elapsed(String(label)) ?? `there is no timer ${String(label)}`, ...args.map((arg) => consoleText(arg))].join(
            " "
          )
      ),
    timeEnd: (label: unknown = "default") => {
      print("stdout", () => elapsed(String(label)) ?? `there is no timer ${String(label)}`)
      timers.delete(String(label))
    }
  }
}

/** As Node formats, `%` placeholders included. */
const format = (args: ReadonlyArray<unknown>): string => {
  const first = args[0]
  if (args.length > 1 && typeof first === "string" && first.includes("%")) {
    return formatWithOptions({ customInspect: false }, ...args)
  }
  return args.map((arg) => consoleText(arg)).join(" ")
}
