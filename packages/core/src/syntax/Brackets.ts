/**
 * Where a bracket was opened that is never closed, by the tokens of a text that does not parse.
 */
import { getLineInfo, tokenizer } from "acorn"

const closers: { readonly [opener: string]: string } = { "(": ")", "[": "]", "{": "}", "${": "}" }

export const unclosedBracket = (code: string): string | undefined => {
  const open: Array<{ readonly label: string; readonly start: number }> = []
  try {
    for (const { start, type } of tokenizer(code, { ecmaVersion: "latest", sourceType: "module" })) {
      if (type.label in closers) open.push({ label: type.label, start })
      else if (open.length > 0 && type.label === closers[open.at(-1)!.label]) open.pop()
    }
  } catch {
    // What has been read so far still tells.
  }
  const last = open.at(-1)
  if (last === undefined) return undefined
  const { column, line } = getLineInfo(code, last.start)
  return `The '${last.label}' opened on line ${line}, column ${column + 1} is not closed: add '${closers[last.label]}'.`
}
