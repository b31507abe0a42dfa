/** A `fetch` with trouble on purpose, on the bytes: over a recording, or over the real thing. */
import { bytesOf, eventPieces } from "../cassette/Pieces.ts"
import type { Fault, FaultPlan } from "./FaultPlan.ts"

type Fetch = typeof globalThis.fetch

export const faultyFetch = (fetch: Fetch, plan: FaultPlan<Request>): Fetch => async (input, init) => {
  const request = new Request(input, init)
  const fault = plan.next(request.clone())
  if (fault === undefined) return fetch(input, init)
  const refused = refusal(fault.kind)
  if (refused !== undefined) return refused
  if (fault.kind === "timeout") throw new DOMException("The operation timed out (a planned fault)", "TimeoutError")
  const response = await fetch(input, init)
  const { headers, status, statusText } = response
  const body = struck(new Uint8Array(await response.arrayBuffer()), fault, request.signal)
  return new Response(body, { status, statusText, headers })
}

const refusal = (kind: Fault["kind"]): Response | undefined => {
  const error = (status: number, type: string, headers: Record<string, string> = {}) =>
    Response.json({ type: "error", error: { type, message: "a planned fault" } }, { status, headers })
  switch (kind) {
    case "429":
      return error(429, "rate_limit_error", { "retry-after": "0" })
    case "500":
      return error(500, "api_error")
    case "529":
      return error(529, "overloaded_error")
    default:
      return undefined
  }
}

const struck = (
  body: Uint8Array,
  { after, kind, lateMs = 0 }: Fault,
  signal: AbortSignal
): ReadableStream<Uint8Array> => {
  const at = Math.max(1, Math.min(body.length - 1, Math.floor(body.length * after)))
  switch (kind) {
    case "stall":
      return streamOf([body.subarray(0, at)], "never", signal)
    case "truncate":
      return streamOf([body.subarray(0, at)], "close", signal)
    case "reset":
      return streamOf([body.subarray(0, at)], "error", signal)
    case "cut-utf8":
      return streamOf([body.subarray(0, insideCharacter(body, at))], "error", signal)
    case "duplicate-event":
      return streamOf(twice(body, at), "close", signal)
    case "slow":
      return streamOf(eventPieces(body).map(bytesOf), "close", signal, lateMs)
    case "malformed-json":
      return streamOf([body.subarray(0, at), Buffer.from("}{"), body.subarray(at)], "close", signal)
    case "duplicate-action-id":
      return streamOf([body], "close", signal) // of models only
    default:
      return streamOf(Array.from(body, (_, index) => body.subarray(index, index + 1)), "close", signal)
  }
}

/** The place inside of the next character of several bytes, if there is one. */
const insideCharacter = (body: Uint8Array, from: number): number => {
  const begins = (at: number) => body[at]! >= 0xc0
  for (let at = from; at < body.length - 1; at++) if (begins(at)) return at + 1
  for (let at = from; at > 0; at--) if (begins(at)) return at + 1
  return from
}

/** The event at that place comes again after itself. */
const twice = (body: Uint8Array, at: number): ReadonlyArray<Uint8Array> => {
  const bytes = Buffer.from(body)
  const gap = (from: number) => {
    const [lf, crlf] = [bytes.indexOf("\n\n", from), bytes.indexOf("\r\n\r\n", from)]
    return crlf >= 0 && (lf < 0 || crlf < lf) ? crlf + 4 : lf < 0 ? bytes.length : lf + 2
  }
  let start = 0
  while (gap(start) <= at && gap(start) < bytes.length) start = gap(start)
  const end = gap(start)
  return [bytes.subarray(0, end), bytes.subarray(start, end), bytes.subarray(end)]
}

const streamOf = (
  pieces: ReadonlyArray<Uint8Array>,
  end: "close" | "error" | "never",
  signal: AbortSignal,
  lateMs = 0
): ReadableStream<Uint8Array> => {
  let next = 0
  return new ReadableStream({
    pull: async (controller) => {
      const piece = pieces[next++]
      if (lateMs > 0) await new Promise((resolve) => setTimeout(resolve, lateMs))
      if (piece !== undefined) return controller.enqueue(piece)
      if (end === "close") return controller.close()
      if (end === "error") return controller.error(new TypeError("terminated", { cause: new Error("a planned fault") }))
      await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }))
      controller.error(signal.reason)
    }
  }, { highWaterMark: 0 })
}
