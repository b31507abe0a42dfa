/** `daylight record`: a run as of `daylight run`, and its recording in two files. */
import { Recorder, RecordingError } from "@daylight/evals"
import { exitCodeOf } from "./Complaint.ts"
import { openConversation, personPresent } from "./Conversation.ts"
import { jsonDisplay, terminalDisplay } from "./Display.ts"
import * as ExitCode from "./ExitCode.ts"
import { readPrompt } from "./Prompt.ts"

export interface RecordInput {
  readonly file: string
  readonly prompt: string | undefined
  readonly model: string | undefined
  readonly baseUrl: string | undefined
  readonly store: string | undefined
  /** Where the files go, without their endings. */
  readonly out: string
  /** Also the results of host calls, for sealed replays. */
  readonly calls: boolean
  readonly json: boolean
}

/** Never rejects: what goes wrong is shown and told by the exit code. */
export const record = async ({ calls, file, json, out, prompt, ...choice }: RecordInput): Promise<number> => {
  const display = json ? jsonDisplay() : terminalDisplay({ approvals: !personPresent() })
  const recorder = Recorder.make({ calls })
  try {
    const conversation = await openConversation(file, choice, display, { services: recorder.services })
    try {
      const outcome = await conversation.run(await readPrompt(prompt))
      const files = await recorder.save(out)
      display.note(`Recorded: ${files.trajectory}\n          ${files.cassette}`)
      return ExitCode.ofReason(outcome.reason)
    } finally {
      await conversation.close()
    }
  } catch (error) {
    display.fail(error)
    return error instanceof RecordingError ? ExitCode.failure : exitCodeOf(error)
  }
}
