/**
 * What every store of sessions has to do, as cases that run against any of them: in memory, in a file, on a server, or
 * one of your own. Whatever only some stores promise is a named capability.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { TestLibrary } from "./RuntimeConformance.ts"
import { appending } from "./storeConformance/Appending.ts"
import { interleaving } from "./storeConformance/Interleaving.ts"
import { listing } from "./storeConformance/Listing.ts"
import { mailbox } from "./storeConformance/Mailbox.ts"
import { moving } from "./storeConformance/Moving.ts"
import { opening } from "./storeConformance/Opening.ts"
import { ownership } from "./storeConformance/Ownership.ts"
import { reading } from "./storeConformance/Reading.ts"
import { blobs, removing } from "./storeConformance/Removing.ts"
import type { Storage, StoreCapability, StoreCase } from "./storeConformance/StoreCase.ts"

export type { Storage, StoreCapability, StoreCase } from "./storeConformance/StoreCase.ts"

export interface StoreConformanceOptions {
  /** Of the store, for the titles. */
  readonly name: string
  /** Empty storage for one case, given up with the scope. */
  readonly storage: Effect.Effect<Storage, unknown, Scope.Scope>
  /** What the store does not promise; the cases that need it are left out. Default: it promises all. */
  readonly lacks?: ReadonlyArray<StoreCapability> | undefined
}

/** All cases, as data. */
export const storeCases: ReadonlyArray<StoreCase> = [
  opening,
  appending,
  ownership,
  reading,
  mailbox,
  listing,
  removing,
  blobs,
  moving,
  interleaving
].flatMap((group) => group.cases)

/** Runs one case; rejects where the store does not conform. */
export const runStoreCase = ({ run }: StoreCase, storage: StoreConformanceOptions["storage"]): Promise<void> =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(storage, run)))

/**
 * Registers the cases with a test library. Those that need what the store says it lacks are not among them, so that
 * nothing is reported as skipped; the title of the suite tells what it lacks.
 *
 * ```ts
 * import { describe, it } from "vitest"
 * storeConformance({ describe, it }, { name: "mine", storage: Effect.succeed({ connect, lapsed }) })
 * ```
 */
export const storeConformance = (
  { describe, it }: TestLibrary,
  { lacks = [], name, storage }: StoreConformanceOptions
): void => {
  const held = storeCases.filter(({ needs }) => !needs.some((capability) => lacks.includes(capability)))
  const groups = Map.groupBy(held, ({ group }) => group)
  describe(`${name} store${lacks.length === 0 ? "" : `, which lacks: ${lacks.join(", ")}`}`, () => {
    for (const [group, cases] of groups) {
      describe(group, () => {
        for (const each of cases) it(each.name, () => runStoreCase(each, storage))
      })
    }
  })
}
