/**
 * What leaves the prompt when the context window fills up.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { LimitReached } from "./Budget.ts"
import type { Event } from "./Event.ts"
import type { Message } from "./Message.ts"
import type { ModelError } from "./ModelError.ts"
import type { RuntimeError } from "./Runtime.ts"

/** A prompt that is too long, or will be soon. */
export interface LongPrompt {
  /** The conversation as it is sent, with the place of each message in the log and its estimated tokens. */
  readonly entries: ReadonlyArray<{ readonly seq: number; readonly message: Message; readonly tokens: number }>
  /** Tokens of the system prompt, which stays. */
  readonly fixedTokens: number
  /** Tokens that all of it should come to at most. */
  readonly limit: number
  /** A provider has refused the prompt already. */
  readonly overflowed: boolean
  /** A budgeted model call made by the engine, so that a compactor needs no `Model` of its own. */
  readonly summarise: (text: string, previous: string | undefined) => Effect.Effect<string, ModelError | LimitReached>
  /** Keeps a text as a variable of the runtime and gives its name. */
  readonly keep: (text: string) => Effect.Effect<string, RuntimeError>
}

/** Decides what leaves the prompt; writes nothing itself. `undefined`: nothing to do. */
export interface Compactor {
  readonly compact: (
    prompt: LongPrompt
  ) => Effect.Effect<typeof Event.cases.Compacted.Type | undefined, ModelError | LimitReached | RuntimeError>
}

/** One object, so that the engine recognises it and does not ask. */
const nobody: Compactor = { compact: () => Effect.undefined }

/**
 * Asked when a prompt comes near the window, and once for each call that a provider has refused as too long. Default:
 * nothing leaves, and such a call ends the run as `model_error`.
 */
export const Compactor: Context.Reference<Compactor> = Context.Reference<Compactor>("@daylight/core/Compactor", {
  defaultValue: () => nobody
})
