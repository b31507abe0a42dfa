/**
 * Instructions and bindings that a session may switch on.
 */
import type * as Effect from "effect/Effect"
import type { Binding } from "./Binding.ts"
import type { InvalidInput } from "./InvalidInput.ts"

/** A module of instructions and bindings a session may switch on. `skills` implements it; `core` only knows this. */
export interface Skill {
  readonly name: string
  readonly description: string
  readonly activate: Effect.Effect<
    { readonly instructions: string; readonly bindings: ReadonlyArray<Binding> },
    InvalidInput
  >
}
