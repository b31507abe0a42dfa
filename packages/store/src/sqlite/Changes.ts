/**
 * What other processes write. SQLite has a number that changes with each commit of another connection; while somebody
 * listens, it is looked at now and then.
 */
import type { StoreError } from "@daylight/core"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Wake } from "../internal/Wake.ts"
import type { Database } from "./Database.ts"

export const watchChanges = (db: Database, wake: Wake, poll: Duration.Input): Effect.Effect<never> => {
  let version = -1
  let mail = 0
  const look = db.read(() => {
    const current = db.get<{ readonly data_version: number }>("PRAGMA data_version")!.data_version
    if (current === version) return
    version = current
    wake.tellAll("events")
    const sent = db.all<{ readonly id: number; readonly session: number }>(
      "SELECT id, session FROM mail WHERE id > ? ORDER BY id",
      mail
    )
    for (const { id, session } of sent) {
      mail = id
      wake.tell("mail", session)
    }
  })
  const patient = Effect.catch(
    look,
    (error: StoreError) => Effect.logDebug(`the store could not be watched: ${error.message}`)
  )
  return Effect.forever(wake.wanted.pipe(Effect.andThen(patient), Effect.andThen(Effect.sleep(poll))))
}
