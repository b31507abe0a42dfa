/**
 * The statements that write a session, each whole by itself: what is derived of the events goes with them.
 */
import type { Batch } from "../internal/Backend.ts"
import { encodeTally, filtersOf } from "../internal/StoredTally.ts"
import { plain, serverTime, type Value } from "./PostgresDatabase.ts"

/** Goes on from `target`, the session that is written. Takes $1 to $3, of `batchValues`. */
const insertBatch = `
  inserted_events AS (
    INSERT INTO @events (session, seq, time, v, json)
    SELECT target.id, e.seq, e.time, e.v, e.json
    FROM target, json_to_recordset($1::json) AS e (seq integer, time float8, v integer, json text)
  ),
  inserted_texts AS (
    INSERT INTO @texts (session, seq, text)
    SELECT target.id, t.seq, t.text FROM target, json_to_recordset($2::json) AS t (seq integer, text text)
  ),
  inserted_uses AS (
    INSERT INTO @blob_uses (session, hash)
    SELECT target.id, hash FROM target, json_array_elements_text($3::json) AS hash
    ON CONFLICT DO NOTHING
  )`

/** $1 to $12. */
const batchValues = ({ blobs, events, tally, texts }: Batch): ReadonlyArray<Value> => {
  const last = events.at(-1)!
  return [
    JSON.stringify(events),
    JSON.stringify(texts.map(({ seq, text }) => ({ seq, text: plain(text) }))),
    JSON.stringify(blobs),
    last.seq,
    last.time,
    encodeTally(tally),
    ...filtersOf(tally)
  ]
}

/** Gives nothing if the id is taken. $13 session, $14 owner, $15 fence, $16 labels. */
export const addSession = `
  WITH target AS (
    INSERT INTO @sessions
      (seq, updated, tally, agent, status, reason, parent, usd, failures, session, owner, fence)
    VALUES ($4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
    ON CONFLICT (session) DO NOTHING
    RETURNING id
  ),
  inserted_labels AS (
    INSERT INTO @labels (session, key, value)
    SELECT target.id, l.key, l.value FROM target, json_each_text($16::json) AS l
    ON CONFLICT DO NOTHING
  ),
  ${insertBatch}
  SELECT id FROM target`

export const addValues = (
  batch: Batch,
  session: string,
  owner: string | null,
  fence: number
): ReadonlyArray<Value> => {
  const labels = Object.entries(batch.tally.row.labels).map(([key, value]) => [plain(key), plain(value)])
  return [...batchValues(batch), session, owner, fence, JSON.stringify(Object.fromEntries(labels))]
}

/** Gives nothing if the claim does not hold, or the log has gone on. $13 id, $14 owner, $15 fence, $16 last seq. */
export const writeSession = `
  WITH target AS (
    UPDATE @sessions s
    SET seq = $4, updated = $5, tally = $6, agent = $7, status = $8, reason = $9, parent = $10, usd = $11, failures = $12
    WHERE s.id = $13 AND s.owner = $14 AND s.fence = $15 AND s.seq = $16
      AND EXISTS (SELECT 1 FROM @owners o WHERE o.id = $14 AND o.until > ${serverTime})
    RETURNING s.id
  ),
  ${insertBatch}
  SELECT id FROM target`

export const writeValues = (
  batch: Batch,
  { fence, key, owner }: { readonly key: number; readonly owner: string; readonly fence: number },
  after: number
): ReadonlyArray<Value> => [...batchValues(batch), key, owner, fence, after]
