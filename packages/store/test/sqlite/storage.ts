import type { Storage } from "@daylight/core/testing"
import { SqliteStore } from "@daylight/store"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** A folder that is gone with the scope. */
export const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "daylight-store-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

/** One file, which every connection opens for itself. */
export const sqliteStorage = Effect.map(folder, (path): Storage => ({
  connect: ({ lapsing = false } = {}) =>
    SqliteStore.make({
      filename: join(path, "sessions.db"),
      ...(lapsing && { lease: "150 millis", heartbeat: "1 hour" })
    }),
  lapsed: Effect.sleep("200 millis")
}))
