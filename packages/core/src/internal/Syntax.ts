import * as Effect from "effect/Effect"

type Syntax = typeof import("../syntax/index.ts")

let loaded: Syntax | undefined

/** The parser is loaded with the first cell, so that a program that runs none does not pay for it. */
export const withSyntax = <A, E>(use: (syntax: Syntax) => Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    if (loaded !== undefined) return use(loaded)
    return Effect.flatMap(Effect.promise(() => import("../syntax/index.ts")), (syntax) => use(loaded = syntax))
  })
