/**
 * Estimates tokens where no provider has counted them: before a call, and after a stream that was closed early.
 */
import * as Context from "effect/Context"

export interface Tokenizer {
  readonly count: (text: string) => number
}

/**
 * Tokens per character of widespread tokenizers (o200k, cl100k), by kind of text. Code and JSON come to about 0.4 in
 * both; counting prose the same over-estimates it, which is the safe side for a budget.
 */
const perCharacter = (code: number): number => {
  if (code < 0x250) return 0.4
  if (code < 0x1100) return 1.25
  if (code >= 0xd800 && code < 0xe000) return 1.8
  return 1.25
}

const estimate = (text: string): number => {
  let tokens = 0
  for (let i = 0; i < text.length; i++) tokens += perCharacter(text.charCodeAt(i))
  return Math.ceil(tokens)
}

/** Default: an estimate by script of the characters. Provide another for exact counts. */
export const Tokenizer: Context.Reference<Tokenizer> = Context.Reference<Tokenizer>("@daylight/core/Tokenizer", {
  defaultValue: () => ({ count: estimate })
})
