/**
 * A model that says what a script tells it to: for tests, examples and demonstrations without a key or a network.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { type FinishReason, Model, type ModelInfo, type ModelPart, type ModelRequest } from "../Model.ts"
import { ModelError, type ModelFailure } from "../ModelError.ts"
import type { Usage } from "../Usage.ts"

/** One reply. Parts come in this order: reasoning, text, code or calls. A plain string is text. */
export type Reply = string | {
  readonly reasoning?: string | undefined
  readonly text?: string | undefined
  /** A cell: the tool `run`, or the block of a fenced format. */
  readonly code?: string | undefined
  /** Actions by name: for the `functions` format, and for what a model should not do. */
  readonly calls?: ReadonlyArray<{ readonly name: string; readonly input: Schema.Json }> | undefined
  /** After what is said, the call fails with this. */
  readonly fail?: ModelFailure | undefined
  /** After what is said, nothing more comes, ever. */
  readonly hang?: boolean | undefined
  /** Before the first part, in milliseconds. */
  readonly delayMs?: number | undefined
  /** Characters of a delta. Default: the script's. */
  readonly chunkSize?: number | undefined
  readonly usage?: Partial<Usage> | undefined
  /** Default: `action` if there is an action, else `stop`. */
  readonly finish?: FinishReason | undefined
} | {
  /** The parts themselves, where nothing else fits. */
  readonly parts: ReadonlyArray<ModelPart>
}

/** Replies in order, or a function of the request and its number (0, 1, 2, ...). */
export type Script =
  | ReadonlyArray<Reply | ((request: ModelRequest) => Reply)>
  | ((request: ModelRequest, index: number) => Reply)

export interface ScriptOptions {
  /** Named by the error of an exhausted script. Default `script`. */
  readonly name?: string | undefined
  /** Characters of a delta. Default: all at once. */
  readonly chunkSize?: number | undefined
  /** Between two deltas, in milliseconds: to look like a model that types. Default 0. */
  readonly chunkDelayMs?: number | undefined
  readonly info?: Partial<ModelInfo> | undefined
  /** Filled with every request, in order. */
  readonly requests?: Array<ModelRequest> | undefined
}

const defaultInfo: ModelInfo = {
  provider: "scripted",
  model: "scripted-1",
  contextWindow: 200_000,
  maxOutputTokens: 8_192,
  toolCalling: true,
  strictAlternation: false
}
const defaultUsage: Usage = { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, reasoning: 0, estimated: false }

const make = (script: Script, options: ScriptOptions = {}): Model["Service"] => {
  const info = { ...defaultInfo, ...options.info }
  let asked = 0
  return Model.of({
    info,
    stream: (request) =>
      Stream.suspend(() => {
        options.requests?.push({ ...request, messages: [...request.messages] })
        const index = asked++
        const reply = replyOf(script, request, index)
        return reply === undefined
          ? Stream.fail(exhausted(info, options.name ?? "script", script.length, request))
          : streamOf(reply, request, index, info, options)
      })
  })
}

const replyOf = (script: Script, request: ModelRequest, index: number): Reply | undefined => {
  if (typeof script === "function") return script(request, index)
  const reply = script[index]
  return typeof reply === "function" ? reply(request) : reply
}

const exhausted = ({ model, provider }: ModelInfo, name: string, length: number, request: ModelRequest): ModelError => {
  const last = request.messages.at(-1)
  const detail =
    `the script "${name}" has ${length} ${
      length === 1 ? "reply" : "replies"
    }, and one more was asked for (${request.purpose}, after a ` +
    `${last?._tag ?? "nothing"} message: ${
      JSON.stringify(last && "content" in last ? last.content.at(-1) : last ?? null).slice(0, 300)
    }). Add a reply to the script.`
  return new ModelError({ provider, model, reason: { _tag: "NotRecorded", detail } })
}

const streamOf = (
  reply: Reply,
  request: ModelRequest,
  index: number,
  info: ModelInfo,
  options: ScriptOptions
): Stream.Stream<ModelPart, ModelError> => {
  const said = typeof reply === "string" ? { text: reply } : reply
  if ("parts" in said) return Stream.fromArray(said.parts)
  const parts = partsOf(said, request, index, info, options)
  const { provider, model } = info
  const pause = options.chunkDelayMs ?? 0
  const slow = options.chunkSize === undefined && said.chunkSize === undefined
    ? Stream.fromArray(parts)
    : Stream.rechunk(Stream.fromArray(parts), 1)
  const spoken = pause > 0 ? Stream.tap(slow, () => Effect.sleep(pause)) : slow
  const delayed = said.delayMs === undefined ? spoken : Stream.unwrap(Effect.as(Effect.sleep(said.delayMs), spoken))
  if (said.fail !== undefined) {
    return Stream.concat(delayed, Stream.fail(new ModelError({ provider, model, reason: said.fail })))
  }
  return said.hang === true ? Stream.concat(delayed, Stream.never) : delayed
}

const partsOf = (
  reply: Exclude<Exclude<Reply, string>, { readonly parts: unknown }>,
  request: ModelRequest,
  index: number,
  { model, provider }: ModelInfo,
  { chunkSize }: ScriptOptions
): Array<ModelPart> => {
  const size = reply.chunkSize ?? chunkSize ?? Infinity
  const parts: Array<ModelPart> = [{ _tag: "Start", provider, model }]
  if (reply.reasoning !== undefined) {
    for (const text of cut(reply.reasoning, size)) parts.push({ _tag: "ReasoningDelta", text })
    parts.push({ _tag: "ReasoningEnd" })
  }
  const calls = [...(reply.calls ?? [])]
  const { block = { open: "```ts run", close: "```" } } = request
  const fenced = request.actions.length === 0 && reply.code !== undefined
  const text = fenced
    ? `${reply.text === undefined ? "" : `${reply.text}\n`}${block.open}\n${reply.code}\n${block.close}\n`
    : reply.text ?? ""
  if (!fenced && reply.code !== undefined) calls.unshift({ name: "run", input: { code: reply.code } })
  for (const piece of cut(text, size)) parts.push({ _tag: "TextDelta", text: piece })
  calls.forEach(({ input, name }, i) => {
    const id = `call-${index}${i === 0 ? "" : `-${i}`}`
    parts.push({ _tag: "ActionStart", id, name })
    for (const json of cut(JSON.stringify(input), size)) parts.push({ _tag: "ActionDelta", id, json })
    parts.push({ _tag: "ActionEnd", id })
  })
  if (reply.fail !== undefined || reply.hang === true) return parts
  parts.push({ _tag: "Usage", usage: { ...defaultUsage, ...reply.usage } })
  parts.push({ _tag: "Finish", reason: reply.finish ?? (calls.length > 0 ? "action" : "stop") })
  return parts
}

const cut = (text: string, size: number): ReadonlyArray<string> => {
  if (text === "" || size >= text.length) return text === "" ? [] : [text]
  const pieces: Array<string> = []
  for (let i = 0; i < text.length; i += size) pieces.push(text.slice(i, i + size))
  return pieces
}

/**
 * Models from a script. `layer` starts the script anew each time it is built; `make` gives one model that goes through
 * it once.
 *
 * ```ts
 * import { ScriptedModel } from "@daylight/core/testing"
 *
 * const model = ScriptedModel.layer([{ text: "I count them.", code: "rows.length" }, "There are three."])
 * typeof model // => "object"
 * ```
 */
export const ScriptedModel = {
  make,
  layer: (script: Script, options?: ScriptOptions): Layer.Layer<Model> => Layer.sync(Model, () => make(script, options))
}
