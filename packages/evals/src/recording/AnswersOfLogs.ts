/**
 * What models answered, as far as logs of sessions say: whole messages, keyed by the digests of their requests. The
 * conversation is in a log, the system prompt is not.
 */
import type { Message, Recorded } from "@daylight/core"
import type { Cassette, RecordedAnswer, RecordedPart } from "../cassette/Cassette.ts"
import { strict } from "../cassette/Matching.ts"
import { keepNodes, type MessageNode, ModelRequests } from "../cassette/ModelRequests.ts"
import type { SessionLog } from "../trajectory/FromEvents.ts"

type Messages = Map<string, Pick<MessageNode, "after" | "value">>
type Answers = Pick<Cassette, "answers" | "contents" | "messages">

export const answersOfLogs = (logs: ReadonlyArray<SessionLog>): Answers => {
  const messages: Messages = new Map()
  const ordinals = new Map<string, number>()
  return { answers: logs.flatMap((log) => answersOf(log, messages, ordinals)), contents: new Map(), messages }
}

type Called = Extract<Recorded["event"], { readonly _tag: "ModelCalled" }>

const answersOf = (
  { events }: SessionLog,
  messages: Messages,
  ordinals: Map<string, number>
): ReadonlyArray<RecordedAnswer> => {
  const answers: Array<RecordedAnswer> = []
  let history: Array<Message> = []
  let places: Array<number> = []
  const requests = new ModelRequests(strict)
  let called: Called | undefined
  /** The first attempt, which names the model that was asked; later ones may be another's that stood in for it. */
  let first: Called | undefined
  const keep = (parts: ReadonlyArray<RecordedPart>, end: RecordedAnswer["end"]) => {
    if (called === undefined) return
    const { digest, model, provider, purpose } = called
    const asked = first ?? called
    const ordinal = ordinals.get(digest) ?? 0
    ordinals.set(digest, ordinal + 1)
    const chain = isBeside(called) ? [] : requests.chain(history, history.length)
    keepNodes(messages, chain)
    answers.push({
      type: "answer",
      key: digest,
      digest,
      ordinal,
      request: {
        provider: asked.provider,
        model: asked.model,
        purpose,
        choice: "unknown",
        messages: chain.at(-1)?.hash
      },
      parts: [{ _tag: "Start", provider, model }, ...parts],
      end
    })
  }
  const say = (message: Message, seq: number) => {
    if (message._tag !== "Summary" && message.content.length === 0) return
    history.push(message)
    places.push(seq)
  }
  for (const { event, seq } of events) {
    switch (event._tag) {
      case "ModelCalled":
        called = event
        if (event.attempt === 1) first = event
        break
      case "ModelFailed":
        keep([], { failed: event.reason })
        break
      case "ModelAnswered":
        keep(partsOf(event), "finished")
        if (called === undefined || !isBeside(called)) say(event.message, seq)
        break
      case "RunStarted":
        say(event.prompt, seq)
        break
      case "ActionsAnswered":
      case "Nudged":
        say(event.message, seq)
        break
      case "Compacted": {
        const kept = history.flatMap((message, index) =>
          places[index]! >= event.keepFrom && message._tag !== "Summary" ? [[message, places[index]!] as const] : []
        )
        history = []
        places = []
        if (event.summary !== undefined) say({ _tag: "Summary", text: event.summary }, seq)
        for (const [message, place] of kept) say(message, place)
        break
      }
    }
  }
  return answers
}

/** What such a call says and is told is no part of the conversation. */
const isBeside = ({ purpose }: Called): boolean => purpose === "compaction" || purpose === "judge"

type Answered = Extract<Recorded["event"], { readonly _tag: "ModelAnswered" }>

const partsOf = ({ finish, message, usage }: Answered): ReadonlyArray<RecordedPart> => [
  ...message.content.flatMap(contentParts),
  ...(usage.estimated ? [] : [{ _tag: "Usage", usage } as const]),
  { _tag: "Finish", reason: finish, ...(message.opaque && { opaque: message.opaque }) }
]

const contentParts = (part: Answered["message"]["content"][number]): ReadonlyArray<RecordedPart> => {
  switch (part._tag) {
    case "Text":
      return [{ _tag: "TextDelta", text: part.text }]
    case "Reasoning":
      return [
        { _tag: "ReasoningDelta", text: part.text },
        { _tag: "ReasoningEnd", ...(part.opaque && { opaque: part.opaque }) }
      ]
    case "Action":
      return [
        { _tag: "ActionStart", id: part.id, name: part.name },
        { _tag: "ActionDelta", id: part.id, json: argumentsOf(part.input) },
        { _tag: "ActionEnd", id: part.id }
      ]
  }
}

/** What could not be parsed is in a log as the text that it was. */
const argumentsOf = (input: unknown): string =>
  typeof input === "string" && !isJson(input) ? input : JSON.stringify(input)

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
