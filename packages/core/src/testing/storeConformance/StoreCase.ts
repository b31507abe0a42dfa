/**
 * Cases of the store conformance suite: what they are, and the world they run in.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { SessionId } from "../../Ids.ts"
import type { SessionStore } from "../../SessionStore.ts"
import { StoreError } from "../../StoreError.ts"
import { fail } from "../conformance/Check.ts"

export type Store = SessionStore["Service"]

/** Storage that was empty at the start, and lives as long as one case. */
export interface Storage {
  /**
   * A store on it, as one more process would open it. Of a `lapsing` one the leases run out, since it gives no sign of
   * life; `lapsed` says when they have.
   */
  readonly connect: (options?: { readonly lapsing?: boolean | undefined }) => Effect.Effect<Store, unknown, Scope.Scope>
  /** Returns when every lease of a lapsing store that was taken before has run out. */
  readonly lapsed: Effect.Effect<void>
}

/** What not every store promises. A case that needs one is left out where a store says that it lacks it. */
export type StoreCapability =
  /** Sessions of a process that gives no sign of life are taken over. */
  "lapse"

export interface StoreCase {
  readonly group: string
  readonly name: string
  readonly needs: ReadonlyArray<StoreCapability>
  readonly run: (storage: Storage) => Effect.Effect<void, unknown, Scope.Scope>
}

/** Adds cases to a group. */
export class StoreGroup {
  readonly cases: Array<StoreCase> = []
  readonly #name: string

  constructor(name: string) {
    this.#name = name
  }

  /** A case about one store. */
  test(name: string, run: (store: Store) => Effect.Effect<void, unknown, Scope.Scope>): this {
    return this.open(name, (storage) => Effect.flatMap(storage.connect(), run))
  }

  /** A case that opens its own stores. */
  open(name: string, run: StoreCase["run"], needs: ReadonlyArray<StoreCapability> = []): this {
    this.cases.push({ group: this.#name, name, needs, run })
    return this
  }
}

export const id = (name: string): SessionId => SessionId.make(name)

/** Gives the reason of a failure, which has to be a `StoreError` of this kind. */
export const refused = <Tag extends StoreError["reason"]["_tag"]>(
  effect: Effect.Effect<unknown, unknown, Scope.Scope>,
  tag: Tag
): Effect.Effect<Extract<StoreError["reason"], { readonly _tag: Tag }>, never, Scope.Scope> =>
  Effect.matchCause(effect, {
    onSuccess: (value) => fail(`expected ${tag}, got ${JSON.stringify(value)}`),
    onFailure: (cause) => {
      const [reason] = cause.reasons
      const error = reason?._tag === "Fail" ? reason.error : reason
      if (error instanceof StoreError && error.reason._tag === tag) {
        return error.reason as Extract<StoreError["reason"], { readonly _tag: Tag }>
      }
      return fail(
        `expected a StoreError of reason ${tag}, got ${
          String(error instanceof Error ? error.message : JSON.stringify(error))
        }`
      )
    }
  })
