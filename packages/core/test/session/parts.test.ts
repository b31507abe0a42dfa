import { createHash } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { Part } from "@daylight/core"
import * as Effect from "effect/Effect"
import { play } from "../support.ts"

const png = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64"
)
const sha256 = `sha256:${createHash("sha256").update(png).digest("hex")}`

describe("media in a prompt", () => {
  let folder: string
  let server: ReturnType<typeof createServer>
  let url: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "parts-"))
    await writeFile(join(folder, "dot.png"), png)
    server = createServer((request, response) =>
      request.url === "/dot" ? response.end(png) : response.writeHead(404).end()
    )
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })

  test.each([
    ["bytes", () => new Uint8Array(png)],
    ["a path", () => join(folder, "dot.png")],
    ["a file URL", () => pathToFileURL(join(folder, "dot.png"))],
    ["a data URL", () => `data:image/png;base64,${png.toString("base64")}`],
    ["an http URL", () => `${url}/dot`]
  ])("%s: stored by hash, sent by reference, and readable for the adapter", async (_, source) => {
    const { requests } = await play({ prompt: ["What is this?", Part.image(source())], script: ["A dot."] })
    const [message] = requests[0]!.messages
    const media = message!._tag === "User" ? message!.content[1] : undefined
    expect(media).toEqual({ _tag: "Media", blob: { hash: sha256, bytes: png.length, mediaType: "image/png" } })
    if (media?._tag === "Media") {
      expect(Buffer.from(await Effect.runPromise(requests[0]!.media(media.blob)))).toEqual(png)
    }
  })

  test("a source that answers with an error is told by name", async () => {
    await expect(play({ prompt: ["?", Part.image(`${url}/absent`)], script: ["ok"] })).rejects.toMatchObject({
      _tag: "InvalidInput",
      problem: expect.stringContaining("404")
    })
  })

  test("files take their type from their bytes or name, or as told", async () => {
    const { requests } = await play({
      prompt: [Part.file(Buffer.from("%PDF-1.7")), Part.file(Buffer.from("a,b"), { mediaType: "text/csv" })],
      script: ["ok"]
    })
    const [message] = requests[0]!.messages
    const types = message!._tag === "User"
      ? message!.content.flatMap((part) => part._tag === "Media" ? [part.blob.mediaType] : [])
      : []
    expect(types).toEqual(["application/pdf", "text/csv"])
  })
})
