/** `daylight record`: a run as of `daylight run`, or a session that lies in a store, and its recording in two files. */
import { Recorder, RecordingError, type SavedRecording, saveRecording } from "@daylight/evals"
import { access, constants, mkdir, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { exitCodeOf } from "./Complaint.ts"
import { openConversation, personPresent } from "./Conversation.ts"
import { type Display, jsonDisplay, terminalDisplay } from "./Display.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"
import { readPrompt } from "./Prompt.ts"
import { chosenSession } from "./sessions/SessionChoice.ts"
import { withStore } from "./StoreAccess.ts"

export interface RecordInput {
  readonly file: string | undefined
  readonly prompt: string | undefined
  readonly model: string | undefined
  readonly baseUrl: string | undefined
  readonly store: string | undefined
  /** A session that lies in a store, instead of a run. */
  readonly session: string | undefined
  /** Where the files go, without their endings. */
  readonly out: string
  /** Also the results of host calls, for sealed replays. */
  readonly calls: boolean
  readonly json: boolean
}

/** Never rejects: what goes wrong is shown and told by the exit code. */
export const record = async (input: RecordInput): Promise<number> => {
  const display = input.json ? jsonDisplay() : terminalDisplay({ approvals: !personPresent() })
  try {
    return input.session === undefined
      ? await recordRun(input, display)
      : await recordStored(input.session, input, display)
  } catch (error) {
    display.fail(error)
    return error instanceof RecordingError ? ExitCode.failure : exitCodeOf(error)
  }
}

const recordRun = async (
  { calls, file, json: _, out, prompt, session: __, ...choice }: RecordInput,
  display: Display
): Promise<number> => {
  if (file === undefined) {
    throw new Problem(
      "record",
      "there is no agent",
      "Give an agent's FILE, or a session with --session ID.",
      ExitCode.usage
    )
  }
  const base = await placeFor(out)
  const recorder = Recorder.make({ calls })
  const conversation = await openConversation(file, choice, display, { services: recorder.services })
  try {
    const outcome = await conversation.run(await readPrompt(prompt))
    tell(display, await recorder.save(base))
    return ExitCode.ofReason(outcome.reason)
  } finally {
    await conversation.close()
  }
}

const recordStored = (name: string, { calls, file, out, store }: RecordInput, display: Display): Promise<number> =>
  withStore({ store, agent: file }, async (opened) => {
    const { Effect, core } = opened
    const recording = Effect.provideService(
      Recorder.fromStore(await chosenSession(opened, name), { calls }),
      core.SessionStore,
      opened.store
    )
    tell(display, await saveRecording(await placeFor(out), await Effect.runPromise(recording)))
    return 0
  })

/**
 * Where the files go: looked at before anything runs, so that no run is lost. A folder gets a name of its own in it.
 */
const placeFor = async (out: string): Promise<string> => {
  const isFolder = /[\\/]$/.test(out) || await stat(out).then((found) => found.isDirectory(), () => false) // not there
  const base = isFolder ? join(out, "recording") : out
  try {
    await mkdir(dirname(base), { recursive: true })
    await access(dirname(base), constants.W_OK)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Problem(
      `--out ${out}`,
      `cannot be written (${code ?? message})`,
      "Name a place that you may write to.",
      ExitCode.usage
    )
  }
  return base
}

const tell = (display: Display, { cassette, trajectory }: SavedRecording): void =>
  display.note(`Recorded: ${trajectory}\n          ${cassette}`)
