/**
 * Columns that text takes on a terminal: two for wide East Asian characters and emoji, none for combining marks.
 * Ambiguous characters count as one, as in most terminals.
 */
const graphemes = new Intl.Segmenter()
/** Text in which each character is a column: Latin, punctuation, arrows, mathematics, lines and blocks. */
const plain = /^[\x20-\x7e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u22ff\u2500-\u25fc\u2713\u2717]*$/
const invisible = /^[\p{Mn}\p{Me}\p{Cf}\p{Default_Ignorable_Code_Point}]+$/u
const emoji = /^(?:\p{RGI_Emoji}|\p{Emoji_Presentation}|.\ufe0f|[\d#*]\ufe0f?\u20e3|[\u{1f1e6}-\u{1f1ff}]{2})/v

// Ranges of East Asian Width W and F, coarse where a block has only unassigned gaps.
const wideRanges: ReadonlyArray<readonly [number, number]> = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18cff],
  [0x1aff0, 0x1b2ff],
  [0x1f200, 0x1f265],
  [0x20000, 0x3fffd]
]

const isWide = (code: number): boolean => code >= 0x1100 && wideRanges.some(([from, to]) => code >= from && code <= to)

const graphemeWidth = (grapheme: string): number => {
  if (invisible.test(grapheme)) return 0
  return emoji.test(grapheme) || isWide(grapheme.codePointAt(0) ?? 0) ? 2 : 1
}

/** Columns of one row of safe text. */
export const widthOf = (text: string): number => {
  if (plain.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment)
  return width
}

/** A row may be broken before this character although no space is there, as in Chinese and Japanese. */
export const breaksBefore = (character: string): boolean => isWide(character.codePointAt(0) ?? 0)

/** The longest beginning of `text` that takes at most `columns`, never less than one character, and the rest. */
export const splitAt = (text: string, columns: number): readonly [string, string] => {
  if (plain.test(text)) {
    const end = Math.max(1, columns)
    return [text.slice(0, end), text.slice(end)]
  }
  let width = 0
  let end = 0
  for (const { index, segment } of graphemes.segment(text)) {
    width += graphemeWidth(segment)
    if (width > columns && index > 0) break
    end = index + segment.length
  }
  return [text.slice(0, end), text.slice(end)]
}

/** `text` in at most `columns`, with an ellipsis where it was cut. */
export const fit = (text: string, columns: number): string =>
  text.length <= columns && plain.test(text) || widthOf(text) <= columns
    ? text
    : `${splitAt(text, Math.max(1, columns - 1))[0]}…`
