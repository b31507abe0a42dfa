/**
 * How one callable crosses the boundary between cells and the application.
 */
import * as Schema from "effect/Schema"
import type { AnySchema } from "./AnySchema.ts"
import type { SessionId } from "./Ids.ts"

/**
 * What a host call does to the world. `none`: may be repeated or skipped at will. `idempotent`: safe to repeat with
 * the same key. `external`: at most once; it is in the ledger durably before it begins.
 */
export const Effects = Schema.Literals(["none", "idempotent", "external"])
export type Effects = typeof Effects.Type

/**
 * How one callable crosses the boundary. Every bound function has a contract (an empty one if none is given), an object
 * only where its methods are listed. What has one is validated, policed, budgeted and recorded. It is **asynchronous in
 * every runtime**, declared to the model as returning a promise, since an approval or a durable ledger entry cannot be
 * waited for synchronously; only `effect: "none"` without `approval` may stay synchronous: it is recorded too, but
 * never waited for. A value without a contract keeps its own nature: properties, getters, iteration and sync methods
 * stay sync, in this process directly and from the kernel over its blocking channel. "At most once" is promised for
 * contracted calls only.
 */
export interface Contract {
  readonly description?: string | undefined
  /** Schema of the tuple of positional arguments. A function that takes one options object has a tuple of one. */
  readonly input?: AnySchema<ReadonlyArray<any>> | undefined
  readonly output?: AnySchema<any> | undefined
  /** Default `external`: what is not declared harmless is treated as an effect. */
  readonly effect?: Effects | undefined
  readonly approval?: boolean | ((args: ReadonlyArray<unknown>) => boolean) | undefined
  /** A label that results carry until the end of the session, as far as `Taint` reaches. */
  readonly taint?: string | undefined
  /** Takes the place of the function in a dry run. Without it, a dry run refuses calls that have an effect. */
  readonly standIn?: ((...args: ReadonlyArray<any>) => unknown) | undefined
  /**
   * Names of the positional arguments: for the declaration, and for the JSON object that `functions` format maps to
   * them. Default: read off the function.
   */
  readonly parameters?: ReadonlyArray<string> | undefined
  /** Set by the engine where the call is a run of this session (a bound agent's `run`, `ask`, `continue`). */
  readonly child?: SessionId | undefined
  /** Set by the engine where the call is a question to a person: the built-in `ask`. */
  readonly question?: boolean | undefined
}
