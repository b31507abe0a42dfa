/**
 * The two forms in which a conversation goes on the wire: with actions as native calls, where a request offers actions,
 * else with actions as blocks in the text. The wire forms of messages are kept for each set of names and each way to
 * write a block, of which a model sees a few: one per kind of agent.
 */
import { type Message, type ModelRequest } from "@daylight/core"
import { type ActionNames, namesOf } from "./ActionNames.ts"
import { type Media } from "./Media.ts"
import { type Say, sayWith } from "./TextForm.ts"
import * as WireCache from "./WireCache.ts"

export type Form =
  /** Calls go under the names that this gives. */
  | { readonly toWire: ActionNames["toWire"]; readonly say?: undefined }
  /** Calls are text, as this writes it. */
  | { readonly say: Say; readonly toWire?: undefined }

export interface WireMessages<Wire> {
  readonly messages: Array<Wire>
  /** Absent where nothing is offered. */
  readonly names: ActionNames | undefined
}

/** `translate` gives any number of wire messages for one of ours, and must not depend on the others. */
export const wireForms = <Wire>(
  translate: (message: Message, media: Media, form: Form) => ReadonlyArray<Wire>
): (request: ModelRequest, media: Media) => WireMessages<Wire> => {
  const inForm = (form: Form) => WireCache.make((message, media) => translate(message, media, form))
  const native = perKey(
    (actions: ModelRequest["actions"]) => actions.map((action) => action.name).join("\n"),
    (actions) => {
      const names = namesOf(actions)
      return { names, wire: inForm({ toWire: names.toWire }) }
    }
  )
  const spoken = perKey((block: ModelRequest["block"]) => `${block?.open}\n${block?.close}`, (block) => ({
    names: undefined,
    wire: inForm({ say: sayWith(block) })
  }))
  return (request, media) => {
    const { names, wire } = request.actions.length === 0 ? spoken(request.block) : native(request.actions)
    return { names, messages: wire.of(request.messages, media) }
  }
}

const atMost = 32

const perKey = <K, A>(keyOf: (what: K) => string, make: (what: K) => A): (what: K) => A => {
  const made = new Map<string, A>()
  return (what) => {
    const key = keyOf(what)
    let kept = made.get(key)
    if (kept === undefined) {
      if (made.size >= atMost) made.clear()
      kept = make(what)
      made.set(key, kept)
    }
    return kept
  }
}
