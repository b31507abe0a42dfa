/**
 * Who looks on. Observers see what the event bus sees, have no say, and cannot harm: what one throws or rejects with is
 * dropped. What may stop or change something is a gate: see `Gates`.
 */
import * as Context from "effect/Context"
import type { Live } from "./EventBus.ts"

/** Called in order of the events, and not waited for. */
export type Observer = (event: Live) => unknown

export const Observers: Context.Reference<ReadonlyArray<Observer>> = Context.Reference<ReadonlyArray<Observer>>(
  "@daylight/core/Observers",
  { defaultValue: () => [] }
)

/** Runs what only looks on, so that it cannot stop what it looks at. */
export const unharmed = (look: () => unknown): void => {
  try {
    const later = look()
    if (later instanceof Promise) later.catch(dropped)
  } catch {
    dropped()
  }
}

const dropped = (): void => {
  // Its own affair: it was told, and what it made of that concerns nobody else.
}
