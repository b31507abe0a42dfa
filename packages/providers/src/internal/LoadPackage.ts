/** Packages that are only there where somebody installed them. */
import { InvalidInput } from "@daylight/core"
import * as Effect from "effect/Effect"

/** What `module` imports; fails with the name of the package that has to be installed for it. */
export const load = <A>(packageName: string, module: () => Promise<A>): Effect.Effect<A, InvalidInput> =>
  Effect.tryPromise({
    try: module,
    catch: (cause) =>
      new InvalidInput({
        subject: `package ${packageName}`,
        problem: `it cannot be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
        remedy: `Install it: npm install ${packageName}`
      })
  })
