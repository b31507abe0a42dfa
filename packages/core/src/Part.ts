/**
 * What an application may say to an agent: text, images and files. Media given by path, URL or bytes are stored by
 * content hash when the run starts, so the log holds a reference and never the bytes.
 */
import * as Effect from "effect/Effect"
import { InvalidInput } from "./InvalidInput.ts"
import { mediaTypeOf } from "./internal/MediaType.ts"
import type { Message } from "./Message.ts"
import type { Platform } from "./Platform.ts"
import type { SessionStore } from "./SessionStore.ts"
import type { StoreError } from "./StoreError.ts"

/** A path, a `file:`, `data:`, `http:` or `https:` URL, or the bytes themselves. */
export type MediaSource = string | URL | Uint8Array

export interface MediaPart {
  readonly _tag: "Unstored"
  readonly kind: "image" | "file"
  readonly source: MediaSource
  /** Default: by the first bytes, then by the name. */
  readonly mediaType?: string | undefined
}

/** One part of a prompt. A string is text. */
export type Part = string | MediaPart

/** A text, parts in order, or a message that is already stored. */
export type UserPrompt = string | ReadonlyArray<Part> | typeof Message.cases.User.Type

const media =
  (kind: MediaPart["kind"]) => (source: MediaSource, options?: { readonly mediaType?: string | undefined }): Part => {
    if (typeof source === "string" ? source === "" : !(source instanceof URL || source instanceof Uint8Array)) {
      throw new InvalidInput({
        subject: `Part.${kind}`,
        problem: "there is no source",
        remedy: "Give a path, a URL or bytes"
      })
    }
    return { _tag: "Unstored", kind, source, mediaType: options?.mediaType }
  }

/**
 * Parts of a prompt that are not text.
 *
 * ```ts
 * import { Part } from "@daylight/core"
 *
 * const prompt = ["What does this show?", Part.image(new Uint8Array([0x89, 0x50, 0x4e, 0x47]))]
 * prompt.length // => 2
 * ```
 */
export const Part = {
  /** A picture that the model is to see. */
  image: media("image"),
  /** A document, such as a PDF. */
  file: media("file")
}

type UserContent = (typeof Message.cases.User.Type)["content"][number]

/**
 * Reads and stores the media of a prompt. Fails with `InvalidInput` for an empty prompt and for a source that cannot be
 * read.
 */
export const storePrompt = (
  prompt: UserPrompt,
  store: SessionStore["Service"],
  platform: Platform
): Effect.Effect<typeof Message.cases.User.Type, InvalidInput | StoreError> => {
  if (typeof prompt === "object" && "_tag" in prompt) {
    return prompt.content.length === 0
      ? Effect.fail(empty())
      : Effect.succeed(prompt)
  }
  const parts = typeof prompt === "string" ? [prompt] : prompt
  if (!parts.some((part) => typeof part !== "string" || part.trim() !== "")) return Effect.fail(empty())
  return Effect.map(
    Effect.forEach(parts, (part) => storePart(part, store, platform)),
    (content) => ({ _tag: "User", content })
  )
}

const storePart = (
  part: Part,
  store: SessionStore["Service"],
  platform: Platform
): Effect.Effect<UserContent, InvalidInput | StoreError> =>
  typeof part === "string"
    ? Effect.succeed({ _tag: "Text", text: part.toWellFormed() })
    : Effect.flatMap(readMedia(part, platform), ({ bytes, mediaType }) =>
      Effect.map(store.putBlob(bytes, mediaType), (blob) => ({ _tag: "Media", blob })))

const empty = () => new InvalidInput({ subject: "prompt", problem: "is empty", remedy: "Say what the agent is to do" })

const readMedia = ({ kind, mediaType, source }: MediaPart, platform: Platform) => {
  const name = source instanceof Uint8Array ? `${source.length} bytes` : String(source).slice(0, 200)
  return Effect.tryPromise({
    try: async () => {
      const bytes = await readSource(source, platform)
      const type = mediaType ?? mediaTypeOf(bytes, source instanceof Uint8Array ? "" : String(source))
      if (kind === "image" && !type.startsWith("image/")) throw new Error(`it is ${type}, not an image`)
      return { bytes, mediaType: type }
    },
    catch: (cause) =>
      new InvalidInput({
        subject: `${kind} ${name}`,
        problem: cause instanceof Error ? cause.message : String(cause),
        remedy: "Check the source, or pass { mediaType }"
      })
  })
}

const readSource = async (source: MediaSource, platform: Platform): Promise<Uint8Array> => {
  if (source instanceof Uint8Array) return source
  const url = typeof source === "string" && /^(https?|data|file):/i.test(source) ? new URL(source) : source
  if (typeof url === "string" || url.protocol === "file:") return platform.readFile(url)
  const response = await fetch(url)
  if (!response.ok) throw new Error(`the server answered ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}
