/**
 * A process that owns a session and writes to it: one line of output for each append that was acknowledged. Run by the
 * tests, which kill it, stop it and wake it.
 *
 *     writer.ts <url or file> <session> <create | claim> [lease in ms] [pause between appends in ms]
 */
import { SessionId, type SessionStore } from "@daylight/core"
import { SqliteStore } from "@daylight/store"
import { PostgresStore } from "@daylight/store/postgres"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import process from "node:process"
import { callEnded, callStarted, opened, warned } from "../events.ts"

const [target = "", name = "", how = "create", lease = "15000", pause = "0"] = process.argv.slice(2)

const options = { lease: Number(lease), heartbeat: Number(lease) / 3 }
const connected = target.startsWith("postgres:")
  ? PostgresStore.make({ ...options, url: target.split("#")[0]!, schema: target.split("#")[1] })
  : SqliteStore.make({ ...options, filename: target })

/** At once: what is told here has to be out before a kill. */
const tell = (line: string): void => {
  try {
    writeSync(1, `${line}\n`)
  } catch (error) {
    // The reader is slow: again, in a moment.
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    tell(line)
  }
}

const owned = (store: SessionStore["Service"]) =>
  how === "create" ? store.create(SessionId.make(name), opened()) : store.claim(SessionId.make(name))

await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const journal = yield* Effect.flatMap(connected, owned)
  tell("owned")
  for (let n = 1;; n++) {
    journal.note(warned(n))
    const written = yield* journal.append([callStarted(`k${n}`), callEnded("completed")])
    tell(`written ${written.at(-1)!.seq}`)
    if (pause !== "0" || n % 20 === 0) yield* Effect.sleep(Number(pause))
  }
}))).catch((error) => tell(`failed ${error._tag} ${error.reason?._tag} ${error.message}`))
