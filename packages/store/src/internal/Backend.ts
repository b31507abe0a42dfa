/**
 * What a database has to offer so that a store of sessions can be made of it. Each operation is one transaction.
 */
import type { BlobRef, SessionId, SessionQuery, SessionSummary, StoredEvent, StoreError, Tally } from "@daylight/core"
import type * as Effect from "effect/Effect"
import type { Wake } from "./Wake.ts"

/** A session in the database; a session that is opened again under an old name has another key. */
export type SessionKey = number

/** The right to write a session. It holds while the owner's lease does, and nobody else has claimed it. */
export interface Claim {
  readonly session: SessionId
  readonly key: SessionKey
  readonly owner: string
  /** Raised with each claim. */
  readonly fence: number
  /** Of the last event. */
  readonly seq: number
  readonly time: number
  readonly tally: Tally | undefined
}

/** Events to be written together, and what is derived from them. */
export interface Batch {
  readonly events: ReadonlyArray<StoredEvent>
  /** With the events added. */
  readonly tally: Tally
  /** What the session can be found by from now on. */
  readonly texts: ReadonlyArray<{ readonly seq: number; readonly text: string }>
  /** Hashes of the blobs that the events refer to. */
  readonly blobs: ReadonlyArray<string>
}

export interface Mail {
  readonly id: number
  readonly json: string
}

export interface Page {
  readonly items: ReadonlyArray<SessionSummary>
  readonly next?: string | undefined
}

type Result<A> = Effect.Effect<A, StoreError>

export interface Backend {
  /** A new session with its first events, owned by this process if `owned`. Fails with `AlreadyExists`. */
  readonly add: (session: SessionId, batch: Batch, owned: boolean) => Result<Claim>
  readonly claim: (session: SessionId) => Result<Claim>
  /** Does nothing if the claim does not hold any more. */
  readonly release: (claim: Claim) => Result<void>
  /** Writes what comes after `after` if that is the last event and the claim holds; `Fenced` otherwise. */
  readonly write: (claim: Claim, after: number, batch: Batch) => Result<void>
  readonly key: (session: SessionId) => Result<SessionKey>
  /** At most `limit` events after one, in order; `NotFound` if the session is gone. */
  readonly events: (
    session: SessionId,
    key: SessionKey,
    after: number,
    limit: number
  ) => Result<ReadonlyArray<StoredEvent>>
  readonly list: (query: SessionQuery) => Result<Page>
  readonly send: (session: SessionId, json: string) => Result<void>
  /** What was sent after a mail and is not taken; `Fenced` if the claim does not hold any more. */
  readonly mail: (claim: Claim, after: number) => Result<ReadonlyArray<Mail>>
  readonly take: (claim: Claim, id: number) => Result<void>
  readonly remove: (session: SessionId) => Result<void>
  readonly putBlob: (ref: BlobRef, bytes: Uint8Array) => Result<void>
  readonly getBlob: (ref: BlobRef) => Result<Uint8Array>
  /** Tells who waits of what this and other processes write. */
  readonly wake: Wake
}
