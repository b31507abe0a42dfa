/**
 * Asking a person in the middle of a cell.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { HostCall } from "./Boundary.ts"
import type { Caller } from "./Policy.ts"
import { Value } from "./Value.ts"

export const Decision = Schema.TaggedUnion({
  /** `once` is spent by the first call with the same path and arguments digest, also after a restart. */
  Allow: { scope: Schema.Literals(["once", "session"]), args: Schema.optional(Schema.Array(Value)) },
  Deny: { why: Schema.String },
  /** To a question that a cell put with the built-in `ask(question, { options, schema })`. */
  Answer: { value: Value }
})
export type Decision = typeof Decision.Type

export interface Decided {
  readonly decision: Decision
  readonly by: string
}

/**
 * A way to ask a person here and now; it races against a `Signal.Decide` that reaches the session through its store.
 * The default denies at once. `daylight run` and `chat` ask in the terminal.
 */
export interface Approvals {
  readonly ask: (pending: {
    readonly caller: Caller
    readonly call: HostCall
    readonly key: string
    readonly why: string
    readonly role?: string | undefined
  }) => Effect.Effect<Decided>
}
export const Approvals: Context.Reference<Approvals> = Context.Reference<Approvals>("@daylight/core/Approvals", {
  defaultValue: () => ({
    ask: () =>
      Effect.succeed({
        decision: Decision.cases.Deny.make({ why: "nobody is there to ask: provide Approvals" }),
        by: "default"
      })
  })
})
