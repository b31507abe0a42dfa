/**
 * What leaves the prompt when the context window fills up.
 */
import type * as Effect from "effect/Effect"
import type { LimitReached } from "./Budget.ts"
import type { Event } from "./Event.ts"
import type { Message } from "./Message.ts"
import type { ModelError } from "./ModelError.ts"
import type { RuntimeError } from "./Runtime.ts"

/**
 * Decides what leaves the prompt; writes nothing itself. `summarise` is a budgeted model call made by the engine, so a
 * compactor needs no `Model` of its own. `undefined`: nothing to do.
 */
export interface Compactor {
  readonly compact: (prompt: {
    readonly entries: ReadonlyArray<{ readonly seq: number; readonly message: Message; readonly tokens: number }>
    readonly fixedTokens: number
    readonly limit: number
    readonly overflowed: boolean
    readonly summarise: (text: string, previous: string | undefined) => Effect.Effect<string, ModelError | LimitReached>
    /** Keeps a text as a variable and gives its name. */
    readonly keep: (text: string) => Effect.Effect<string, RuntimeError>
  }) => Effect.Effect<typeof Event.cases.Compacted.Type | undefined, ModelError | LimitReached | RuntimeError>
}
