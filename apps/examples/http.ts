/**
 * An agent behind an HTTP server, streaming to a browser as server-sent events. Each request has a session of its own
 * over the shared data, and a browser that leaves cancels its run: nobody pays for an answer that nobody reads.
 *
 *     node apps/examples/http.ts        then open the address that is printed
 */
import { Binding, type Live } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import type { Reply } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { readFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { chooseModel, type ExampleOptions, type ModelChoice } from "./support/Example.ts"
import { runMain } from "./support/runMain.ts"

export interface HttpOptions extends ExampleOptions {
  /** Default: any free port. */
  readonly port?: number | undefined
  /** What a scripted model replies. */
  readonly replies?: ReadonlyArray<Reply> | undefined
}

const ORDERS = [
  { region: "north", amount: 120 },
  { region: "south", amount: 340.5 },
  { region: "north", amount: 75.25 },
  { region: "east", amount: 410 },
  { region: "south", amount: 99.9 },
  { region: "east", amount: 62.4 }
]

/** Resolves when the server listens. `endings` holds how each run ended, oldest first. */
export const main = async (options: HttpOptions = {}) => {
  const output = options.output ?? process.stdout
  const model = await chooseModel(options)
  const endings: Array<string> = []

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost")
    if (request.method !== "GET") return refuse(response, 405, "Only GET is understood here.")
    if (url.pathname === "/") return sendPage(response)
    if (url.pathname !== "/ask") return refuse(response, 404, "There is / and /ask?question=...")
    const question = url.searchParams.get("question")?.trim()
    if (!question) return refuse(response, 400, "Ask something: /ask?question=...")
    void answer(question, model, options.replies ?? REPLIES, request, response).then((ending) => endings.push(ending))
  })
  await new Promise<void>((resolve, reject) =>
    server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve)
  )

  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  output.write(`${model.notice}\nListening on ${url} (Ctrl-C ends)\n`)
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, endings, close }
}

/** Runs the agent for one browser. Gives how the run ended. */
const answer = async (
  question: string,
  model: ModelChoice,
  replies: ReadonlyArray<Reply>,
  request: IncomingMessage,
  response: ServerResponse
): Promise<string> => {
  const left = new AbortController()
  response.once("close", () => left.abort())
  response.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" })
  const send = (event: string, data: unknown) => response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
  try {
    await using agent = createAgent({
      name: "orders",
      instructions: "Answer questions about the orders in one or two sentences.",
      model: model.replying(replies),
      runtime: VmRuntime.layer,
      bindings: [Binding.variable("orders", ORDERS)]
    })
    const running = agent.stream(question, { signal: left.signal })
    for await (const event of running) forward(event, send)
    const { reason, steps } = await running.outcome
    send("end", { reason, steps })
    return reason
  } catch (error) {
    if (!request.socket.destroyed) {
      send("end", { reason: error instanceof Error ? error.message : String(error), steps: 0 })
    }
    return "failed"
  } finally {
    response.end()
  }
}

const forward = (live: Live, send: (event: string, data: unknown) => void): void => {
  if (live._tag === "TextDelta") return send("text", live.text)
  if (live._tag !== "Recorded") return
  const { event } = live.recorded
  if (event._tag === "CellStarted") send("code", event.code)
  if (event._tag === "CellEnded") {
    const { preview, problem, stdout } = event.report
    send("result", {
      ok: problem === undefined,
      text: problem ? `${problem.name}: ${problem.message}` : stdout + preview
    })
  }
}

const sendPage = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(
    readFileSync(new URL("http/page.html", import.meta.url))
  )
}

const refuse = (response: ServerResponse, status: number, text: string): void => {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`)
}

const REPLIES: ReadonlyArray<Reply> = [
  {
    text: "I add up the orders by region.",
    code: `const totals: Record<string, number> = {}
for (const { region, amount } of orders) totals[region] = (totals[region] ?? 0) + amount
totals`
  },
  "The totals are above; the region with the largest one brought in the most."
]

if (import.meta.main) await runMain((options) => main({ ...options, port: Number(process.env["PORT"] ?? 3000) }))
