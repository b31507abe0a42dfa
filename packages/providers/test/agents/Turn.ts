/** What a server answers, in the words of each language: some text, then at most one action. */
import { sse } from "../support/Loopback.ts"

export interface Turn {
  readonly text: string
  /** Under its name on the wire. */
  readonly action?: { readonly id: string; readonly name: string; readonly input: object } | undefined
}

export type Encode = (turn: Turn) => ReadonlyArray<string>

/** Two pieces, so that nothing arrives at once. */
const halves = (text: string): ReadonlyArray<string> => {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

export const chat: Encode = ({ action, text }) => {
  const chunk = (delta: object, finish: string | null = null) =>
    sse({
      id: "c1",
      object: "chat.completion.chunk",
      model: "served",
      choices: [{ index: 0, delta, finish_reason: finish }]
    })
  const call = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] })
  return [
    chunk({ role: "assistant", content: "" }),
    ...halves(text).map((content) => chunk({ content })),
    ...(action === undefined
      ? []
      : [
        call({ id: action.id, type: "function", function: { name: action.name, arguments: "" } }),
        ...halves(JSON.stringify(action.input)).map((json) => call({ function: { arguments: json } }))
      ]),
    chunk({}, action === undefined ? "stop" : "tool_calls"),
    sse({ id: "c1", choices: [], usage: { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 } }),
    sse("[DONE]")
  ]
}

export const responses: Encode = ({ action, text }) => {
  const event = (type: string, fields: object) => sse({ type, ...fields }, type)
  const response = { id: "r1", object: "response", model: "served", output: [] }
  const message = { id: "m1", type: "message", role: "assistant", content: [] }
  const call = action && { id: "f1", type: "function_call", call_id: action.id, name: action.name }
  const json = JSON.stringify(action?.input)
  return [
    event("response.created", { response: { ...response, status: "in_progress" } }),
    event("response.output_item.added", { output_index: 0, item: message }),
    ...halves(text).map((delta) =>
      event("response.output_text.delta", { item_id: "m1", output_index: 0, content_index: 0, delta })
    ),
    event("response.output_item.done", { output_index: 0, item: { ...message, status: "completed" } }),
    ...(call === undefined
      ? []
      : [
        event("response.output_item.added", { output_index: 1, item: { ...call, arguments: "" } }),
        ...halves(json).map((delta) =>
          event("response.function_call_arguments.delta", { item_id: "f1", output_index: 1, delta })
        ),
        event("response.function_call_arguments.done", { item_id: "f1", output_index: 1, arguments: json }),
        event("response.output_item.done", { output_index: 1, item: { ...call, arguments: json } })
      ]),
    event("response.completed", {
      response: {
        ...response,
        status: "completed",
        usage: {
          input_tokens: 30,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: 12,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 42
        }
      }
    })
  ]
}

export const messages: Encode = ({ action, text }) => {
  const event = (type: string, fields: object = {}) => sse({ type, ...fields }, type)
  const block = (index: number, start: object, deltas: ReadonlyArray<object>) => [
    event("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    event("content_block_stop", { index })
  ]
  const said = block(0, { type: "text", text: "" }, halves(text).map((text) => ({ type: "text_delta", text })))
  const done = action === undefined ? [] : block(
    1,
    { type: "tool_use", id: action.id, name: action.name, input: {} },
    halves(JSON.stringify(action.input)).map((json) => ({ type: "input_json_delta", partial_json: json }))
  )
  return [
    event("message_start", {
      message: {
        id: "m1",
        type: "message",
        role: "assistant",
        model: "served",
        content: [],
        usage: { input_tokens: 30, output_tokens: 1 }
      }
    }),
    ...said,
    ...done,
    event("message_delta", {
      delta: { stop_reason: action === undefined ? "end_turn" : "tool_use", stop_sequence: null },
      usage: { output_tokens: 12 }
    }),
    event("message_stop")
  ]
}

export const gemini: Encode = ({ action, text }) => {
  const chunk = (parts: ReadonlyArray<object>, rest: object = {}) =>
    sse({ candidates: [{ index: 0, content: { role: "model", parts }, ...rest }], modelVersion: "served" })
  const call = action === undefined ? [] : [{ functionCall: { name: action.name, args: action.input } }]
  return [
    ...halves(text).map((text) => chunk([{ text }])),
    chunk(call, { finishReason: "STOP" }),
    sse({ usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 12, totalTokenCount: 42 } })
  ]
}

/** Parts of `effect/ai`, one a line: the wire of a server that nobody else has. */
export const lines: Encode = ({ action, text }) =>
  [
    { type: "text-start", id: "t1" },
    ...halves(text).map((delta) => ({ type: "text-delta", id: "t1", delta })),
    { type: "text-end", id: "t1" },
    ...(action === undefined ? [] : [{ type: "tool-call", id: action.id, name: action.name, params: action.input }]),
    {
      type: "finish",
      reason: action === undefined ? "stop" : "tool-calls",
      usage: { inputTokens: { total: 30 }, outputTokens: { total: 12 } }
    }
  ].map((part) => `${JSON.stringify(part)}\n`)
