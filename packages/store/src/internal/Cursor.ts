/**
 * A place in the list of sessions: latest activity first, then by id.
 */
import { StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"

export interface Cursor {
  readonly updated: number
  readonly session: string
}

export const formatCursor = ({ session, updated }: Cursor): string => `${updated} ${session}`

/** Fails with `Invalid` for what is none. */
export const parseCursor = (text: string): Effect.Effect<Cursor, StoreError> => {
  const [, updated, session] = /^(\d+(?:\.\d+)?) (.+)$/s.exec(text) ?? []
  if (updated === undefined || session === undefined) {
    return Effect.fail(new StoreError({ reason: { _tag: "Invalid", detail: `"${text}" is no cursor of a list` } }))
  }
  return Effect.succeed({ updated: Number(updated), session })
}
