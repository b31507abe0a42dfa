/**
 * `console.table`, without running getters of the rows.
 */
import { sampleOf } from "./Inspect.ts"

const maxRows = 100
const valueColumn = "Values"

/** The table as text, or nothing where `rows` is no table. */
export const tableText = (rows: unknown, columns?: unknown): string | undefined => {
  const entries = entriesOf(rows)
  if (entries === undefined) return undefined
  const wanted = Array.isArray(columns) ? columns.map(String) : undefined
  const names = new Set<string>(wanted)
  const lines = entries.slice(0, maxRows).map(([index, row]) => {
    const cells = cellsOf(row, wanted)
    if (wanted === undefined) { for (const name of cells.keys()) if (name !== valueColumn) names.add(name) }
    return { index, cells }
  })
  const header = ["(index)", ...names, ...(lines.some(({ cells }) => cells.has(valueColumn)) ? [valueColumn] : [])]
  const body = lines.map(({ index, cells }) => [index, ...header.slice(1).map((name) => cells.get(name) ?? "")])
  const text = draw(header, body)
  return entries.length > maxRows ? `${text}\n... ${entries.length - maxRows} more rows` : text
}

const entriesOf = (rows: unknown): Array<[string, unknown]> | undefined => {
  if (typeof rows !== "object" || rows === null) return undefined
  if (rows instanceof Map) {
    return [...Map.prototype.entries.call(rows)].map(([key, value]) => [sampleOf(key, 40), value])
  }
  if (rows instanceof Set) return [...Set.prototype.values.call(rows)].map((value, index) => [String(index), value])
  return dataOf(rows)
}

const cellsOf = (row: unknown, wanted: ReadonlyArray<string> | undefined): Map<string, string> => {
  if (typeof row !== "object" || row === null) return new Map([[valueColumn, sampleOf(row, 60)]])
  const cells = dataOf(row).filter(([key]) => wanted === undefined || wanted.includes(key))
  return new Map(cells.map(([key, value]) => [key, sampleOf(value, 60)]))
}

const dataOf = (value: object): Array<[string, unknown]> =>
  Object.keys(value).slice(0, 10 * maxRows).map((key) => {
    const own = Object.getOwnPropertyDescriptor(value, key)
    return [key, own?.get === undefined ? own?.value as unknown : "[Getter]"]
  })

const draw = (header: ReadonlyArray<string>, body: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = header.map((name, i) => Math.max(name.length, ...body.map((line) => line[i]!.length)) + 2)
  const rule = (left: string, middle: string, right: string): string =>
    left + widths.map((width) => "─".repeat(width)).join(middle) + right
  const line = (cells: ReadonlyArray<string>): string =>
    `│${cells.map((cell, i) => ` ${cell.padEnd(widths[i]! - 1)}`).join("│")}│`
  return [rule("┌", "┬", "┐"), line(header), rule("├", "┼", "┤"), ...body.map(line), rule("└", "┴", "┘")].join("\n")
}
