/**
 * What models said while somebody recorded. Noting costs a few pushes a call; hashing waits until the recording is
 * asked for.
 */
import type { Model, ModelError, ModelInfo, ModelPart, ModelRequest } from "@daylight/core"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { plain } from "../internal/Canonical.ts"
import type { RecordedAnswer, RecordedPart } from "./Cassette.ts"
import { EngineDigests } from "./EngineDigest.ts"
import type { Matching } from "./Matching.ts"
import { keepNodes, ModelRequests } from "./ModelRequests.ts"

interface Noted {
  readonly info: ModelInfo
  readonly request: ModelRequest
  /** The history grows; so many messages were there. */
  readonly count: number
  readonly parts: Array<ModelPart>
  end: RecordedAnswer["end"]
}

/** What a tape amounts to. */
export interface Recorded {
  readonly answers: ReadonlyArray<RecordedAnswer>
  readonly contents: Map<string, Schema.Json>
  readonly messages: Map<string, { readonly after: string | undefined; readonly value: Schema.Json }>
  readonly models: ReadonlyArray<ModelInfo>
}

export class ModelTape {
  readonly #noted: Array<Noted> = []
  readonly #edges: boolean

  /** `edges`: keep where the provider cut its deltas. Default: neighbouring pieces of one text are joined. */
  constructor(options: { readonly edges?: boolean | undefined } = {}) {
    this.#edges = options.edges ?? false
  }

  get length(): number {
    return this.#noted.length
  }

  /** The same model, overheard. Belongs inside of retries, so that each attempt is recorded. */
  readonly recording = (model: Model["Service"]): Model["Service"] => ({
    info: model.info,
    stream: (request) =>
      Stream.suspend(() => {
        const parts: Array<ModelPart> = []
        const noted: Noted = { info: model.info, request, count: request.messages.length, parts, end: "left" }
        this.#noted.push(noted)
        // One operator a pull: this runs inside of every step that is recorded.
        return Stream.transformPull(model.stream(request), (pull) =>
          Effect.succeed(Effect.onExit(pull, (exit) => {
            if (Exit.isSuccess(exit)) { for (const part of exit.value) parts.push(part) }
            else noted.end = endOf(exit.cause)
            return Effect.void
          })))
      })
  })

  /** Everything so far. */
  recorded(matching: Matching): Recorded {
    const requests = new ModelRequests(matching)
    const digests = new EngineDigests()
    const contents = new Map<string, Schema.Json>()
    const messages = new Map<string, { readonly after: string | undefined; readonly value: Schema.Json }>()
    const ordinals = new Map<string, number>()
    const models = new Set<ModelInfo>()
    const answers = this.#noted.map(({ count, end, info, parts, request }): RecordedAnswer => {
      const identified = requests.identify(info, request, count)
      const { head, key } = identified
      models.add(info)
      if (head.system !== undefined) contents.set(head.system, identified.system)
      if (head.actions !== undefined) contents.set(head.actions, identified.actions)
      keepNodes(messages, identified.messages)
      const ordinal = ordinals.get(key) ?? 0
      ordinals.set(key, ordinal + 1)
      const told = this.#edges ? parts : joined(parts)
      const ended = parts.at(-1)?._tag === "Finish" ? "finished" : end
      const digest = digests.of(request, count)
      return {
        type: "answer",
        key,
        ordinal,
        digest,
        request: head,
        parts: told.map((part) => plain(part) as unknown as RecordedPart),
        end: ended
      }
    })
    return { answers, contents, messages, models: distinct(models) }
  }
}

/** Models are built once a session; many sessions have the same. */
const distinct = (models: Iterable<ModelInfo>): ReadonlyArray<ModelInfo> => [
  ...new Map([...models].map((info) => [JSON.stringify(info), info])).values()
]

const endOf = (cause: Cause.Cause<ModelError | Cause.Done>): RecordedAnswer["end"] => {
  const error = Option.getOrUndefined(Cause.findErrorOption(cause))
  if (Cause.isDone(error)) return "finished"
  return error === undefined ? "left" : { failed: error.reason }
}

const joined = (parts: ReadonlyArray<ModelPart>): ReadonlyArray<ModelPart> => {
  const out: Array<ModelPart> = []
  for (const part of parts) {
    const last = out.at(-1)
    const whole = last === undefined ? undefined : join(last, part)
    if (whole === undefined) out.push(part)
    else out[out.length - 1] = whole
  }
  return out
}

const join = (a: ModelPart, b: ModelPart): ModelPart | undefined => {
  if (a._tag === "TextDelta" && b._tag === "TextDelta") return { _tag: "TextDelta", text: a.text + b.text }
  if (a._tag === "ReasoningDelta" && b._tag === "ReasoningDelta") {
    return { _tag: "ReasoningDelta", text: a.text + b.text }
  }
  return a._tag === "ActionDelta" && b._tag === "ActionDelta" && a.id === b.id
    ? { ...a, json: a.json + b.json }
    : undefined
}
