/**
 * Where session logs live. One owner at a time appends, through a `Journal`; anybody may read, and send the owner a
 * `Signal`.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import { Decision } from "./Approvals.ts"
import type { Event, Recorded } from "./Event.ts"
import type { BlobRef, SessionId } from "./Ids.ts"
import { makeMemoryStore } from "./internal/MemoryStore.ts"
import type { OutcomeReason } from "./Outcome.ts"
import type { SessionSummary } from "./SessionSummary.ts"
import type { StoredEvent } from "./StoredEvent.ts"
import type { StoreError } from "./StoreError.ts"
import { Value } from "./Value.ts"

/**
 * What anybody may tell a session without owning it. The owner turns it into events; if nobody owns the session it
 * waits for the next owner. This is how `daylight approvals resolve`, `sessions interrupt` and the dashboard reach a
 * running process although only one process may append.
 */
export const Signal = Schema.TaggedUnion({
  Decide: {
    key: Schema.String,
    decision: Decision,
    by: Schema.String,
    /** In which roles they decide, where the one who may is named by role. */
    roles: Schema.optional(Schema.Array(Schema.String))
  },
  Settle: { key: Schema.String, happened: Schema.Boolean, value: Schema.optional(Value), by: Schema.String },
  Interrupt: { by: Schema.String }
})
export type Signal = typeof Signal.Type

/** The right to write one session: held through a lease, lost by fencing, given back with the scope. */
export interface Journal {
  readonly session: SessionId
  /** Takes its place now, synchronously, and is durable with the next `append`. Gives its `seq`. */
  readonly note: (event: Event) => number
  /** All or nothing, durable on return, in this order. Gives the events in their places, as they are published. */
  readonly append: (events: ReadonlyArray<Event>) => Effect.Effect<ReadonlyArray<Recorded>, StoreError>
  /** At least once, in order of sending; `taken` removes it. Never ends. */
  readonly signals: Stream.Stream<
    { readonly signal: Signal; readonly taken: Effect.Effect<void, StoreError> },
    StoreError
  >
}

/** The journal of a session that did not exist before. */
export interface FirstJournal extends Journal {
  /** `SessionOpened` in its place, as it is published. */
  readonly opened: Recorded
}

/** What is left out is not asked about. */
export interface SessionQuery {
  readonly agent?: string | undefined
  readonly status?: "open" | "running" | "waiting" | "ended" | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** In its id, its agent's name, its prompts or its answers; upper or lower case. */
  readonly text?: string | undefined
  readonly reason?: OutcomeReason | undefined
  readonly parent?: SessionId | undefined
  readonly minUsd?: number | undefined
  /** Has cells that failed. */
  readonly failed?: boolean | undefined
  /** Anything happened at or after this time, in epoch milliseconds. */
  readonly since?: number | undefined
  /** The `next` of the page before, of the same query. */
  readonly cursor?: string | undefined
  /** Rows of a page. Default 100. */
  readonly limit?: number | undefined
}

/** Where session logs live. Memory, SQLite and Postgres run one conformance suite. */
export class SessionStore extends Context.Service<SessionStore, {
  readonly create: (
    session: SessionId,
    opened: typeof Event.cases.SessionOpened.Type
  ) => Effect.Effect<FirstJournal, StoreError, Scope.Scope>
  /** Fails with `Held` while another lease is alive; takes over a dead one. */
  readonly claim: (session: SessionId) => Effect.Effect<Journal, StoreError, Scope.Scope>
  readonly read: (
    session: SessionId,
    options?: { readonly after?: number | undefined; readonly follow?: boolean | undefined }
  ) => Stream.Stream<Recorded, StoreError>
  /** Latest activity first. A session in which something happens moves to the first page. */
  readonly list: (
    query: SessionQuery
  ) => Effect.Effect<{ readonly items: ReadonlyArray<SessionSummary>; readonly next?: string | undefined }, StoreError>
  readonly send: (session: SessionId, signal: Signal) => Effect.Effect<void, StoreError>
  /** With its signals, and the blobs that no other session refers to. Fails with `Held` while somebody owns it. */
  readonly remove: (session: SessionId) => Effect.Effect<void, StoreError>
  readonly putBlob: (bytes: Uint8Array, mediaType: string) => Effect.Effect<BlobRef, StoreError>
  readonly getBlob: (ref: BlobRef) => Effect.Effect<Uint8Array, StoreError>
  /** The log as it is kept, to be moved elsewhere. */
  readonly dump: (session: SessionId) => Stream.Stream<StoredEvent, StoreError>
  /** A whole session from what `dump` gave: all of it or nothing. The blobs it refers to are put separately. */
  readonly restore: <E = never>(
    session: SessionId,
    events: Stream.Stream<StoredEvent, E>
  ) => Effect.Effect<void, StoreError | E>
}>()("@daylight/core/SessionStore") {
  /** Kept in this process and lost with it. Each build of the layer is a store of its own. */
  static readonly layerMemory: Layer.Layer<SessionStore> = Layer.effect(SessionStore, makeMemoryStore)
}
