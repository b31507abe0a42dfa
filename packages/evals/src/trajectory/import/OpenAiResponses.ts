/** OpenAI Responses: a request, a response, both, or a bare list of items. */
import { contentOf } from "./Parts.ts"
import { Draft, type DraftCall, metricsOf, type Raw } from "./Draft.ts"

export const isOpenAiResponses = (json: Raw): boolean => {
  const items = [json?.input, json?.output, json?.request?.input, json].find(Array.isArray) as
    | ReadonlyArray<Raw>
    | undefined
  const types = /^(message|function_call|function_call_output|reasoning|.*_call|custom_tool_call_output)$/
  return json?.object === "response" ||
    (items !== undefined && items.some((item) => typeof item?.type === "string" && types.test(item.type)))
}

export const fromOpenAiResponses = (json: Raw): Draft => {
  const draft = new Draft("openai-responses")
  const request = json?.request ?? json
  const response = json?.response ?? json
  const instructions = request?.instructions ?? response?.instructions
  if (typeof instructions === "string") draft.system(instructions)
  draft.tools(request?.tools ?? response?.tools)
  if (typeof request?.input === "string") draft.user(request.input)
  const items = [...(Array.isArray(json) ? json : Array.isArray(request?.input) ? request.input : [])]
  fold(draft, items, {})
  if (Array.isArray(response?.output)) fold(draft, response.output, response)
  return draft
}

interface Turn {
  text: Array<string>
  reasoning: Array<string>
  calls: Array<DraftCall>
}

/** Items of one answer come one after the other: thoughts, text, calls. They are one step. */
const fold = (draft: Draft, items: ReadonlyArray<Raw>, response: Raw): void => {
  let turn: Turn | undefined
  const end = () => {
    if (turn === undefined) return
    const { calls, reasoning, text } = turn
    const { model, status, usage } = response
    draft.agent({
      text: text.join("\n"),
      reasoning: reasoning.join("\n"),
      calls,
      model,
      metrics: metricsOf(usage?.input_tokens, usage?.output_tokens, usage?.input_tokens_details?.cached_tokens),
      finishReason: status
    })
    turn = undefined
  }
  const open = () => turn ??= { text: [], reasoning: [], calls: [] }
  for (const item of items) {
    const type = item.type ?? "message"
    if (type === "reasoning") {
      if (turn !== undefined && turn.calls.length > 0) end()
      open().reasoning.push(
        ...(item.summary ?? []).map((part: Raw) => part.text),
        ...(item.content ?? []).map((part: Raw) => part.text)
      )
      if (item.encrypted_content) draft.lose("encrypted reasoning")
    } else if (type === "message" && item.role === "assistant") {
      if (turn !== undefined && turn.calls.length > 0) end()
      const content = contentOf(item.content, draft)
      open().text.push(typeof content === "string" ? content : content.map((part) => part.text ?? "").join("\n"))
    } else if (type === "message") {
      end()
      const content = contentOf(item.content, draft)
      if (item.role === "user") draft.user(content)
      else draft.system(content)
    } else if (/_output$/.test(type)) {
      end()
      draft.result({ id: item.call_id, content: contentOf(item.output, draft) })
    } else if (type === "function_call" || type === "custom_tool_call") {
      open().calls.push({ id: item.call_id ?? item.id, name: item.name, input: item.arguments ?? item.input })
    } else if (/_call$/.test(type)) {
      const { id, output, results, status: _, type: __, ...input } = item
      open().calls.push({ id, name: type.replace(/_call$/, ""), input, providerExecuted: true })
      if (output !== undefined || results !== undefined) draft.lose(`output of ${type}`)
    } else draft.lose(`items of type ${type}`)
  }
  end()
}
