/**
 * A place in the list of sessions: latest activity first, then by id.
 */
import { StoreError } from "@daylight/core"

export interface Cursor {
  readonly updated: number
  readonly session: string
}

export const formatCursor = ({ session, updated }: Cursor): string => `${updated} ${session}`

/** Throws a `StoreError` of reason `Invalid` for what is none. */
export const parseCursor = (text: string): Cursor => {
  const [, updated, session] = /^(\d+(?:\.\d+)?) (.+)$/s.exec(text) ?? []
  if (updated === undefined || session === undefined) {
    throw new StoreError({ reason: { _tag: "Invalid", detail: `"${text}" is no cursor of a list` } })
  }
  return { updated: Number(updated), session }
}
