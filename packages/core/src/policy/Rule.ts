/**
 * One rule of a policy that is data. Whatever it names must hold for it to match; what it leaves out is not looked at.
 */
import type * as Duration from "effect/Duration"
import type { HostCall } from "../Boundary.ts"
import type { Effects } from "../Contract.ts"
import type { Caller } from "../Policy.ts"
import type { Test } from "./Test.ts"

export interface Rule {
  /**
   * Globs over binding paths: `pay`, `db.*` (any method of `db`), `**` (everything). `*` stands for any part of a name,
   * `?` for one character.
   */
  readonly path?: string | ReadonlyArray<string> | undefined
  /** What nobody declared counts as `external`. */
  readonly effect?: Effects | ReadonlyArray<Effects> | undefined
  /** Names of agents, as globs; of the one that calls. */
  readonly agent?: string | ReadonlyArray<string> | undefined
  readonly principal?: string | ReadonlyArray<string> | undefined
  /** Labels of the session, all of them. */
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** An argument carries this taint label, as a glob: `*` for any. */
  readonly tainted?: string | ReadonlyArray<string> | undefined
  /** Tests of arguments, by place: `"0"` is the first, `"0.amount"` a property of it. All must hold. */
  readonly where?: Readonly<Record<string, Test>> | undefined
  /** What data cannot say. One that throws denies. */
  readonly when?: ((call: HostCall, caller: Caller) => boolean) | undefined
  /** How much this rule lets through; what goes beyond gets `beyond`. */
  readonly most?: Most | undefined
  readonly verdict: "allow" | "deny" | "ask"
  /** Told to the model where it denies, to a person where it asks. */
  readonly why?: string | undefined
  /** Who may answer where it asks. */
  readonly role?: string | undefined
  /** After how long nobody can answer any more. Default: never. */
  readonly expires?: Duration.Input | undefined
}

/** A rate or spend limit: so many calls, or so large a sum, within a sliding time. */
export interface Most {
  readonly calls?: number | undefined
  /** Sum of the numbers at `of`. A call whose argument there is no number is beyond. */
  readonly sum?: number | undefined
  /** Place of the number, as in `where`. */
  readonly of?: string | undefined
  /** Default: as long as the policy lives. */
  readonly per?: Duration.Input | undefined
  /** What is counted together. Default `session`. */
  readonly by?: "session" | "principal" | "all" | undefined
  /** Default `deny`. */
  readonly beyond?: "deny" | "ask" | undefined
}
