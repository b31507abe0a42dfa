/** The code fences of a Markdown text, with their place in it. */

export interface Fence {
  readonly file: string
  /** Of the first line of code. */
  readonly line: number
  /** `ts no-run` of "```ts no-run". */
  readonly info: string
  readonly code: string
}

interface Opening {
  readonly marks: string
  readonly info: string
  readonly line: number
  readonly indent: number
}

/** The fences of a text, outermost only, in order. Throws if one is never closed. */
export const fencesOf = (file: string, markdown: string): ReadonlyArray<Fence> => {
  const lines = markdown.split("\n")
  const fences: Array<Fence> = []
  let open: Opening | undefined
  for (const [index, line] of lines.entries()) {
    const [, indent = "", marks = "", info = ""] = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (marks === "") continue
    if (open === undefined) {
      open = { marks, info: info.trim(), line: index + 2, indent: indent.length }
      continue
    }
    const closes = marks.startsWith(open.marks) && info.trim() === ""
    if (!closes) continue
    const code = lines.slice(open.line - 1, index).map((text) => text.slice(open?.indent)).join("\n")
    fences.push({ file, line: open.line, info: open.info, code })
    open = undefined
  }
  if (open !== undefined) throw new Error(`${file}:${open.line - 1}: this code fence is never closed`)
  return fences
}
