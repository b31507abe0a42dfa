/** Message contents of Daylight as contents of a trajectory. */
import type { BlobRef } from "@daylight/core"
import type { Content, ContentPart } from "./Trajectory.ts"

type Part = { readonly _tag: "Text"; readonly text: string } | { readonly _tag: "Media"; readonly blob: BlobRef }

/** One text is a string; all else is a list of parts. */
export const contentOf = (parts: ReadonlyArray<Part>): Content => {
  const [first] = parts
  if (parts.length === 0) return ""
  return parts.length === 1 && first!._tag === "Text" ? first!.text : parts.map(partOf)
}

const partOf = (part: Part): ContentPart => {
  if (part._tag === "Text") return { type: "text", text: part.text }
  const { bytes, hash, mediaType } = part.blob
  return mediaType.startsWith("image/")
    ? { type: "image", source: { media_type: mediaType, path: hash }, extra: { daylight: { bytes } } }
    : { type: "text", text: `[${mediaType}, ${bytes} bytes, ${hash}]` }
}

/** All text of a content. */
export const textOf = (content: Content | undefined): string => {
  if (content === undefined || typeof content === "string") return content ?? ""
  return content.map((part) => part.type === "text" ? part.text ?? "" : `[${part.source?.media_type ?? "image"}]`).join(
    "\n"
  )
}
