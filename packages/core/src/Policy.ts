/**
 * May this call from a cell happen?
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { HostCall } from "./Boundary.ts"
import type { SessionId } from "./Ids.ts"

export type Verdict =
  | { readonly _tag: "Allow" }
  | { readonly _tag: "Deny"; readonly why: string }
  /** `role`: who may answer. `expires`: afterwards the call fails as `Expired`. */
  | {
    readonly _tag: "Ask"
    readonly why: string
    readonly role?: string | undefined
    readonly expires?: Duration.Input | undefined
  }

/** For whom and by whom a call is made. */
export interface Caller {
  readonly session: SessionId
  readonly agent: ReadonlyArray<string>
  readonly principal?: string | undefined
  readonly labels: Readonly<Record<string, string>>
}

/**
 * Decides on each call that has passed validation. A policy that dies denies. Default: allow, and ask where the
 * contract says `approval`.
 */
export interface Policy {
  readonly decide: (call: HostCall, caller: Caller) => Effect.Effect<Verdict>
}
export const Policy: Context.Reference<Policy> = Context.Reference<Policy>("@daylight/core/Policy", {
  defaultValue: () => ({
    decide: ({ contract, args }) => {
      const approval = contract?.approval ?? false
      return Effect.sync((): Verdict =>
        (typeof approval === "function" ? approval(args) : approval)
          ? { _tag: "Ask", why: "declared so" }
          : { _tag: "Allow" }
      )
    }
  })
})
