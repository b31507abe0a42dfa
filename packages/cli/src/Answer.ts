/** A command that only tells something: rows for people or JSON lines for programs, and what is wrong by its code. */
import { complain, exitCodeOf } from "./Complaint.ts"
import { makePaint, type Span, wantsColor } from "./renderer/Paint.ts"

export interface Print {
  readonly row: (spans: ReadonlyArray<Span>) => void
  readonly json: (value: object) => void
}

/** Never rejects: what is wrong is told on standard error. */
export const answer = async (tell: (print: Print) => void | Promise<void>): Promise<number> => {
  const paint = makePaint(wantsColor(process.stdout.isTTY === true, process.env))
  const write = (line: string) => void process.stdout.write(`${line}\n`)
  try {
    await tell({
      row: (spans) => write(spans.map(({ roles, text }) => paint(text, roles)).join("").trimEnd()),
      json: (value) => write(JSON.stringify(value))
    })
    return 0
  } catch (error) {
    complain(error)
    return exitCodeOf(error)
  }
}
