/**
 * Wire forms of messages, by identity. A history only grows at its end, so a step translates what is new and hands the
 * rest over as it is.
 */
import { type Message } from "@daylight/core"
import { type Media } from "./Media.ts"

export interface WireCache<Wire> {
  readonly of: (messages: ReadonlyArray<Message>, media: Media) => Array<Wire>
}

/** `translate` gives any number of wire messages for one of ours, and must not depend on the others. */
export const make = <Wire>(translate: (message: Message, media: Media) => ReadonlyArray<Wire>): WireCache<Wire> => {
  const cache = new WeakMap<Message, ReadonlyArray<Wire>>()
  return {
    of: (messages, media) => {
      const out: Array<Wire> = []
      for (const message of messages) {
        let wire = cache.get(message)
        if (wire === undefined) {
          const missing = media.missing.length
          wire = translate(message, media)
          if (media.missing.length === missing) cache.set(message, wire)
        }
        for (const one of wire) out.push(one)
      }
      return out
    }
  }
}
