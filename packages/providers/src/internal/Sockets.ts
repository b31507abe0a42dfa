/**
 * The connections of one model. Node's `fetch` shares a pool of sockets between everything in the process and keeps
 * them open for a while; a model has a pool of its own, so that nothing is left open once its layer is closed.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

export type Fetch = typeof globalThis.fetch

/** What is used of an `undici` dispatcher. */
interface Dispatcher {
  readonly destroy: () => Promise<void>
}

/**
 * `given` as it is, else the global `fetch` on a pool of its own, closed with the scope. Where the platform shows no
 * such pool (another runtime, a dispatcher that cannot be built again), the shared one is used.
 */
export const fetchOf = (given: Fetch | undefined): Effect.Effect<Fetch, never, Scope.Scope> =>
  given !== undefined ? Effect.succeed(given) : Effect.map(
    Effect.acquireRelease(
      Effect.sync(newPool),
      (pool) => pool === undefined ? Effect.void : Effect.ignore(Effect.tryPromise(() => pool.destroy()))
    ),
    (pool): Fetch =>
      pool === undefined ?
        (input, init) => globalThis.fetch(input, init)
        // The global is looked up for each call, so that who replaces it (a test, a tracer) is heard.
        : (input, init) => globalThis.fetch(input, { ...init, dispatcher: pool } as RequestInit)
  )

const newPool = (): Dispatcher | undefined => {
  void globalThis.Response // loads the platform's client, which then shows its default dispatcher
  const shared =
    (globalThis as unknown as Record<symbol, Dispatcher | undefined>)[Symbol.for("undici.globalDispatcher.1")]
  if (shared === undefined) return undefined
  try {
    return new (shared.constructor as new() => Dispatcher)()
  } catch {
    return undefined // a proxy agent wants arguments that only its owner knows: share it
  }
}
