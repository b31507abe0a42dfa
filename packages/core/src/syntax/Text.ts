/**
 * Lines and gaps of a source text, as the language sees them. Written as loops where a pattern could take exponential
 * time.
 */
const lineBreak = /\r\n?|[\n\u2028\u2029]/g

/** Offsets at which lines begin, each after its terminator; the first line begins at 0. */
export const lineStarts = (text: string): ReadonlyArray<number> => {
  const starts = [0]
  lineBreak.lastIndex = 0
  while (lineBreak.exec(text) !== null) starts.push(lineBreak.lastIndex)
  return starts
}

/** The first offset from `at` on that is neither white space nor in a comment. */
export const skipTrivia = (text: string, at: number): number => {
  let position = at
  while (position < text.length) {
    if (/\s/.test(text[position]!)) {
      position++
    } else if (text.startsWith("//", position)) {
      lineBreak.lastIndex = position
      position = lineBreak.exec(text) === null ? text.length : lineBreak.lastIndex
    } else if (text.startsWith("/*", position)) {
      const end = text.indexOf("*/", position + 2)
      if (end < 0) return position
      position = end + 2
    } else {
      break
    }
  }
  return position
}

/** Spaces for everything but line terminators. */
export const blank = (text: string): string => text.replace(/[^\n\r\u2028\u2029]/g, " ")

/** The line terminators of a text and nothing else. */
export const lineTerminators = (text: string): string => text.replace(/[^\n\r\u2028\u2029]/g, "")
