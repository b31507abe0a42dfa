/**
 * What to do about a syntax error, where the slip behind it is a known one.
 */
import { unclosedBracket } from "./Brackets.ts"

interface Slip {
  readonly code: string
  readonly offset: number
  readonly message: string
  /** The line of the error, and the text from the error to the end of the line. */
  readonly line: string
  readonly rest: string
}

const pythonLine =
  /^\s*(?:def \w+\(.*\)\s*(?:->.*)?:|class \w+(?:\(.*\))?:|(?:el)?if\b.*:\s*(?:#.*)?$|else\s*:\s*$|for \w[\w, ]* in .*:\s*$|while\b.*:\s*$|with\b.*:\s*$|try\s*:\s*$|except\b.*:\s*$|from [\w.]+ import\b|import \w+(?: as \w+)?\s*$|print ["'f(]|pass\s*$|raise \w|assert .*[^;]$|lambda\b)/
const pythonWord =
  /\b(?:None|elif|lambda \w|not in\b|is not\b|is None|and not)\b|\[[^\]]* for \w+ in |f"[^"]*\{|"""|^\s*#(?!!)/

const rules: ReadonlyArray<(slip: Slip) => string | undefined> = [
  ({ code }) =>
    /^[ \t]*(?:```|~~~)/m.test(code) ? "Leave the Markdown fence out: the cell is the code alone." : undefined,
  ({ rest }) => /^[\u2018\u2019\u201c\u201d\u00ab\u00bb]/.test(rest) ? "Use straight quotes: \" or '." : undefined,
  ({ line }) =>
    /^\s*(?:%{1,2}\w|![\w./])/.test(line)
      ? "Magics and shell commands are not available; call the bindings you have."
      : undefined,
  ({ line }) =>
    /&(?:lt|gt|amp|quot|#\d+);/.test(line)
      ? "The code is HTML-escaped: write <, >, & and quotes as they are."
      : undefined,
  ({ line, message }) =>
    /await/.test(message) ||
      /\bawait\b/.test(line) && /Unexpected token|reserved|keyword/.test(message) && /^await\b|\bawait\s/.test(line)
      ? "await needs an async function around it: mark the function async. At the top level it works as it is."
      : undefined,
  ({ rest }) =>
    rest.startsWith("@")
      ? "Decorators are not available: call the function on the class or method instead."
      : undefined,
  ({ code, offset }) =>
    isJsx(code, offset) ? "JSX is not available: build the text or the object directly." : undefined,
  ({ line }) =>
    /\bimport\s+[\w{]|=\s*require\b/.test(line) && /\brequire\b/.test(line)
      ? 'Write import name from "module" instead of require(…).'
      : undefined,
  ({ line }) => pythonLine.test(line) || pythonWord.test(line) ? "A cell is TypeScript, not Python." : undefined,
  ({ message }) =>
    /has already been declared/.test(message)
      ? "A name may be declared again in a later cell, but only once in one cell."
      : undefined,
  ({ message }) =>
    /Unterminated string/.test(message)
      ? "A string in quotes ends on its line: use `…` for several lines, or \\n."
      : undefined,
  ({ message }) =>
    /Unterminated template/.test(message)
      ? "A template literal is not closed: add the missing `, and write \\` for one inside it."
      : undefined,
  ({ code, message }) => /Unexpected end of the code/.test(message) ? unclosedBracket(code) : undefined,
  ({ message }) =>
    /^Unexpected token '[)\]}]'/.test(message)
      ? "Check the brackets before this place: one is missing or closed twice."
      : undefined
]

/** Whether an element begins here; `<T>(x) => x` is a generic function. */
export const isJsx = (code: string, offset: number): boolean =>
  /^<(?:>|[A-Za-z][\w.]*(?:\s[^>]*)?\/?>)(?!\s*\()/.test(code.slice(offset, offset + 200)) &&
  /(?:[=(,:?&|>]|\breturn)\s*$/.test(code.slice(Math.max(0, offset - 200), offset))

const longestLine = 500

export const hintFor = (code: string, offset: number, message: string): string | undefined => {
  const start = code.lastIndexOf("\n", offset - 1) + 1
  const newline = code.indexOf("\n", offset)
  const end = newline < 0 ? code.length : newline
  const slip: Slip = {
    code,
    offset,
    message,
    line: code.slice(start, Math.min(end, start + longestLine)),
    rest: code.slice(offset, Math.min(end, offset + longestLine))
  }
  for (const rule of rules) {
    const hint = rule(slip)
    if (hint !== undefined) return hint
  }
  return undefined
}
