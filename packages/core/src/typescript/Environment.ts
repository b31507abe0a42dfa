/**
 * The globals of a runtime, as far as a type check has to know of them: those of the language come with its library.
 */

const names = [
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
  "CountQueuingStrategy",
  "WebAssembly"
]

const values = [
  "console",
  "crypto",
  "performance",
  "structuredClone",
  "atob",
  "btoa",
  "queueMicrotask",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval"
]

/** Declared loosely: a call that works is never refused for want of a precise type. */
export const environment = [
  ...names.flatMap((name) => [`declare var ${name}: any`, `type ${name} = any`]),
  ...values.map((name) => `declare var ${name}: any`),
  "interface ImportMeta { readonly url: string }"
].join("\n")
