/** The globals of the web platform that only compute: cells have them, and a type check knows of them. */
export const webClasses: ReadonlyArray<string> = [
  "URL",
  "URLSearchParams",
  "URLPattern",
  "TextEncoder",
  "TextDecoder",
  "TextEncoderStream",
  "TextDecoderStream",
  "AbortController",
  "AbortSignal",
  "Event",
  "EventTarget",
  "CustomEvent",
  "DOMException",
  "Blob",
  "File",
  "FormData",
  "Headers",
  "Request",
  "Response",
  "ReadableStream",
  "WritableStream",
  "TransformStream",
  "CompressionStream",
  "DecompressionStream",
  "ByteLengthQueuingStrategy",
  "CountQueuingStrategy"
]

export const webValues: ReadonlyArray<string> = ["structuredClone", "atob", "btoa", "crypto"]
