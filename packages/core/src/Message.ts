/**
 * The conversation as it is stored and as a model gets it.
 */
import * as Schema from "effect/Schema"
import { BlobRef } from "./Ids.ts"

/**
 * What the model did instead of, or after, talking. In `tool` and `fence` format `name` is `"run"` and `input` is
 * `{ code }`; in `functions` format `name` is a binding path and `input` its arguments. Adapters map it to a
 * provider's tool call, or to a fenced block in the text.
 */
export const Action = Schema.TaggedStruct("Action", { id: Schema.String, name: Schema.String, input: Schema.Json })
export type Action = typeof Action.Type

/** `opaque` carries what a provider wants back unchanged (signatures, encrypted reasoning), keyed by provider. */
const opaque = Schema.optional(Schema.Record(Schema.String, Schema.Json))
const Text = Schema.TaggedStruct("Text", { text: Schema.String })
const Media = Schema.TaggedStruct("Media", { blob: BlobRef })
const Reasoning = Schema.TaggedStruct("Reasoning", { text: Schema.String, opaque })
/**
 * The answer to the action with the same `id`. Holds no clock, duration, temporary path or random id: replay keys on
 * it.
 */
const Feedback = Schema.TaggedStruct("Feedback", {
  id: Schema.String,
  ok: Schema.Boolean,
  content: Schema.Array(Schema.Union([Text, Media]))
})

/** One entry of the append-only history. Never mutated: adapters cache their wire form by identity (`WeakMap`). */
export const Message = Schema.TaggedUnion({
  User: { content: Schema.Array(Schema.Union([Text, Media])) },
  Assistant: { content: Schema.Array(Schema.Union([Text, Reasoning, Action])), opaque },
  Result: { content: Schema.Array(Feedback) },
  /** Replaces everything before it in the prompt (not in the log). Recognised by type, never by its text. */
  Summary: { text: Schema.String }
})
export type Message = typeof Message.Type
