/**
 * Recorded exchanges for Mock Service Worker: any SDK in a test, whatever `fetch` it uses.
 */
import { http, type HttpHandler, HttpResponse } from "msw"
import type { Cassette } from "./cassette/Cassette.ts"
import { HttpReplay, type HttpReplayOptions } from "./cassette/HttpReplay.ts"

export interface MswReplay {
  readonly replay: HttpReplay
  /** For `setupServer(...handlers)`. They answer every request, so that nothing reaches a network. */
  readonly handlers: ReadonlyArray<HttpHandler>
}

/** Handlers that answer from a cassette. After the test, `replay.misses` and `replay.unused` must be empty. */
export const replayHandlers = (cassette: Cassette, options?: HttpReplayOptions): MswReplay => {
  const replay = new HttpReplay(cassette, options)
  const handler = http.all("*", async ({ request }) => {
    const body = new Uint8Array(await request.clone().arrayBuffer())
    const { headers, method, url } = request
    try {
      return await replay.respond({ body, headers, method, url })
    } catch {
      return HttpResponse.error() // a recorded failure of the network
    }
  })
  return { replay, handlers: [handler] }
}
