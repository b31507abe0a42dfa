/** First bytes of the formats that models take (as listed in the WHATWG MIME Sniffing standard), then names. */
const signatures: ReadonlyArray<readonly [type: string, offset: number, bytes: string]> = [
  ["image/png", 0, "\x89PNG"],
  ["image/jpeg", 0, "\xff\xd8\xff"],
  ["image/gif", 0, "GIF8"],
  ["image/webp", 8, "WEBP"],
  ["application/pdf", 0, "%PDF-"]
]

const extensions: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  svg: "image/svg+xml",
  pdf: "application/pdf",
  txt: "text/plain",
  md: "text/markdown",
  csv: "text/csv",
  json: "application/json",
  html: "text/html",
  xml: "application/xml"
}

/** The media type of bytes, as far as they or the name of their source tell; `application/octet-stream` otherwise. */
export const mediaTypeOf = (bytes: Uint8Array, name: string): string => {
  const start = String.fromCharCode(...bytes.subarray(0, 16))
  for (const [type, offset, signature] of signatures) if (start.startsWith(signature, offset)) return type
  const declared = /^data:([\w.+-]+\/[\w.+-]+)/i.exec(name)?.[1]
  const extension = /\.(\w+)(?:[?#].*)?$/.exec(name)?.[1]?.toLowerCase()
  return declared ?? (extension === undefined ? undefined : extensions[extension]) ?? "application/octet-stream"
}
