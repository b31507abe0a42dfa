/**
 * Everything that happens to a session. The log of events is the only source of truth; all else is derived from it.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Decision } from "./Approvals.ts"
import { HostCallError } from "./Boundary.ts"
import { CellReport, Entropy, NamespaceDiff } from "./Cell.ts"
import { Effects } from "./Contract.ts"
import { SessionId } from "./Ids.ts"
import { Message } from "./Message.ts"
import { FinishReason, Purpose } from "./Model.ts"
import { ModelFailure } from "./ModelError.ts"
import { OutcomeRecord } from "./Outcome.ts"
import { Snapshot } from "./Snapshot.ts"
import { Usage } from "./Usage.ts"
import { Value } from "./Value.ts"

const step = { run: Schema.Int, step: Schema.Int }
const call = { cell: Schema.Int, ordinal: Schema.Int }

/**
 * Facts about a session; its state is a fold over them. `!` marks a barrier: it is durable before the thing it
 * announces begins, and before any subscriber sees it. Others wait for the next barrier and share its transaction; so
 * do barriers with nothing between them (`ModelAnswered` + `CellStarted`, `CellEnded` + `ModelCalled`): two commits a
 * step, and one more for each external call.
 */
export const Event = Schema.TaggedUnion({
  /** ! */
  SessionOpened: {
    agent: Schema.String,
    definition: Schema.String,
    parent: Schema.optional(Schema.Struct({ session: SessionId, ...call })),
    forkedFrom: Schema.optional(Schema.Struct({ session: SessionId, seq: Schema.Int })),
    principal: Schema.optional(Schema.String),
    /** Inherited by children, forks and retries: what the cost of one piece of work is summed over. */
    workItem: Schema.String,
    labels: Schema.Record(Schema.String, Schema.String)
  },
  /** ! */
  RunStarted: {
    run: Schema.Int,
    prompt: Message.cases.User,
    /** Parts at the end of the prompt that the engine added: see `spokenPrompt`. */
    added: Schema.optional(Schema.Int),
    /** The answer is expected as a value. */
    answer: Schema.optional(Schema.Boolean),
    /** Effects were pretended. */
    dryRun: Schema.optional(Schema.Boolean)
  },
  /**
   * ! Before the request leaves. `digest` is the canonical request's; a request without an answer was in flight at a
   * crash.
   */
  ModelCalled: {
    ...step,
    attempt: Schema.Int,
    purpose: Purpose,
    provider: Schema.String,
    model: Schema.String,
    digest: Schema.String
  },
  /**
   * Of a call for `compaction` or `judge`, as the `ModelCalled` before it says, the message is no part of the
   * conversation.
   */
  ModelAnswered: {
    ...step,
    message: Message.cases.Assistant,
    finish: FinishReason,
    usage: Usage,
    usd: Schema.optional(Schema.Finite)
  },
  ModelFailed: { ...step, reason: ModelFailure, usage: Usage, retryInMs: Schema.optional(Schema.Finite) },
  /** ! A nudge, a repair or a hint from the loop itself. */
  Nudged: {
    ...step,
    why: Schema.Literals(["repair", "near-miss", "empty", "stuck", "wrap-up", "invalid-answer", "before-stop"]),
    message: Message.cases.User
  },
  /** ! */
  CellStarted: { ...step, cell: Schema.Int, action: Schema.String, code: Schema.String, seed: Schema.String },
  /** ! */
  CellEnded: { cell: Schema.Int, report: CellReport, entropy: Entropy },
  /**
   * ! The answers to all actions of a step, exactly as the model gets them: of a cell, of functions, of a malformed
   * action, of what was not run. The history is the messages of `RunStarted`, `ModelAnswered`, `ActionsAnswered` and
   * `Nudged`, in order.
   */
  ActionsAnswered: { ...step, message: Message.cases.Result },
  /** A call that never became an effect: bad arguments, denied, expired, over budget. */
  CallRefused: {
    ...call,
    path: Schema.String,
    args: Schema.Array(Value),
    reason: HostCallError.fields.reason,
    by: Schema.String,
    /** As of a call that started, and of its end. */
    entropy: Schema.optional(Entropy),
    after: Schema.optional(Schema.Int),
    inPlace: Schema.optional(Schema.Boolean)
  },
  /** ! when `effect` is `external` or `idempotent`. `key` is the idempotency key. */
  CallStarted: {
    ...call,
    path: Schema.String,
    operation: Schema.Literals(["call", "construct", "get", "set"]),
    args: Schema.Array(Value),
    effect: Effects,
    key: Schema.String,
    entropy: Entropy,
    after: Schema.Int,
    /**
     * Functions of the cell that went along as arguments. A call that used one and did not end is of unknown outcome,
     * whatever its effect.
     */
    callbacks: Schema.Array(Schema.Int),
    /** The call is a run of this session: after a crash it is resumed and awaited, never of unknown outcome. */
    child: Schema.optional(SessionId)
  },
  /**
   * Their order in the log is the order in which a replay settles the promises. Of a question, it is the end of what
   * began with `ApprovalAsked`.
   */
  CallEnded: {
    ...call,
    status: Schema.Literals(["completed", "failed", "unknown"]),
    value: Schema.optional(Value),
    /** The answer that a cell waited for, given at once: matched by ordinal, not part of the schedule. */
    inPlace: Schema.Boolean,
    error: Schema.optional(
      Schema.Struct({
        name: Schema.String,
        message: Schema.String,
        code: Schema.optional(Schema.String),
        /** Its other properties, where it has any. */
        own: Schema.optional(Value)
      })
    )
  },
  /** A timer of a sealed cell fired, or work of a thread pool ended: part of the schedule. */
  TimerFired: { ...call },
  /** The host called a function of the cell: part of the schedule. */
  CallbackCalled: { cell: Schema.Int, callback: Schema.Int, args: Schema.Array(Value) },
  /** ! The application set a variable: part of the schedule. */
  VariableSet: { name: Schema.String, value: Value },
  /** ! */
  ApprovalAsked: {
    ...call,
    path: Schema.String,
    args: Schema.Array(Value),
    key: Schema.String,
    why: Schema.String,
    after: Schema.Int,
    entropy: Entropy,
    /** Who may answer, if not everybody. */
    role: Schema.optional(Schema.String),
    expires: Schema.optional(Schema.Finite)
  },
  /** ! */
  ApprovalDecided: { key: Schema.String, decision: Decision, by: Schema.String },
  /** ! An operator says what became of an effect of unknown outcome. */
  EffectSettled: { key: Schema.String, happened: Schema.Boolean, value: Schema.optional(Value), by: Schema.String },
  /** ! */
  NamespaceSaved: {
    cell: Schema.Int,
    snapshot: Snapshot,
    asOf: Schema.Int,
    /** No timer, call or callback was left: recovery starts at the last clean one. */
    clean: Schema.Boolean
  },
  SkillActivated: { skill: Schema.String },
  /**
   * ! Only when complete. The prompt from here on: `summary`, then every message recorded at or after `keepFrom`, where
   * the results in `cleared` are replaced by a pointer to the variable that holds them. Holds no copy of what is kept.
   */
  Compacted: {
    tier: Schema.Literals(["clear", "summarise", "trim"]),
    summary: Schema.optional(Schema.String),
    keepFrom: Schema.Int,
    cleared: Schema.Array(Schema.Struct({ id: Schema.String, variable: Schema.optional(Schema.String) })),
    before: Schema.Int,
    after: Schema.Int
  },
  LimitWarned: { unit: Schema.String, used: Schema.Finite, limit: Schema.Finite },
  /** ! The outcome `waiting` does not end a run: `RunContinued` may follow. */
  RunEnded: { run: Schema.Int, outcome: OutcomeRecord },
  RunContinued: { run: Schema.Int },
  /** ! What a recovery found and did, per cell: restored from the snapshot, re-executed, or lost. */
  Recovered: { restored: NamespaceDiff, reexecuted: Schema.Array(Schema.Int), unknown: Schema.Array(Schema.String) }
})
export type Event = typeof Event.Type

/** An event whose tag this version does not know. Kept as it was read, never dropped. */
export const UnknownEvent = Schema.TaggedStruct("Unknown", { raw: Schema.Json })

/** Of the events above: written beside each, so that a later version knows what it reads. */
export const eventVersion = 1

/** An event in its place. */
export const Recorded = Schema.Struct({
  session: SessionId,
  /** 1, 2, 3... without gaps. */
  seq: Schema.Int,
  time: Schema.Finite,
  /** Of the event schema that wrote it. */
  v: Schema.Int,
  event: Schema.Union([Event, UnknownEvent])
})
export type Recorded = typeof Recorded.Type

/** Event to stored JSON. What does not fit is a `SchemaError` that names the place and not the value. */
export const encodeEvent: (event: Recorded["event"]) => Effect.Effect<Schema.Json, Schema.SchemaError> = (event) =>
  event._tag === "Unknown" ? Effect.succeed(event.raw) : encodeKnown(event)

/**
 * Stored JSON to event. A tag of a newer version becomes `Unknown`; a known tag with wrong fields is a
 * `SchemaError`, which a store reports as `Corrupt` with its `seq`.
 */
export const decodeEvent = (raw: Schema.Json): Effect.Effect<Recorded["event"], Schema.SchemaError> => {
  const tag = typeof raw === "object" && raw !== null && "_tag" in raw ? raw._tag : undefined
  return typeof tag === "string" && Object.hasOwn(Event.cases, tag)
    ? decodeKnown(raw)
    : Effect.succeed(UnknownEvent.make({ raw }))
}
const decodeKnown = Schema.decodeUnknownEffect(Schema.toCodecJson(Event))
const encodeKnown = Schema.encodeUnknownEffect(Schema.toCodecJson(Event))
