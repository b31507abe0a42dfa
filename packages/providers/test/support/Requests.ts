/** Requests and answers in the shapes the tests need. */
import { Message, type Model, ModelError, type ModelPart, type ModelRequest } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"

export const user = (text: string): Message => Message.cases.User.make({ content: [{ _tag: "Text", text }] })

export const runAction = {
  name: "run",
  description: "Runs a cell.",
  inputSchema: { type: "object", properties: { code: { type: "string" } }, required: ["code"] }
} as const

export const request = (over: Partial<ModelRequest> = {}): ModelRequest => ({
  purpose: "answer",
  system: "You are a test.",
  messages: [user("Hello?")],
  actions: [runAction],
  choice: "auto",
  maxOutputTokens: 1_000,
  media: (blob) =>
    Effect.fail(
      new ModelError({
        provider: "test",
        model: "test",
        reason: { _tag: "InvalidRequest", detail: `no bytes of ${blob.hash}` }
      })
    ),
  ...over
})

/** An answer as an engine folds it: what a second `Start` voids is gone. */
export interface Folded {
  readonly starts: number
  readonly text: string
  readonly reasoning: ReadonlyArray<{ readonly text: string; readonly opaque: unknown }>
  readonly actions: ReadonlyArray<{ readonly id: string; readonly name: string; readonly json: string }>
  readonly usage: Extract<ModelPart, { _tag: "Usage" }>["usage"] | undefined
  readonly finish: Extract<ModelPart, { _tag: "Finish" }> | undefined
  readonly problems: ReadonlyArray<string>
}

/** Folds, and notes whatever breaks the order that parts promise to come in. */
export const fold = (parts: ReadonlyArray<ModelPart>): Folded => {
  let starts = 0
  let text = ""
  let thought: string | undefined
  let reasoning: Array<{ text: string; opaque: unknown }> = []
  let actions: Array<{ id: string; name: string; json: string }> = []
  let open: { id: string; name: string; json: string } | undefined
  let usage: Folded["usage"]
  let finish: Folded["finish"]
  const problems: Array<string> = []
  for (const part of parts) {
    if (finish !== undefined) problems.push(`${part._tag} after Finish`)
    if (starts === 0 && part._tag !== "Start") problems.push(`${part._tag} before Start`)
    switch (part._tag) {
      case "Start":
        starts++
        text = ""
        thought = undefined
        reasoning = []
        actions = []
        open = undefined
        break
      case "TextDelta":
        text += part.text
        break
      case "ReasoningDelta":
        thought = (thought ?? "") + part.text
        break
      case "ReasoningEnd":
        reasoning.push({ text: thought ?? "", opaque: part.opaque })
        thought = undefined
        break
      case "ActionStart":
        if (open !== undefined) problems.push("two actions open at once")
        open = { id: part.id, name: part.name, json: "" }
        actions.push(open)
        break
      case "ActionDelta":
        if (open?.id !== part.id) problems.push("a delta of an action that is not open")
        else open.json += part.json
        break
      case "ActionEnd":
        if (open?.id !== part.id) problems.push("an end of an action that is not open")
        open = undefined
        break
      case "Usage":
        if (usage !== undefined) problems.push("two usages")
        usage = part.usage
        break
      case "Finish":
        finish = part
    }
  }
  if (open !== undefined && finish !== undefined) problems.push("an action that never ended")
  if (thought !== undefined) reasoning.push({ text: thought, opaque: undefined })
  return { starts, text, reasoning, actions, usage, finish, problems }
}

/** Runs one call to its end: what arrived, and how it ended. */
export const answer = Effect.fnUntraced(function*(model: Model["Service"], over: Partial<ModelRequest> = {}) {
  const parts: Array<ModelPart> = []
  const exit = yield* Effect.exit(
    Stream.runForEachArray(model.stream(request(over)), (some) => Effect.sync(() => parts.push(...some)))
  )
  const error = Exit.isFailure(exit) ? yield* Effect.flip(exit) : undefined
  return { parts, error, ...fold(parts) }
})
