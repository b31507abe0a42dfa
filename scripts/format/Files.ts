/** The files whose layout is looked after, and what their layout should be. */
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { root, within } from "../setup/Repository.mjs"
import { formatCode, lineWidth } from "./Code.ts"
import { wrapComments } from "./Comments.ts"

/** Few layouts need more than two rounds to settle; one that never does is left as it is then. */
const rounds = 5

/** Code laid out and comments wrapped, until once more gives the same. */
export const formatText = (file: string, text: string): string => {
  let current = text
  for (let round = 0; round < rounds; round++) {
    const next = wrapComments(file, formatCode(file, current), lineWidth)
    if (next === current) break
    current = next
  }
  return current
}

/** Whether a file is, or was, laid out in another way; `write` changes it. */
export const format = (file: string, { write }: { readonly write: boolean }): boolean => {
  const text = readFileSync(within(file), "utf8")
  const formatted = formatText(file, text)
  if (formatted === text) return false
  if (write) writeFileSync(within(file), formatted)
  return true
}

export const formattedFiles = (): ReadonlyArray<string> =>
  globSync("{*,{apps,bench,packages,scripts}/**/*}.{ts,tsx,mjs}", {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**", "**/out/**", "**/fixtures/**"]
  }).toSorted()
