/**
 * Events as stores and files keep them: JSON text, untouched, whichever version wrote it.
 */
import * as Effect from "effect/Effect"
import { decodeEvent, encodeEvent, Event, type Recorded } from "./Event.ts"
import type { SessionId } from "./Ids.ts"
import { isPlainJson } from "./internal/isPlainJson.ts"
import { StoreError } from "./StoreError.ts"

export interface StoredEvent {
  readonly seq: number
  /** Epoch milliseconds. */
  readonly time: number
  /** Of the event schema that wrote it. */
  readonly v: number
  readonly json: string
}

/** To be written. Fails with `Invalid`, which names the place of what does not fit and not its value. */
export const toStored = (recorded: Recorded): Effect.Effect<StoredEvent, StoreError> =>
  Effect.suspend(() => {
    const { event, seq, session, time, v } = recorded
    const json = jsonOfOwn(event)
    if (json !== undefined) return Effect.succeed({ seq, time, v, json })
    return Effect.mapBoth(encodeEvent(event), {
      onSuccess: (raw) => ({ seq, time, v, json: JSON.stringify(raw) }),
      onFailure: (error) => {
        const detail = `event ${seq} (${String(event._tag)}) does not fit: ${oneLine(error.message)}`
        return new StoreError({ session, reason: { _tag: "Invalid", detail } })
      }
    })
  })

/** The same at once, for an event of the engine's own that is plain data. `undefined` for any other. */
export const jsonOfOwn = (event: Recorded["event"]): string | undefined =>
  isOwnEvent(event) && isPlainJson(event) ? JSON.stringify(event) : undefined

/**
 * One of those that the engine makes itself. Their types have been checked, so that plain data needs no look at the
 * schema; what an application hands over (a definition, a prompt) does.
 */
export const isOwnEvent = ({ _tag }: Recorded["event"]): boolean =>
  _tag !== "SessionOpened" && _tag !== "RunStarted" && Object.hasOwn(Event.cases, _tag)

/** To be read. Fails with `Corrupt`; an event of a newer version becomes `Unknown`. */
export const fromStored = (
  session: SessionId,
  { json, seq, time, v }: StoredEvent
): Effect.Effect<Recorded, StoreError> =>
  Effect.suspend(() => {
    const raw = parse(json)
    if (raw instanceof Error) return corrupt(session, seq, raw.message)
    return Effect.matchEffect(decodeEvent(raw), {
      onSuccess: (event) => Effect.succeed({ session, seq, time, v, event }),
      onFailure: (error) => corrupt(session, seq, error.message)
    })
  })

/** The hashes of the blobs that a stored event refers to. */
export const blobsIn = ({ json }: StoredEvent): ReadonlyArray<string> =>
  json.includes('"hash":"sha256:') ? [...json.matchAll(reference)].map(([, hash]) => hash!) : []

/** A quotation mark inside of a text is escaped, so that only a `BlobRef` looks like this. */
const reference = /"hash":"(sha256:[0-9a-f]{64})"/g

const parse = (json: string) => {
  try {
    return JSON.parse(json)
  } catch (error) {
    return error as SyntaxError
  }
}

const corrupt = (session: SessionId, seq: number, detail: string) =>
  Effect.fail(new StoreError({ session, reason: { _tag: "Corrupt", seq, detail: oneLine(detail) } }))

const oneLine = (text: string) => text.replaceAll(/\s*\n\s*/g, " ").slice(0, 500)
