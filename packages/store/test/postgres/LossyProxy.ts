/**
 * Stands between a client and a server, and cuts the connection after the server has carried out a statement, before
 * its answer arrives.
 */
import { connect, createServer, type Server, type Socket } from "node:net"

/** What a server ends an answer with, when all is done. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5])

export class LossyProxy {
  lost = 0
  readonly #target: URL
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #losing: string | undefined

  private constructor(target: URL) {
    this.#target = target
    this.#server = createServer((client) => this.#join(client, connect(Number(target.port), target.hostname)))
  }

  static async start(url: string): Promise<LossyProxy> {
    const proxy = new LossyProxy(new URL(url))
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve))
    return proxy
  }

  get url(): string {
    const url = new URL(this.#target)
    const address = this.#server.address()
    url.port = String(typeof address === "object" && address !== null ? address.port : 0)
    return url.href
  }

  /** The answer to the next statement whose values contain this. */
  loseNext(part: string): void {
    this.#losing = part
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #join(client: Socket, server: Socket): void {
    let cut = false
    for (const socket of [client, server]) {
      this.#sockets.add(socket)
      // The other side goes with it; a connection that was cut has nothing to tell.
      socket.on("error", () => socket.destroy())
      socket.on("close", () => {
        this.#sockets.delete(socket)
        client.destroy()
        server.destroy()
      })
    }
    client.on("data", (bytes) => {
      if (this.#losing !== undefined && bytes.includes(this.#losing)) {
        this.#losing = undefined
        this.lost++
        cut = true
      }
      server.write(bytes)
    })
    server.on("data", (bytes) => {
      if (!cut) return void client.write(bytes)
      if (bytes.includes(readyForQuery)) client.destroy()
    })
  }
}
