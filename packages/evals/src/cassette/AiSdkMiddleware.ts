/**
 * Recording and replay for programs on the AI SDK, between the SDK and its models: whatever the provider speaks, also
 * where it does not go through `fetch`. A call is kept as an exchange of its own kind: the options of the call, and the
 * result or the parts of the stream.
 */

type Fetch = typeof globalThis.fetch

/** What it needs of a model of the AI SDK (`LanguageModelV3`, `LanguageModelV4`). */
interface NamedModel {
  readonly provider: string
  readonly modelId: string
}

// The types of the AI SDK are those of whoever uses it: none of its versions is a dependency.
interface Call {
  readonly doGenerate: () => PromiseLike<any>
  readonly doStream: () => PromiseLike<any>
  readonly params: any
  readonly model: NamedModel
}

/** For `wrapLanguageModel({ model, middleware })`. */
export interface AiSdkMiddleware {
  readonly specificationVersion: "v4"
  readonly wrapGenerate: (call: Call) => Promise<any>
  readonly wrapStream: (call: Call) => Promise<any>
}

/** `through` answers a request, from a recording or by asking the real thing that it is given. */
export const aiSdkMiddleware = (through: (real: Fetch) => Fetch): AiSdkMiddleware => ({
  specificationVersion: "v4",
  wrapGenerate: async ({ doGenerate, model, params }) => {
    const real = answering(async () => json(await doGenerate()))
    const response = await through(real)(addressOf(model, "generate"), requestOf(params))
    return unpacked(await answerOf(response))
  },
  wrapStream: async ({ doStream, model, params }) => {
    const real = answering(async () => streamed((await doStream()).stream))
    const response = await through(real)(addressOf(model, "stream"), requestOf(params))
    if (!response.ok) await answerOf(response)
    return { stream: response.body!.pipeThrough(new TextDecoderStream()).pipeThrough(lines()).pipeThrough(parts()) }
  }
})

/** No such server: the path says which model was asked. */
const addressOf = ({ modelId, provider }: NamedModel, what: string): string =>
  `http://ai-sdk.invalid/${encodeURIComponent(provider)}/${encodeURIComponent(modelId)}/${what}`

/** Headers carry keys, and a signal is no part of what was asked. */
const requestOf = ({ abortSignal, headers: _, ...asked }: any): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json" },
  body: packed(asked),
  signal: abortSignal ?? null
})

/** A failure of the model as a response, so that it is recorded as well; one of the caller's own stays what it is. */
const answering = (answer: () => Promise<Response>): Fetch => async () => {
  try {
    return await answer()
  } catch (error) {
    const { isRetryable, message, name, statusCode } = error as any // an error of the SDK, or of anybody
    if (name === "AbortError" || name === "TimeoutError") throw error
    const status = Number.isInteger(statusCode) && statusCode >= 400 && statusCode <= 599 ? statusCode : 500
    return Response.json({ error: { name, message, statusCode, isRetryable } }, { status })
  }
}

const json = (result: any): Response => {
  const { request: _, response, ...rest } = result
  const { body: __, headers: ___, ...answer } = response ?? {}
  return new Response(packed(response === undefined ? rest : { ...rest, response: answer }), {
    headers: { "content-type": "application/json" }
  })
}

/** One part of the stream is one event. */
const streamed = (stream: ReadableStream<unknown>): Response =>
  new Response(
    stream.pipeThrough(
      new TransformStream<unknown, string>({
        transform: (part, controller) => controller.enqueue(`data: ${packed(part)}\n\n`)
      })
    ).pipeThrough(new TextEncoderStream()),
    { headers: { "content-type": "text/event-stream" } }
  )

const lines = (): TransformStream<string, string> => {
  let rest = ""
  return new TransformStream({
    transform: (text, controller) => {
      const found = (rest + text).split("\n")
      rest = found.pop()!
      for (const line of found) controller.enqueue(line)
    }
  })
}

const parts = (): TransformStream<string, unknown> =>
  new TransformStream({
    transform: (line, controller) => {
      if (line.startsWith("data: ")) controller.enqueue(unpacked(line.slice(6)))
    }
  })

/** The body, or the error that it tells. */
const answerOf = async (response: Response): Promise<string> => {
  const text = await response.text()
  if (response.ok) return text
  const { message, name, ...facts } = (JSON.parse(text) as { readonly error: Record<string, unknown> }).error
  throw Object.assign(new Error(String(message)), facts, {
    name: typeof name === "string" ? name : "AI_APICallError",
    // How the SDK knows its own errors; what was not recorded is never asked for again.
    [Symbol.for("vercel.ai.error")]: true,
    [Symbol.for("vercel.ai.error.AI_APICallError")]: true,
    isRetryable: facts["isRetryable"] === true
  })
}

/** JSON with what it has no word for: bytes, times, errors. */
const packed = (value: unknown): string =>
  JSON.stringify(value, function(this: any, key: string, member: unknown) {
    const own: unknown = this[key]
    if (own instanceof Uint8Array) return { $bytes: Buffer.from(own).toString("base64") }
    if (own instanceof Date) return { $date: own.toISOString() }
    if (own instanceof Error) return { $error: { name: own.name, message: own.message } }
    return member
  })

const unpacked = (text: string): any =>
  JSON.parse(text, (_, member) => {
    if (typeof member !== "object" || member === null) return member
    if (typeof member.$bytes === "string") return new Uint8Array(Buffer.from(member.$bytes, "base64"))
    if (typeof member.$date === "string") return new Date(member.$date)
    return member.$error === undefined
      ? member
      : Object.assign(new Error(member.$error.message), { name: member.$error.name })
  })
