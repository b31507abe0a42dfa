/** `daylight chat`: many prompts on one session, with commands about it. */
import { exitCodeOf } from "./Complaint.ts"
import { type Conversation, type ConversationChoice, openConversation, personPresent } from "./Conversation.ts"
import { type Display, jsonDisplay, terminalDisplay } from "./Display.ts"
import { type LineReader, pipeReader, terminalReader } from "./LineReader.ts"
import { Rows } from "./renderer/Rows.ts"
import { Lane, Screen } from "./renderer/Screen.ts"
import { makePaint, span, wantsColor } from "./renderer/Paint.ts"
import { variableSpans } from "./renderer/ReportRows.ts"

export interface ChatInput extends ConversationChoice {
  readonly file: string
  readonly json: boolean
  readonly verbose: boolean
}

interface Chat {
  readonly conversation: Conversation
  readonly rows: Rows
  readonly flush: () => void
}

const commands: Readonly<Record<string, string>> = {
  "/help": "this list",
  "/vars": "the variables of the session: name, type, shape, sample",
  "/reset": "empty the namespace; the conversation goes on",
  "/quit": "leave (also Ctrl-D, or Ctrl-C twice)"
}

/** Gives 0 when it was left, whatever the answers; what keeps it from starting is shown and told by the exit code. */
export const chat = async ({ file, json, verbose, ...choice }: ChatInput): Promise<number> => {
  const interactive = personPresent() && !json
  const display = json ? jsonDisplay() : terminalDisplay({ verbose, prompts: !interactive, approvals: !interactive })
  let conversation: Conversation | undefined
  try {
    conversation = await openConversation(file, choice, display)
    const reader = interactive ? editor() : pipeReader(process.stdin)
    const screen = new Screen({
      stream: json ? process.stderr : process.stdout,
      paint: makePaint(!json && wantsColor(process.stdout.isTTY === true, process.env)),
      width: undefined,
      spinner: false
    })
    const rows = new Rows(new Lane(screen, conversation.handle.name, 0))
    const state = { conversation, rows, flush: () => screen.flush() }
    if (interactive) greet(state)
    await talk(state, reader, display)
    reader.close()
    return 0
  } catch (error) {
    display.fail(error)
    return exitCodeOf(error)
  } finally {
    await conversation?.close()
  }
}

const editor = (): LineReader =>
  terminalReader({ input: process.stdin, output: process.stdout, prompt: "› ", completions: Object.keys(commands) })

const greet = ({ conversation, flush, rows }: Chat): void => {
  rows.row([span(conversation.handle.name, "accent"), span("  /help for commands, Ctrl-D to leave", "dim")])
  flush()
}

const talk = async (state: Chat, reader: LineReader, display: Display): Promise<void> => {
  for (;;) {
    const line = (await reader.next())?.trim()
    if (line === undefined || line === "/quit") return
    if (line === "") continue
    try {
      if (line.startsWith("/")) await command(state, line)
      else await state.conversation.run(line)
    } catch (error) {
      display.fail(error) // one bad turn does not end the conversation
    }
  }
}

const command = async ({ conversation, flush, rows }: Chat, line: string): Promise<void> => {
  switch (line.split(/\s/)[0]) {
    case "/help":
      for (const [name, what] of Object.entries(commands)) rows.row([span(name.padEnd(8), "accent"), span(what)])
      break
    case "/vars": {
      const all = await conversation.handle.variables()
      if (all.length === 0) rows.row([span("no variables yet", "dim")])
      for (const variable of all) rows.row(variableSpans(variable, rows.columns), 2)
      break
    }
    case "/reset":
      await conversation.handle.reset()
      rows.row([span("only what was bound is left", "dim")])
      break
    default:
      rows.row([span(`there is no command ${line.split(/\s/)[0]}: /help lists them`, "warn")])
  }
  flush()
}
