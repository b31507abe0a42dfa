/**
 * The globals of a runtime, as far as a type check has to know of them: those of the language come with its library.
 */
import { webClasses, webValues } from "../internal/WebGlobals.ts"

const classes = [...webClasses, "WebAssembly"]

const values = [
  ...webValues,
  "console",
  "performance",
  "queueMicrotask",
  "setTimeout",
  "clearTimeout",
  "setInterval",
  "clearInterval"
]

/** Declared loosely: a call that works is never refused for want of a precise type. */
export const environment = [
  ...classes.flatMap((name) => [`declare var ${name}: any`, `type ${name} = any`]),
  ...values.map((name) => `declare var ${name}: any`),
  "interface ImportMeta { readonly url: string }"
].join("\n")
