/** Wraps comments that are too wide. Paragraphs that fit are left as they were written. */
import { parseSync } from "vite"

/** The text with every comment that stands on lines of its own within `width`. Throws if the text does not parse. */
export const wrapComments = (file: string, text: string, width: number): string => {
  const { comments, errors } = parseSync(file, text)
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`)
  return comments.toReversed().reduce((current, { end, start, type, value }) => {
    const lineStart = current.lastIndexOf("\n", start) + 1
    const indent = current.slice(lineStart, start)
    const standsAlone = indent.trim() === "" && /^ *(\n|$)/.test(current.slice(end))
    if (!standsAlone || (type === "Block" && !value.startsWith("*"))) return current
    const lines = current.slice(lineStart, end).split("\n")
    if (lines.every((line) => line.length <= width)) return current
    const wrapped = type === "Line" ? fill(value.trim(), `${indent}// `, "", width) : wrapBlock(lines, indent, width)
    return current.slice(0, lineStart) + wrapped.join("\n") + current.slice(end)
  }, text)
}

/** The lines of a documentation comment, from its opening to its closing. */
const wrapBlock = (lines: ReadonlyArray<string>, indent: string, width: number): ReadonlyArray<string> => {
  const prefix = `${indent} * `
  const contents = lines.map(contentOf)
  const inner = contents.slice(contents[0] === "" ? 1 : 0, contents.at(-1) === "" ? -1 : undefined)
  const body = paragraphs(inner).flatMap(({ lines: paragraph, verbatim }) => {
    const asWritten = paragraph.map((content) => `${prefix}${content}`.trimEnd())
    if (verbatim || asWritten.every((line) => line.length <= width)) return asWritten
    const hanging = " ".repeat(itemMark(paragraph[0] ?? "").length)
    return fill(paragraph.map((content) => content.trim()).join(" "), prefix, hanging, width)
  })
  return [`${indent}/**`, ...body, `${indent} */`]
}

/** What a line of a comment says, without the signs that make it a comment. */
const contentOf = (line: string) => line.replace(/^\s*(\/\*\*|\*(?!\/)) ?/, "").replace(/\s*\*\/$/, "").trimEnd()

/** Lines that are filled together. */
interface Paragraph {
  readonly lines: Array<string>
  /** Code, tables and empty lines stay as they are. */
  readonly verbatim: boolean
}

const paragraphs = (contents: ReadonlyArray<string>): ReadonlyArray<Paragraph> => {
  const found: Array<Paragraph> = []
  let inCode = false
  for (const content of contents) {
    const fence = /^\s*```/.test(content)
    const verbatim = inCode || fence || /^(\s{4,}|\s*\||$)/.test(content)
    const last = found.at(-1)
    if (last === undefined || verbatim || last.verbatim || itemMark(content) !== "") {
      found.push({ lines: [content], verbatim })
    } else last.lines.push(content)
    if (fence) inCode = !inCode
  }
  return found
}

/** What begins an item of a list or a tag: `- `, `1. `, `@param `. */
const itemMark = (content: string) => /^\s*(?:[-*] |\d+\. |@\w+ )/.exec(content)?.[0] ?? ""

/** Fills lines with words; lines after the first are moved in by `hanging`. */
const fill = (text: string, prefix: string, hanging: string, width: number): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = prefix
  for (const word of text.split(" ")) {
    const empty = line === prefix || line === prefix + hanging
    if (!empty && line.length + 1 + word.length > width) {
      lines.push(line)
      line = prefix + hanging + word
    } else {
      line += empty ? word : ` ${word}`
    }
  }
  return [...lines, line]
}
