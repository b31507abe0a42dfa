/**
 * What the owner of a session is sent.
 */
import { type Journal, Signal, StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { Backend, Claim, Mail } from "./Backend.ts"

/** All that waits, then all that comes; fails with `Fenced` when the session is another's. */
export const signalsOf = (backend: Backend, claim: Claim): Journal["signals"] =>
  Stream.unwrap(
    Effect.map(backend.wake.listen("mail", claim.key), ({ changed }) =>
      Stream.paginate(0, (after) =>
        Effect.map(
          Effect.andThen(changed, backend.mail(claim, after)),
          (mails) => [mails, Option.some(mails.at(-1)?.id ?? after)] as const
        )))
  ).pipe(Stream.mapEffect((mail) =>
    Effect.map(decode(claim, mail), (signal) => ({ signal, taken: backend.take(claim, mail.id) }))
  ))

export const encodeSignal = (session: string, signal: Signal): Effect.Effect<string, StoreError> =>
  Effect.mapError(
    Effect.map(toJson(signal), (raw) => JSON.stringify(raw)),
    (error) =>
      new StoreError({ session, reason: { _tag: "Invalid", detail: `the signal does not fit: ${error.message}` } })
  )

const toJson = Schema.encodeUnknownEffect(Schema.toCodecJson(Signal))
const fromJson = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.toCodecJson(Signal)))

const decode = ({ seq, session }: Claim, { json }: Mail): Effect.Effect<Signal, StoreError> =>
  Effect.mapError(
    fromJson(json),
    (error) => new StoreError({ session, reason: { _tag: "Corrupt", seq, detail: `a signal: ${error.message}` } })
  )
