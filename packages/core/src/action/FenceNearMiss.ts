/**
 * What looks like a cell that missed the format. It is told once, so it must not fire on an answer that shows code:
 *
 * - `wrong-tag`: the last thing in the answer is a block whose info string is `run` with nothing but a language,
 *   wrongly put: `run`, `tsrun`, `ts-run`, `ts:run`, `run ts`, `python run`. In tag format also `ts run`.
 * - `tag`: in tag format, the last thing is enclosed in tags whose name is the right one in other letters, a part of
 *   it, or with something added: `<Execute>`, `<exec>`, `<execute lang="ts">`.
 * - `no-run`: the whole answer is one block of TypeScript, JavaScript or Python. With a single word of prose around it,
 *   it is an answer.
 */
import type { FenceFormat, FenceResult } from "./FenceParser.ts"
import type { QuotedBlock } from "./FenceQuotes.ts"

type NearMiss = Omit<Extract<FenceResult, { _tag: "NearMiss" }>, "_tag" | "text">

const languages = new Set([
  "ts",
  "js",
  "typescript",
  "javascript",
  "tsx",
  "jsx",
  "mts",
  "mjs",
  "py",
  "python",
  "python3"
])
const gluedRun = /^(?:run)?(ts|js|typescript|javascript|tsx|jsx|mts|mjs|py|python)(?:run)?$/

export const nearMissOf = (
  text: string,
  block: QuotedBlock | undefined,
  format: FenceFormat
): NearMiss | undefined => {
  const tagged = format === "fence" ? undefined : wrongTags(text, block, format.open)
  if (tagged !== undefined) return tagged
  if (block === undefined || !isBlank(text.slice(block.end))) return undefined
  const code = text.slice(block.contentStart, block.contentEnd).replace(/\r?\n$/, "")
  if (isBlank(code)) return undefined
  const words = block.info.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== "")
  const language = runLanguage(words)
  if (language !== undefined) return { kind: "wrong-tag", language, code }
  const isAlone = isBlank(text.slice(0, block.start)) && languages.has(words[0] ?? "")
  return isAlone ? { kind: "no-run", language: words[0]!, code } : undefined
}

const isBlank = (text: string): boolean => text.trim() === ""

/** The language beside `run`, `""` if there is none; `undefined` if the words say anything else. */
const runLanguage = (words: ReadonlyArray<string>): string | undefined => {
  const others = words.filter((word) => word !== "run")
  const glued = gluedRun.exec(words[0] ?? "")
  if (words.length === 1 && others.length === 1) return others[0]!.includes("run") ? glued?.[1] : undefined
  if (others.length > 1 || others.length === words.length) return undefined
  return others.length === 0 ? "" : languages.has(others[0]!) ? others[0] : undefined
}

const element = /^<([A-Za-z][\w-]*)(?:\s[^<>]*)?>([^]*)<\/([A-Za-z][\w-]*)\s*>\s*$/

const wrongTags = (text: string, block: QuotedBlock | undefined, open: string): NearMiss | undefined => {
  const name = /^<([A-Za-z][\w-]*)>$/.exec(open)?.[1]?.toLowerCase()
  if (name === undefined) return undefined
  // From the last opening tag that resembles the right one; a quoted one is no miss.
  const from = lastResembling(text, name)
  const found = from === undefined ? null : element.exec(text.slice(from))
  if (from === undefined || found === null || isBlank(found[2]!)) return undefined
  const isQuoted = block !== undefined && block.start <= from && from < block.end
  if (isQuoted || !resembles(found[3]!, name)) return undefined
  return { kind: "tag", language: "", code: found[2]!.replace(/^[^\S\n]*\n|\s+$/g, "") }
}

const lastResembling = (text: string, name: string): number | undefined => {
  let found: number | undefined
  for (const match of text.matchAll(/<([A-Za-z][\w-]*)(?:\s[^<>]*)?>/g)) {
    if (resembles(match[1]!, name)) found = match.index
  }
  return found
}

const resembles = (written: string, name: string): boolean => {
  const lower = written.toLowerCase()
  return lower.length >= 3 && (name.startsWith(lower) || lower.startsWith(name))
}
