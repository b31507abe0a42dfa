/**
 * Recorded interactions, from which a run can be had again: what models answered, what servers sent, what host calls
 * gave. In a file it is JSON, one entry a line, each text once.
 *
 * ```
 * {"daylight":"cassette","version":1,"matching":{...}}
 * {"type":"content","hash":"sha256:...","value":"You are ..."}
 * {"type":"message","hash":"sha256:...","value":{"_tag":"User",...}}
 * {"type":"answer","key":"sha256:...","ordinal":0,"request":{...},"parts":[...],"end":"finished"}
 * {"type":"end","entries":3}
 * ```
 *
 * There is no clock and no random id in it, so that a run recorded again with the same answers is the same file.
 */
import { Decision, Event, FinishReason, Message, ModelFailure, OutcomeRecord, Usage, Value } from "@daylight/core"
import * as Schema from "effect/Schema"
import { Matching } from "./Matching.ts"

/** Of the format of the file. */
export const cassetteVersion = 1

const opaque = Schema.optional(Schema.Record(Schema.String, Schema.Json))

/** What a model's stream gave, in order. Neighbouring pieces of one text are one piece, unless edges were asked for. */
export const RecordedPart = Schema.TaggedUnion({
  Start: { provider: Schema.String, model: Schema.String, responseId: Schema.optional(Schema.String) },
  TextDelta: { text: Schema.String },
  ReasoningDelta: { text: Schema.String },
  ReasoningEnd: { opaque },
  ActionStart: { id: Schema.String, name: Schema.String },
  ActionDelta: { id: Schema.String, json: Schema.String },
  ActionEnd: { id: Schema.String },
  Usage: { usage: Usage },
  Finish: { reason: FinishReason, raw: Schema.optional(Schema.String), opaque }
})
export type RecordedPart = typeof RecordedPart.Type

/** What a model is, as far as the engine asks. */
export const RecordedModel = Schema.Struct({
  provider: Schema.String,
  model: Schema.String,
  contextWindow: Schema.Int,
  maxOutputTokens: Schema.Int,
  toolCalling: Schema.Boolean,
  strictAlternation: Schema.Boolean,
  price: Schema.optional(
    Schema.Struct({
      input: Schema.Finite,
      output: Schema.Finite,
      cacheRead: Schema.Finite,
      cacheWrite: Schema.Finite,
      date: Schema.String,
      source: Schema.String
    })
  )
})
export type RecordedModel = typeof RecordedModel.Type

/** What is ignored is not in it. */
const Head = Schema.Struct({
  provider: Schema.optional(Schema.String),
  model: Schema.optional(Schema.String),
  purpose: Schema.optional(Schema.String),
  choice: Schema.optional(Schema.String),
  maxOutputTokens: Schema.optional(Schema.Finite),
  temperature: Schema.optional(Schema.Finite),
  reasoning: Schema.optional(Schema.String),
  providerOptions: Schema.optional(Schema.Json),
  system: Schema.optional(Schema.String),
  actions: Schema.optional(Schema.String),
  messages: Schema.optional(Schema.String)
})

/** One answer of a model. Equal requests are told apart by `ordinal`, the order in which they were made. */
export const RecordedAnswer = Schema.Struct({
  type: Schema.tag("answer"),
  key: Schema.String,
  ordinal: Schema.Int,
  /** As the engine's own log names the request. */
  digest: Schema.optional(Schema.String),
  request: Head,
  parts: Schema.Array(RecordedPart),
  /** `left`: nobody read on, because the answer was enough or the run was stopped. */
  end: Schema.Union([Schema.Literals(["finished", "left"]), Schema.Struct({ failed: ModelFailure })])
})
export type RecordedAnswer = typeof RecordedAnswer.Type

/** One piece of a body: as text where it is UTF-8, else as base64. */
export const Piece = Schema.Struct({
  b: Schema.optional(Schema.String),
  b64: Schema.optional(Schema.String),
  /** Milliseconds since the piece before, if they were asked for. */
  dt: Schema.optional(Schema.Finite)
})
export type Piece = typeof Piece.Type

/** One exchange with a server, byte for byte. */
export const RecordedExchange = Schema.Struct({
  type: Schema.tag("http"),
  key: Schema.String,
  ordinal: Schema.Int,
  provider: Schema.String,
  /** Path with its query in order. */
  endpoint: Schema.String,
  request: Schema.Struct({
    method: Schema.String,
    headers: Schema.Record(Schema.String, Schema.String),
    /** JSON where it is JSON, else text or base64. */
    body: Schema.optional(Schema.Json),
    text: Schema.optional(Piece)
  }),
  response: Schema.Struct({
    status: Schema.Int,
    headers: Schema.Record(Schema.String, Schema.String),
    chunks: Schema.Array(Piece),
    error: Schema.optional(
      Schema.Struct({ kind: Schema.Literals(["network", "timeout", "abort", "truncated"]), after: Schema.Int })
    )
  })
})
export type RecordedExchange = typeof RecordedExchange.Type

/** What a person decided on a call, or answered to a question of a cell. */
export const RecordedDecision = Schema.Struct({
  type: Schema.tag("decision"),
  agent: Schema.Array(Schema.String),
  cell: Schema.Int,
  ordinal: Schema.Int,
  path: Schema.String,
  decision: Decision,
  by: Schema.String
})
export type RecordedDecision = typeof RecordedDecision.Type

/** One run of an agent: what was asked, and how it ended. */
export const RecordedRun = Schema.Struct({
  type: Schema.tag("run"),
  prompt: Message.cases.User,
  /** A schema was given for the answer. */
  answer: Schema.optional(Schema.Boolean),
  /** What the application, or the cell of a parent, had set since the run before; known of sealed runtimes. */
  variables: Schema.optional(Schema.Array(Schema.Struct({ name: Schema.String, value: Value }))),
  outcome: Schema.optional(OutcomeRecord)
})
export type RecordedRun = typeof RecordedRun.Type

/** One agent at work. `session`: "" of the root, else the names under which it is bound on the way, joined by "/". */
export const RecordedSession = Schema.Struct({
  type: Schema.tag("session"),
  session: Schema.String,
  agent: Schema.Array(Schema.String),
  /** Of the root they are those of the recording. */
  runs: Schema.optional(Schema.Array(RecordedRun)),
  /** Of each run, the variables as the model was told of them when it began. */
  told: Schema.optional(Schema.Array(Schema.String)),
  /** Which of the answers its model gave, in order. */
  answers: Schema.Array(Schema.Struct({ key: Schema.String, ordinal: Schema.Int }))
})
export type RecordedSession = typeof RecordedSession.Type

/**
 * One cell of a session: what it did, and all that came to it since the cell before, in order. Only what a sealed
 * runtime tells is enough to run it again.
 */
export const RecordedCell = Schema.Struct({
  type: Schema.tag("cell"),
  session: Schema.String,
  cell: Schema.Int,
  run: Schema.Int,
  step: Schema.Int,
  events: Schema.Array(Event)
})
export type RecordedCell = typeof RecordedCell.Type

export const Entry = Schema.Union([
  Schema.Struct({
    type: Schema.tag("model"),
    agent: Schema.optional(Schema.Array(Schema.String)),
    info: RecordedModel
  }),
  RecordedRun,
  Schema.Struct({ type: Schema.tag("content"), hash: Schema.String, value: Schema.Json }),
  Schema.Struct({
    type: Schema.tag("message"),
    hash: Schema.String,
    after: Schema.optional(Schema.String),
    value: Schema.Json
  }),
  RecordedAnswer,
  RecordedExchange,
  RecordedSession,
  RecordedCell,
  RecordedDecision
])
export type Entry = typeof Entry.Type

export const Header = Schema.Struct({
  daylight: Schema.Literal("cassette"),
  version: Schema.Int,
  matching: Matching
})

/** A recording in memory. Plain data: who replays it counts for itself. */
export interface Cassette {
  readonly matching: Matching
  readonly models: ReadonlyArray<{ readonly agent: ReadonlyArray<string> | undefined; readonly info: RecordedModel }>
  /** Of the root. */
  readonly runs: ReadonlyArray<RecordedRun>
  readonly contents: ReadonlyMap<string, Schema.Json>
  readonly messages: ReadonlyMap<string, { readonly after: string | undefined; readonly value: Schema.Json }>
  readonly answers: ReadonlyArray<RecordedAnswer>
  readonly exchanges: ReadonlyArray<RecordedExchange>
  /** With `cells` all that a replay needs in which the application takes no part, where it was asked for. */
  readonly sessions?: ReadonlyArray<RecordedSession> | undefined
  readonly cells?: ReadonlyArray<RecordedCell> | undefined
  readonly decisions?: ReadonlyArray<RecordedDecision> | undefined
}

/** The model of an agent (a path from the root), or the first one there is. */
export const modelOf = (cassette: Cassette, agent?: ReadonlyArray<string>): RecordedModel | undefined =>
  (cassette.models.find((known) => agent !== undefined && known.agent?.join("/") === agent.join("/")) ??
    cassette.models[0])?.info
