/**
 * The tally of a session as a database keeps it, and the columns a list is filtered by.
 */
import { StoreError, Tally } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const encodeTally = (tally: Tally): string => JSON.stringify(tally)

export const decodeTally = (session: string, json: string): Effect.Effect<Tally, StoreError> =>
  Effect.mapError(
    fromJson(json),
    (error) => new StoreError({ session, reason: { _tag: "Corrupt", seq: 0, detail: `its summary: ${error.message}` } })
  )

const fromJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.toCodecJson(Tally)))

/** In the order of the columns. */
export const filtersOf = ({ row }: Tally) =>
  [row.agent, row.status, row.reason ?? null, row.parent ?? null, row.usd ?? 0, row.failures] as const
