/**
 * Events as they happen. Publishing never waits; a slow or failing subscriber harms only itself.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Recorded } from "./Event.ts"
import type { SessionId } from "./Ids.ts"

/** Whose event it is: one object a session, shared by all its events. Both paths begin at the root. */
export interface Origin {
  readonly session: SessionId
  readonly agent: ReadonlyArray<string>
  readonly lineage: ReadonlyArray<SessionId>
}

/** Live only; never stored, may be dropped for a slow subscriber. */
export type Live =
  | { readonly _tag: "Recorded"; readonly origin: Origin; readonly recorded: Recorded }
  | {
    readonly _tag: "TextDelta" | "ReasoningDelta" | "CodeDelta" | "OutputDelta"
    readonly origin: Origin
    readonly text: string
  }

export interface EventBus {
  readonly publish: (event: Live) => void
  /**
   * Subscribed before the effect returns; a session with its children, or everything. A full buffer drops the oldest
   * events, and recorded events can be read again from the store.
   */
  readonly subscribe: (session?: SessionId) => Effect.Effect<Stream.Stream<Live>, never, Scope.Scope>
}

/** Events a subscriber may fall behind. */
const buffered = 10_000

const makeHub = (): EventBus => {
  const subscribers = new Set<(event: Live) => void>()
  return {
    publish: (event) => {
      for (const offer of subscribers) offer(event)
    },
    subscribe: (session) =>
      Effect.acquireRelease(
        Effect.map(Queue.sliding<Live>(buffered), (queue) => {
          const offer = (event: Live) => {
            if (session === undefined || event.origin.lineage.includes(session)) Queue.offerUnsafe(queue, event)
          }
          subscribers.add(offer)
          return { queue, offer }
        }),
        ({ offer }) => Effect.sync(() => void subscribers.delete(offer))
      ).pipe(Effect.map(({ queue }) => Stream.fromQueue(queue)))
  }
}

/** Default: a hub in this process. Replace it to forward events elsewhere. */
export const EventBus: Context.Reference<EventBus> = Context.Reference<EventBus>("@daylight/core/EventBus", {
  defaultValue: makeHub
})
