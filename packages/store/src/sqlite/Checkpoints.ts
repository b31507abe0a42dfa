/**
 * Empties the write-ahead log while nobody writes, so that no append has to wait for the disk to do so.
 */
import * as Effect from "effect/Effect"
import type { Database } from "./Database.ts"

/** Transactions that are worth a checkpoint: about 4 MB. */
const worthwhile = 250

/** Idle is who did not write for this long. */
const pause = "100 millis"

export const checkpointWhenIdle = (db: Database): Effect.Effect<never> => {
  let done = db.commits
  let seen = db.commits
  const look = Effect.suspend(() => {
    const idle = db.commits === seen
    seen = db.commits
    if (!idle || seen - done < worthwhile) return Effect.void
    done = seen
    return Effect.catch(db.checkpoint, (error) => Effect.logDebug(`no checkpoint was made: ${error.message}`))
  })
  return Effect.forever(Effect.andThen(Effect.sleep(pause), look))
}
