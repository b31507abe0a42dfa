/** A local model server as people run them: Chat Completions over HTTP, streamed, with a script instead of a model. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

export interface ChatServer extends AsyncDisposable {
  /** What `--base-url` takes. */
  readonly url: string
  readonly received: ReadonlyArray<ChatCall>
}

export interface ChatCall {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: {
    readonly model: string
    readonly stream: boolean
    readonly tools?: ReadonlyArray<{ readonly function: { readonly name: string } }>
    readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string | null }>
  }
}

/** Text, code for the tool `run`, or a refusal. */
export type ChatReply = string | { readonly code: string } | { readonly status: number; readonly message: string }

/** Answers each call by `reply`. */
export const chatServer = async (reply: (call: ChatCall, nth: number) => ChatReply): Promise<ChatServer> => {
  const received: Array<ChatCall> = []
  const server = createServer(async (request, response) => {
    const pieces: Array<Buffer> = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const call: ChatCall = {
      path: request.url ?? "",
      authorization: request.headers.authorization,
      body: JSON.parse(Buffer.concat(pieces).toString())
    }
    received.push(call)
    const said = reply(call, received.length)
    if (typeof said === "object" && "status" in said) {
      response.writeHead(said.status, { "content-type": "application/json" })
      response.end(JSON.stringify({ error: { message: said.message } }))
      return
    }
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (const chunk of chunksOf(said, call.body.model)) response.write(`data: ${JSON.stringify(chunk)}\n\n`)
    response.end("data: [DONE]\n\n")
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    received,
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

const chunksOf = (said: string | { readonly code: string }, model: string): ReadonlyArray<object> => {
  const chunk = (delta: object, finish: string | null = null) => ({
    id: "chatcmpl-1",
    object: "chat.completion.chunk",
    model,
    choices: [{ index: 0, delta, finish_reason: finish }]
  })
  const usage = { ...chunk({}), choices: [], usage: { prompt_tokens: 40, completion_tokens: 8, total_tokens: 48 } }
  if (typeof said === "string") {
    const words = said.match(/\S+\s*/g) ?? []
    return [
      chunk({ role: "assistant", content: "" }),
      ...words.map((content) => chunk({ content })),
      chunk({}, "stop"),
      usage
    ]
  }
  const json = JSON.stringify(said)
  const half = Math.floor(json.length / 2)
  const call = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] })
  return [
    chunk({ role: "assistant", content: null }),
    call({ id: "call_1", type: "function", function: { name: "run", arguments: "" } }),
    call({ function: { arguments: json.slice(0, half) } }),
    call({ function: { arguments: json.slice(half) } }),
    chunk({}, "tool_calls"),
    usage
  ]
}
