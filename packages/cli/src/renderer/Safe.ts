/**
 * Makes text of models and programs harmless on a terminal. Control characters could move the cursor, recolour the
 * screen, set the clipboard or hide what was printed; bidirectional overrides could show code in another order than it
 * runs. Each of them is replaced by a visible sign, so nothing is lost and nothing acts.
 */
import { stripVTControlCharacters } from "node:util"

// C0, DEL, C1, line separators, directional marks, overrides and isolates, byte order mark
const unsafe = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g
const unsafeOnce = new RegExp(unsafe.source)

const visible = (character: string): string => {
  const code = character.charCodeAt(0)
  if (character === "\t") return "  "
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  if (code === 0x7f) return "\u2421"
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`
}

/** One row of text without anything a terminal would obey. Tabs become two spaces, a line break becomes a sign. */
export const safe = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return unsafeOnce.test(whole) ? whole.replace(unsafe, visible) : whole
}

/** Lines of program output. Colours that the program asked for are dropped; everything else unsafe is made visible. */
export const safeLines = (text: string): ReadonlyArray<string> =>
  text.replaceAll("\r\n", "\n").split("\n").map((line) => safe(stripVTControlCharacters(line)))

/**
 * Streamed text in whole characters: a surrogate pair or a `\r\n` that was cut in two between deltas comes out as one.
 * Line breaks stay, for the reader to act on; the rest is left to {@link safe}.
 */
export class WholeCharacters {
  #held = ""

  push(text: string): string {
    const joined = this.#held + text
    const last = joined.charCodeAt(joined.length - 1)
    const incomplete = last === 0x0d || (last >= 0xd800 && last <= 0xdbff)
    this.#held = incomplete ? joined.slice(-1) : ""
    return (incomplete ? joined.slice(0, -1) : joined).replaceAll("\r\n", "\n")
  }

  /** What was held back, when no more text comes. */
  end(): string {
    const rest = this.#held
    this.#held = ""
    return rest
  }
}
