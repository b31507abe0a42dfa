/**
 * Bytes of the images and files in a conversation. The history only holds content addresses, and the request says how
 * to read them. Each is read once for each message that shows it.
 */
import type { BlobRef, ModelError, ModelRequest } from "@daylight/core"
import * as Effect from "effect/Effect"

/** Base64 by hash. */
type Loaded = ReadonlyMap<string, string>

/** Collects what a request needs and does not have yet. */
export interface Media {
  readonly loaded: Loaded
  readonly missing: Array<BlobRef>
}

/** Builds a body, and once more after loading whatever was missing the first time. */
export const withMedia = <A>(build: (media: Media) => A, request: ModelRequest): Effect.Effect<A, ModelError> =>
  Effect.suspend(() => {
    const first: Media = { loaded: none, missing: [] }
    const built = build(first)
    if (first.missing.length === 0) return Effect.succeed(built)
    return Effect.map(load(first.missing, request), (loaded) => build({ loaded, missing: [] }))
  })

const none: Loaded = new Map()

const load = Effect.fnUntraced(function*(refs: ReadonlyArray<BlobRef>, request: ModelRequest) {
  const loaded = new Map<string, string>()
  for (const ref of refs) {
    if (!loaded.has(ref.hash)) loaded.set(ref.hash, Buffer.from(yield* request.media(ref)).toString("base64"))
  }
  return loaded
})

/** Base64 of a blob, noting it as missing where it is not there yet. */
export const base64 = (media: Media, ref: BlobRef): string => {
  const data = media.loaded.get(ref.hash)
  if (data === undefined) media.missing.push(ref)
  return data ?? ""
}
