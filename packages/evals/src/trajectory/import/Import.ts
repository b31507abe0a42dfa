/**
 * Reads trajectories of other tools. Which format a text is in is found out, or said; what the format holds and a
 * trajectory has no place for is named, never dropped in silence.
 */
import { oneLine } from "../../cassette/CassetteText.ts"
import { RecordingError } from "../../RecordingError.ts"
import type { Trajectory } from "../Trajectory.ts"
import { parseTrajectory } from "../TrajectoryFile.ts"
import { validateTrajectory } from "../Validate.ts"
import { fromAiSdk, isAiSdk } from "./AiSdk.ts"
import { fromAnthropic, isAnthropic } from "./Anthropic.ts"
import { fromCodeAct, fromMintText, isCodeAct, isMintText } from "./CodeAct.ts"
import type { Draft, Raw } from "./Draft.ts"
import { aboutInspectSample, fromInspectSample, isInspect, isInspectSample } from "./Inspect.ts"
import { fromOpenAiChat, isOpenAiChat } from "./OpenAiChat.ts"
import { fromOpenAiResponses, isOpenAiResponses } from "./OpenAiResponses.ts"
import { fromOpenHands, isOpenHands } from "./OpenHands.ts"
import { aboutSweAgent, fromSweAgent, isSweAgent } from "./SweAgent.ts"
import { aboutTauBench, fromTauBench, isTauBench } from "./TauBench.ts"
import { unzip } from "./Unzip.ts"

export interface Imported {
  readonly trajectory: Trajectory
  /** As in `openai-chat`. */
  readonly format: string
  /** What the file held and the trajectory does not. */
  readonly lost: ReadonlyArray<string>
}

interface Format {
  readonly is: (json: Raw) => boolean
  readonly read: (json: Raw) => ReadonlyArray<Trajectory>
}

const one = (
  is: Format["is"],
  from: (json: Raw) => Draft,
  about: (json: Raw) => Parameters<Draft["trajectory"]>[0] = () => ({})
): Format => ({
  is,
  read: (json) => {
    const draft = from(json)
    return draft.isEmpty ? [] : [draft.trajectory(about(json))]
  }
})

/** In this order: the narrower form first. */
const formats: ReadonlyArray<Format> = [
  one(isSweAgent, fromSweAgent, aboutSweAgent),
  one(isOpenHands, fromOpenHands, () => ({ name: "openhands" })),
  {
    is: isInspect,
    read: (log) =>
      log.samples.filter((sample: Raw) => Array.isArray(sample.messages) && sample.messages.length > 0).map((
        sample: Raw
      ) => fromInspectSample(sample).trajectory(aboutInspectSample(sample, log)))
  },
  one(isInspectSample, fromInspectSample, (sample) => aboutInspectSample(sample, undefined)),
  one(isTauBench, fromTauBench, aboutTauBench),
  one(isCodeAct, fromCodeAct, (json) => ({ session: json.id === undefined ? undefined : String(json.id) })),
  one(isAiSdk, fromAiSdk),
  one(isOpenAiResponses, fromOpenAiResponses),
  one(isAnthropic, fromAnthropic),
  one(isOpenAiChat, fromOpenAiChat)
]

/**
 * All trajectories of a file: one, or one for each line or sample. `file` is for messages. Throws `RecordingError` for
 * what is damaged, or in none of the formats.
 */
export const importTrajectories = (content: string | Uint8Array, file: string): ReadonlyArray<Imported> => {
  const bytes = typeof content === "string" ? undefined : content
  if (bytes !== undefined && bytes[0] === 0x50 && bytes[1] === 0x4b) return fromZip(bytes, file)
  const text = typeof content === "string" ? content : Buffer.from(content).toString("utf8")
  if (isMintText(text)) return [imported(fromMintText(text).trajectory())]
  const documents = parseAll(text, file)
  refuseOwn(documents.flat()[0], file)
  const found = readAll(documents, file)
  if (found.length > 0) return found
  throw new RecordingError({
    file,
    problem: "is in no format that is known as a trajectory",
    remedy:
      "Known are ATIF, OpenAI chat and Responses, Anthropic, AI SDK, SWE-agent, OpenHands, Inspect, tau-bench and CodeActInstruct"
  })
}

/** Files of Daylight that are none: some of them look like the messages of another tool. */
const refuseOwn = (first: Raw, file: string): void => {
  if (typeof first?.daylight !== "string") return
  throw new RecordingError({
    file,
    problem: `is no trajectory, but a ${first.daylight} of Daylight`,
    remedy: first.daylight === "cassette"
      ? "Give the trajectory that lies beside it (.trajectory.json), or run it with `daylight replay`"
      : "Make a trajectory of a stored session with `daylight record --session`"
  })
}

/** What is no trajectory among several is named. */
const readAll = (documents: ReadonlyArray<Raw>, file: string): ReadonlyArray<Imported> => {
  const each = documents.map((json) => read(json, file))
  const strange = each.filter((found) => found.length === 0).length
  const [first, ...others] = each.flat()
  if (first === undefined || strange === 0) return each.flat()
  return [
    { ...first, lost: [...first.lost, `${strange} of ${documents.length} entries, which hold no steps`] },
    ...others
  ]
}

const read = (json: Raw, file: string): ReadonlyArray<Imported> => {
  if (typeof json?.schema_version === "string" && json.schema_version.startsWith("ATIF-")) {
    return [{ trajectory: parseTrajectory(JSON.stringify(json), file), format: "atif", lost: [] }]
  }
  const format = formats.find(({ is }) => is(json))
  if (format === undefined) {
    return Array.isArray(json) ? readAll(json, file) : []
  }
  return format.read(json).map(imported)
}

const imported = (trajectory: Trajectory): Imported => {
  const [problem] = validateTrajectory(trajectory)
  if (problem !== undefined) throw new Error(`an importer made an invalid trajectory: ${problem}`)
  const { format, lost } = (trajectory.extra!["daylight"] as {
    readonly import: { readonly format: string; readonly lost: ReadonlyArray<string> }
  }).import
  return { trajectory, format, lost }
}

/** One JSON document, or one on each line. */
const parseAll = (text: string, file: string): ReadonlyArray<Raw> => {
  try {
    return [JSON.parse(text)]
  } catch (whole) {
    const lines = text.split("\n")
    const filled = lines.filter((line) => line.trim() !== "")
    if (filled.length < 2 || !/^\s*[{[].*[}\]]\s*$/.test(filled[0]!)) throw damaged(file, undefined, whole)
    const events = lines.flatMap((line, index) => {
      if (line.trim() === "") return []
      try {
        return [JSON.parse(line) as Raw]
      } catch (error) {
        throw damaged(file, index + 1, error)
      }
    })
    // Lines may be the events of one conversation, or one conversation each.
    return isOpenHands(events) || isAiSdk(events) || isOpenAiChat(events) ? [events] : events
  }
}

const damaged = (file: string, line: number | undefined, error: unknown) =>
  new RecordingError({
    file,
    line,
    problem: `is no JSON: ${oneLine(error)}`,
    remedy: "Restore the file, or export it again"
  })

const fromZip = (bytes: Uint8Array, file: string): ReadonlyArray<Imported> => {
  const entries = unzip(bytes, file)
  const header = entries.get("header.json") ?? entries.get("_journal/start.json")
  const log: Raw = header === undefined ? undefined : JSON.parse(Buffer.from(header).toString())
  const samples = [...entries].filter(([name]) => name.startsWith("samples/")).map(([, data]) =>
    JSON.parse(Buffer.from(data).toString()) as Raw
  )
  if (samples.length === 0) {
    throw new RecordingError({
      file,
      problem: "is a zip file without samples",
      remedy: "Give a log of Inspect (.eval)"
    })
  }
  return samples.map((sample) => imported(fromInspectSample(sample).trajectory(aboutInspectSample(sample, log))))
}
