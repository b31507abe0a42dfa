/**
 * Colours by meaning. Views name what a text is (`"bad"`, `"keyword"`); only this module knows escape codes. All text
 * passes {@link safe} here, so no other escape code than these can reach the terminal.
 */
import { styleText } from "node:util"
import { safe } from "./Safe.ts"

const formats = {
  accent: ["cyan"],
  bad: ["red"],
  code: ["cyan"],
  comment: ["gray", "italic"],
  dim: ["dim"],
  emphasis: ["italic"],
  frame: ["gray"],
  good: ["green"],
  heading: ["bold", "cyan"],
  keyword: ["magenta"],
  literal: ["yellow"],
  property: ["blue"],
  prompt: ["bold"],
  quote: ["italic", "dim"],
  string: ["green"],
  struck: ["strikethrough"],
  strong: ["bold"],
  warn: ["yellow"]
} as const satisfies Record<string, Parameters<typeof styleText>[0]>

/** What a piece of text is. */
export type Role = keyof typeof formats

/** Text with its meaning; several roles add up. */
export interface Span {
  readonly text: string
  readonly roles: ReadonlyArray<Role>
}

export const span = (text: string, ...roles: ReadonlyArray<Role>): Span => ({ text, roles })

/** Paints one piece of text, without line breaks. */
export type Paint = (text: string, roles: ReadonlyArray<Role>) => string

export const makePaint = (color: boolean): Paint =>
  color
    ? (text, roles) =>
      roles.length === 0 || text === ""
        ? safe(text)
        : styleText(roles.flatMap((role) => formats[role]), safe(text), { validateStream: false })
    : safe

/**
 * Whether to use colours: `FORCE_COLOR` (not `0` or `false`) wins over `NO_COLOR`, which wins over what the stream is.
 * A terminal that calls itself `dumb` gets none.
 */
export const wantsColor = (isTTY: boolean, env: Readonly<Record<string, string | undefined>>): boolean => {
  const forced = env["FORCE_COLOR"]
  if (forced !== undefined) return forced !== "0" && forced !== "false"
  if (env["NO_COLOR"]) return false
  return isTTY && env["TERM"] !== "dumb"
}
