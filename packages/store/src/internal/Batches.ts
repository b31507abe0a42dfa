/**
 * From events to what is written of them.
 */
import { addToTally, blobsIn, type Recorded, searchable, type StoredEvent, type Tally } from "@daylight/core"
import type { Batch } from "./Backend.ts"

export interface Placed {
  readonly recorded: Recorded
  readonly stored: StoredEvent
}

export const batchOf = (tally: Tally | undefined, placed: ReadonlyArray<Placed>): Batch | undefined => {
  const texts: Array<Batch["texts"][number]> = []
  let next = tally
  for (const { recorded } of placed) {
    next = addToTally(next, recorded)
    const text = searchable(recorded)
    if (text !== undefined && text !== "") texts.push({ seq: recorded.seq, text })
  }
  return next && {
    events: placed.map(({ stored }) => stored),
    tally: next,
    texts,
    blobs: [...new Set(placed.flatMap(({ stored }) => blobsIn(stored)))]
  }
}
