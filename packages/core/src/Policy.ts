/**
 * May this call from a cell happen?
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { HostCall } from "./Boundary.ts"
import type { SessionId } from "./Ids.ts"
import type { Rule } from "./policy/Rule.ts"
import { makeRules } from "./policy/Rules.ts"

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

const reference: Context.Reference<Policy> = Context.Reference<Policy>("@daylight/core/Policy", {
  defaultValue: () => declared
})

const allow: Effect.Effect<Verdict> = Effect.succeed({ _tag: "Allow" })
const declaredSo: Effect.Effect<Verdict> = Effect.succeed({ _tag: "Ask", why: "declared so" })
const undeclared: Effect.Effect<Verdict> = Effect.succeed({ _tag: "Ask", why: "nobody declared what it does" })

/** What the contract says. */
const declared: Policy = {
  decide: ({ args, contract }) => {
    const approval = contract?.approval ?? false
    return (typeof approval === "function" ? approval(args) : approval) ? declaredSo : allow
  }
}

export const Policy = Object.assign(reference, {
  /** Asks about every call whose effect nobody declared; for the rest what the contract says. */
  askUndeclared: {
    decide: (call, caller) => call.contract?.effect === undefined ? undeclared : declared.decide(call, caller)
  } as Policy,
  /**
   * Policy as data: the first rule that matches decides. What none matches is left to `otherwise`, by default to what
   * the contract says.
   *
   * ```ts
   * import { Policy } from "@daylight/core"
   *
   * const policy = Policy.rules([
   *   { path: "refund", where: { "1": { above: 500 } }, verdict: "ask", role: "finance", expires: "1 hour" },
   *   { path: "refund", most: { sum: 2_000, of: "1", per: "1 day" }, verdict: "allow" },
   *   { path: ["mail.*", "post"], tainted: "*", verdict: "deny", why: "it holds what a stranger wrote" },
   *   { effect: "none", verdict: "allow" }
   * ])
   * ```
   */
  rules: (rules: ReadonlyArray<Rule>, otherwise: Policy = declared): Policy => makeRules(rules, otherwise),
  /** A function as policy. */
  make: (decide: (call: HostCall, caller: Caller) => Verdict | Promise<Verdict>): Policy => ({
    decide: (call, caller) =>
      Effect.suspend(() => {
        const verdict = decide(call, caller)
        return verdict instanceof Promise ? Effect.promise(() => verdict) : Effect.succeed(verdict)
      })
  })
})
