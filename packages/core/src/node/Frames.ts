/**
 * Places in cells, read off a stack. Frames of the host are left out: they mean nothing to the model, and differ from
 * machine to machine.
 */

/**
 * A place in a cell, 1-based. The line is that of the model's own text, the column that of the rewritten one: see
 * `originalColumn`.
 */
export interface Frame {
  readonly cell: number
  readonly line: number
  readonly column: number
  readonly name: string | undefined
}

/** The name under which a cell is compiled. */
export const fileOf = (cell: number): string => `cell-${cell}.ts`

const frame = /^\s+at (?:async )?(?:(.+?) \()?cell-(\d+)\.ts:(\d+):(\d+)\)?$/gm

/** Innermost first. */
export const parseFrames = (stack: string): ReadonlyArray<Frame> =>
  Array.from(stack.matchAll(frame), ([, name, cell, line, column]) => ({
    cell: Number(cell),
    line: Number(line),
    column: Number(column),
    name: name === undefined || name.includes("<anonymous>") ? undefined : name.replace(/^Object\./, "")
  })).filter((frame, i, all) => !isWrapper(frame, all[i - 1]))

/** The call of the function that a rewritten cell is: `})()` on a line of its own, below what it calls. */
const isWrapper = ({ cell, column, line, name }: Frame, inner: Frame | undefined): boolean =>
  name === undefined && column === 3 && inner !== undefined && inner.cell === cell && inner.line < line

/** As text: `total (cell-3.ts:2)`. Columns are those of the rewritten text, so they are not shown. */
export const showFrame = ({ name, cell, line }: Frame): string => {
  const place = `${fileOf(cell)}:${line}`
  return name === undefined ? place : `${name} (${place})`
}

export const framesOf = (stack: string): ReadonlyArray<string> => parseFrames(stack).slice(0, 8).map(showFrame)
