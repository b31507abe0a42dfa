/** Figures as a table: what was measured, the bar, how much of the bar it is, and the verdict. */
import { availableParallelism, cpus, loadavg } from "node:os"
import { calibrate } from "./Calibration.ts"
import type { Figure, Line, Unit } from "./Figure.ts"

const header = ["row", "what", "median", "min", "typical", "bar", "of bar", "verdict"]
const leftAligned = new Set(["what", "verdict"])

/** Calibrates, measures, and prints. Nothing is asserted: a figure over its bar is shown as such, and no error. */
export const printTable = async (title: string, measure: () => Promise<ReadonlyArray<Line>>): Promise<void> => {
  const before = calibrate()
  const lines = await measure()
  const after = calibrate()
  console.log(`\n${title}\n\n${render([header, ...lines.map(cellsOf)])}\n`)
  console.log(
    `Node ${process.versions.node}, ${availableParallelism()} cores (${cpus()[0]?.model ?? "unknown"}), load ${
      loadavg()[0]!.toFixed(1)
    }; ` +
      `calibration ${before.median.toFixed(0)} us (min ${before.min.toFixed(0)}) before, ${
        after.median.toFixed(0)
      } us (min ${after.min.toFixed(0)}) after`
  )
}

const cellsOf = (line: Line): ReadonlyArray<string> => {
  const row = String(line.row ?? "")
  if ("unavailable" in line) return [row, line.what, "", "", "", "", "", `not available yet: ${line.unavailable}`]
  const { bar, median, min, typical, unit, what } = line
  const limit = bar === undefined ? "" : `<= ${amount(bar, unit)}`
  const share = bar === undefined ? "" : `${(median / bar).toFixed(2)}x`
  return [
    row,
    what,
    amount(median, unit),
    amount(min, unit),
    typical === undefined ? "" : amount(typical, unit),
    limit,
    share,
    verdictOf(line)
  ]
}

const verdictOf = ({ bar, median, min }: Figure): string => {
  if (bar === undefined) return ""
  if (median <= bar) return "within"
  return min <= bar ? "over (the fastest round is within)" : "over"
}

const amount = (value: number, unit: Unit): string => {
  const digits = unit === "x" ? 2 : value < 10 ? 1 : 0
  return `${value.toFixed(digits)}${unit === "x" ? "" : " "}${unit}`
}

const render = (rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = header.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const line = (row: ReadonlyArray<string>) =>
    row.map((text, column) =>
      leftAligned.has(header[column]!) ? text.padEnd(widths[column]!) : text.padStart(widths[column]!)
    ).join("  ").trimEnd()
  const [head, ...body] = rows
  return [line(head!), widths.map((width) => "-".repeat(width)).join("  "), ...body.map(line)].join("\n")
}
