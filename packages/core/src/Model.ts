/**
 * A language model: one streaming call, told in one vocabulary whatever the provider.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Stream from "effect/Stream"
import type { BlobRef } from "./Ids.ts"
import type { InvalidInput } from "./InvalidInput.ts"
import type { Message } from "./Message.ts"
import {
  continuing,
  fallback,
  type FallbackOptions,
  resilient,
  retrying,
  route,
  type RouteRule,
  watchdog
} from "./model/index.ts"
import type { ModelError, ModelFailure } from "./ModelError.ts"
import type { Price } from "./PriceTable.ts"
import type { Usage } from "./Usage.ts"

export const FinishReason = Schema.Literals(["stop", "action", "length", "content-filter", "unknown"])
export type FinishReason = typeof FinishReason.Type

/** What a call is for: spending is attributed by it, and cassettes tell calls apart by it. */
export const Purpose = Schema.Literals(["answer", "wrap-up", "compaction", "judge"])
export type Purpose = typeof Purpose.Type

export interface ModelRequest {
  readonly purpose: Purpose
  /** Byte-stable for the life of a session, so that the provider's prompt cache holds. */
  readonly system: string
  readonly messages: ReadonlyArray<Message>
  /** Empty in `fence` format. JSON Schema as the provider is to see it. */
  readonly actions: ReadonlyArray<
    { readonly name: string; readonly description: string; readonly inputSchema: Schema.Json }
  >
  readonly choice: "auto" | "none" | "required"
  /** In a fenced format: how cells are written in the text, also earlier ones. */
  readonly block?: { readonly open: string; readonly close: string } | undefined
  readonly maxOutputTokens: number
  readonly temperature?: number | undefined
  readonly reasoning?: "off" | "low" | "medium" | "high" | undefined
  /** Passed through unchanged, keyed by provider; part of the replay key. */
  readonly providerOptions?: Readonly<Record<string, Schema.Json>> | undefined
  /** Reads the bytes of a `Media` part. Not in the replay key. */
  readonly media: (blob: BlobRef) => Effect.Effect<Uint8Array, ModelError>
  /**
   * Awaited by a decorator before each attempt **after the first**, or to another model, so that the log knows of it
   * first (the engine itself logs the first). Cannot fail: a store that cannot write ends the session by another way.
   * Not in the replay key.
   */
  readonly onAttempt?:
    | ((
      attempt: { readonly attempt: number; readonly provider: string; readonly model: string }
    ) => Effect.Effect<void>)
    | undefined
  /** Told after each failed attempt that will be repeated. Not in the replay key. */
  readonly onFailure?: ((reason: ModelFailure, retryInMs: number) => Effect.Effect<void>) | undefined
}

/**
 * Parts of a streamed answer, in order: `Start`, deltas, at most one `Usage`, exactly one `Finish`. A second `Start` (a
 * retry, a fallback) voids all that came before it; a continuation sends none.
 */
export type ModelPart =
  | {
    readonly _tag: "Start"
    readonly provider: string
    readonly model: string
    readonly responseId?: string | undefined
  }
  | { readonly _tag: "TextDelta"; readonly text: string }
  | { readonly _tag: "ReasoningDelta"; readonly text: string }
  | { readonly _tag: "ReasoningEnd"; readonly opaque?: Readonly<Record<string, Schema.Json>> | undefined }
  | { readonly _tag: "ActionStart"; readonly id: string; readonly name: string }
  | { readonly _tag: "ActionDelta"; readonly id: string; readonly json: string }
  | { readonly _tag: "ActionEnd"; readonly id: string }
  | { readonly _tag: "Usage"; readonly usage: Usage }
  | {
    readonly _tag: "Finish"
    readonly reason: FinishReason
    readonly raw?: string | undefined
    readonly opaque?: Readonly<Record<string, Schema.Json>> | undefined
  }

export interface ModelInfo {
  readonly provider: string
  readonly model: string
  readonly contextWindow: number
  readonly maxOutputTokens: number
  /** `functions` and `tool` need native tool calling; `fence` always works. */
  readonly toolCalling: boolean
  readonly strictAlternation: boolean
  /** From the adapter's catalogue; the default `PriceTable` reads it. */
  readonly price?: Price | undefined
}

/**
 * One attempt at one streaming call. What makes a call outlive trouble is a decorator over this service, so it is
 * written once and also holds for scripted and replayed models. Interrupting the stream closes the socket.
 */
export class Model extends Context.Service<Model, {
  readonly info: ModelInfo
  readonly stream: (request: ModelRequest) => Stream.Stream<ModelPart, ModelError>
}>()("@daylight/core/Model") {
  /** The first of these models that answers: the next one is asked after failures that are declared as passing. */
  static readonly fallback = <E>(
    models: ReadonlyArray<Layer.Layer<Model, E>>,
    options?: FallbackOptions
  ): Layer.Layer<Model, E | InvalidInput> => fallback(Model, models, options)

  /** For each call the model of the first rule that fits it. */
  static readonly route = <E>(rules: ReadonlyArray<RouteRule<E>>): Layer.Layer<Model, E | InvalidInput> =>
    route(Model, rules)

  /** The same model, whose passing failures are repeated. */
  static readonly retrying = retrying

  /** The same model, whose cut and broken answers are completed. */
  static readonly continuing = continuing

  /** The same model, whose streams fail as `Stalled` after a gap. */
  static readonly watchdog = watchdog

  /** All three, in the one order that works: what a session does with its model by default. */
  static readonly resilient = resilient
}
