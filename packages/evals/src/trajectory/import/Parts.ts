/** Contents of messages in the various chat formats. */
import type { Content, ContentPart } from "../Trajectory.ts"
import type { Draft, Raw } from "./Draft.ts"

/** Text and images of a content; all else is noted as lost. */
export const contentOf = (content: Raw, draft: Draft): Content => {
  if (content === undefined || content === null) return ""
  if (typeof content === "string") return content
  if (!Array.isArray(content)) return JSON.stringify(content)
  const parts = content.flatMap((part) => partOf(part, draft))
  return parts.every((part) => part.type === "text") && parts.length <= 1 ? parts[0]?.text ?? "" : parts
}

const partOf = (part: Raw, draft: Draft): ReadonlyArray<ContentPart> => {
  if (typeof part === "string") return [{ type: "text", text: part }]
  const text = part?.text ?? part?.input_text ?? part?.output_text ?? part?.refusal
  if (typeof text === "string") return [{ type: "text", text }]
  const image = imageOf(part)
  if (image !== undefined) return [{ type: "image", source: image }]
  draft.lose(`content of type ${String(part?.type ?? typeof part)}`)
  return []
}

const imageOf = (part: Raw): ContentPart["source"] => {
  const url = typeof part?.image_url === "string"
    ? part.image_url
    : part?.image_url?.url ?? part?.source?.url ?? part?.image
  if (typeof url === "string") return { media_type: /^data:([^;,]+)/.exec(url)?.[1] ?? "image/*", path: url }
  const { data, media_type: type } = part?.source ?? {}
  return part?.type === "image" && typeof data === "string"
    ? { media_type: type ?? "image/*", path: `data:${type};base64,${data}` }
    : undefined
}
