/** `daylight run`: one prompt, one outcome, one exit code. */
import type { Outcome } from "@daylight/core"
import { exitCodeOf } from "./Complaint.ts"
import { type Conversation, type ConversationChoice, openConversation, personPresent } from "./Conversation.ts"
import { jsonDisplay, terminalDisplay } from "./Display.ts"
import * as ExitCode from "./ExitCode.ts"
import { readPrompt } from "./Prompt.ts"

export interface RunInput extends ConversationChoice {
  readonly file: string
  readonly prompt: string | undefined
  readonly json: boolean
  readonly verbose: boolean
}

/** Never rejects: what goes wrong is shown and told by the exit code. */
export const run = async ({ file, json, prompt, verbose, ...choice }: RunInput): Promise<number> => {
  const display = json ? jsonDisplay() : terminalDisplay({ verbose, approvals: !personPresent() })
  let conversation: Conversation | undefined
  try {
    conversation = await openConversation(file, choice, display)
    const outcome: Outcome<unknown> = await conversation.run(await readPrompt(prompt))
    return ExitCode.ofReason(outcome.reason)
  } catch (error) {
    display.fail(error)
    return exitCodeOf(error)
  } finally {
    await conversation?.close()
  }
}
