/**
 * Lines that a person types or a pipe brings. The terminal is only in editing mode while a line is asked for, so that
 * Ctrl-C reaches the program as a signal at all other times. What was pasted beyond one line is kept for the next.
 */
import { createInterface } from "node:readline"

export interface LineReader {
  /** The next line; `undefined` when there is no more, or the person left. */
  readonly next: () => Promise<string | undefined>
  readonly close: () => void
}

export interface TerminalReaderOptions {
  readonly input: NodeJS.ReadStream
  readonly output: NodeJS.WriteStream
  readonly prompt: string
  readonly completions: ReadonlyArray<string>
}

const historySize = 500

export const terminalReader = ({ completions, input, output, prompt }: TerminalReaderOptions): LineReader => {
  let history: Array<string> = []
  const pasted: Array<string> = []
  let begun = ""

  const ask = (): Promise<string | undefined> =>
    new Promise((resolve) => {
      let wantsToQuit = false
      let line: string | undefined
      const editor = createInterface({
        input,
        output,
        prompt,
        history,
        historySize,
        removeHistoryDuplicates: true,
        completer: (typed: string) => [completions.filter((word) => typed !== "" && word.startsWith(typed)), typed]
      })
      editor.on("history", (lines) => history = lines)
      editor.on("line", (typed) => {
        wantsToQuit = false
        if (line !== undefined) return void pasted.push(typed)
        line = typed
        // The rest of what was pasted with it comes before this.
        setImmediate(() => editor.close())
      })
      editor.on("SIGINT", () => {
        if (wantsToQuit) return editor.close()
        wantsToQuit = editor.line === ""
        output.write(wantsToQuit ? "\n(Ctrl-C again to quit)\n" : "\n")
        editor.write(null, { ctrl: true, name: "u" })
        editor.prompt()
      })
      editor.on("close", () => {
        begun = line === undefined ? "" : editor.line
        if (line === undefined) output.write("\n")
        resolve(line)
      })
      output.write("\n")
      editor.prompt()
      if (begun !== "") editor.write(begun)
    })

  return {
    next: async () => pasted.shift() ?? await ask(),
    close: () => input.pause()
  }
}

/** Lines of a pipe or file, one at a time. */
export const pipeReader = (input: NodeJS.ReadableStream): LineReader => {
  const reader = createInterface({ input, crlfDelay: Infinity })
  const lines = reader[Symbol.asyncIterator]()
  return {
    next: async () => {
      const { done, value } = await lines.next()
      return done ? undefined : value
    },
    close: () => reader.close()
  }
}
