/** `daylight run`: one prompt, one outcome, one exit code. */
import type { Outcome } from "@daylight/core"
import { type Conversation, exitCodeOf, openConversation, personPresent } from "./Conversation.ts"
import { jsonDisplay, terminalDisplay } from "./Display.ts"
import * as ExitCode from "./ExitCode.ts"
import { readPrompt } from "./Prompt.ts"

export interface RunInput {
  readonly file: string
  readonly prompt: string | undefined
  readonly json: boolean
  readonly verbose: boolean
}

/** Never rejects: what goes wrong is shown and told by the exit code. */
export const run = async ({ file, json, prompt, verbose }: RunInput): Promise<number> => {
  const display = json ? jsonDisplay() : terminalDisplay({ verbose, approvals: !personPresent() })
  let conversation: Conversation | undefined
  try {
    conversation = await openConversation(file, display)
    const outcome: Outcome<unknown> = await conversation.run(await readPrompt(prompt))
    return ExitCode.ofReason(outcome.reason)
  } catch (error) {
    display.fail(error)
    return exitCodeOf(error)
  } finally {
    await conversation?.close()
  }
}
