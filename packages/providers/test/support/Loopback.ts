/** A real HTTP server on 127.0.0.1 that answers as it is told, and knows which sockets are open. */
import * as Effect from "effect/Effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"

export interface Received {
  readonly url: string
  readonly headers: IncomingMessage["headers"]
  readonly body: any
}

export interface Loopback {
  readonly url: string
  readonly received: ReadonlyArray<Received>
  readonly openSockets: () => number
  /** Resolves with the milliseconds from now until no socket is open. */
  readonly untilClosed: () => Promise<number>
}

export type Handler = (request: Received, response: ServerResponse, nth: number) => void | Promise<void>

export const loopback = (handler: Handler) =>
  Effect.acquireRelease(
    Effect.promise(() => start(handler)),
    ({ stop }) => Effect.promise(stop)
  )

const start = async (handler: Handler): Promise<Loopback & { readonly stop: () => Promise<void> }> => {
  const sockets = new Set<Socket>()
  const received: Array<Received> = []
  const server = createServer(async (request, response) => {
    const pieces: Array<Buffer> = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const text = Buffer.concat(pieces).toString("utf8")
    const one = { url: request.url ?? "", headers: request.headers, body: text === "" ? undefined : JSON.parse(text) }
    received.push(one)
    await handler(one, response, received.length)
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    openSockets: () => sockets.size,
    untilClosed: async () => {
      const from = performance.now()
      while (sockets.size > 0 && performance.now() - from < 5_000) {
        await new Promise((resolve) => setTimeout(resolve, 2))
      }
      return performance.now() - from
    },
    stop: () => {
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

/** Answers with an event stream in these pieces. */
export const events = (
  response: ServerResponse,
  pieces: ReadonlyArray<string | Uint8Array>,
  options: { readonly end?: boolean } = {}
) => {
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8" })
  response.flushHeaders()
  for (const piece of pieces) response.write(piece)
  if (options.end ?? true) response.end()
}

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(typeof body === "string" ? body : JSON.stringify(body))
}

export const sse = (data: unknown, event?: string) =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`
