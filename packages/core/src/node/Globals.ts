/**
 * The web globals that only compute. What reaches the world (`fetch`, `WebSocket`, modules) is absent: the application
 * grants it as a binding, so that it passes the boundary.
 */
import { webClasses, webValues } from "../internal/WebGlobals.ts"
import { defineName, type Namespace } from "./Namespace.ts"
import type { Timers } from "./Timers.ts"

/** What a model may look for in vain, and what to use in its place. */
export const absent: Readonly<Record<string, string>> = {
  fetch: "cells have no network of their own; use a function that the application provides for it",
  WebSocket: "cells have no network of their own; use a function that the application provides for it",
  EventSource: "cells have no network of their own; use a function that the application provides for it",
  XMLHttpRequest: "cells have no network of their own; use a function that the application provides for it",
  require: 'write `import x from "module"`, for modules that are granted',
  module: "cells are no CommonJS modules: top-level names persist by themselves",
  exports: "cells are no CommonJS modules: top-level names persist by themselves",
  process: "cells have no process; settings and secrets come as variables of the application",
  __dirname: "cells have no files; data comes through variables and functions of the application",
  __filename: "cells have no files; data comes through variables and functions of the application",
  fs: "cells have no files; data comes through variables and functions of the application",
  Deno: "cells have no process and no files; data comes through variables and functions of the application",
  Bun: "cells have no process and no files; data comes through variables and functions of the application",
  Buffer: "use Uint8Array, TextEncoder, TextDecoder, atob and btoa",
  global: "use globalThis",
  window: "there is no browser; use globalThis",
  document: "there is no browser; return data or text in its place",
  localStorage: "top-level variables persist from cell to cell by themselves",
  sessionStorage: "top-level variables persist from cell to cell by themselves",
  setImmediate: "use queueMicrotask or setTimeout(f, 0)",
  alert: "use console.log",
  prompt: "use ask(question), where it is declared",
  print: "use console.log",
  None: "this is JavaScript: use null",
  True: "this is JavaScript: use true",
  False: "this is JavaScript: use false",
  len: "this is JavaScript: use .length, or .size of a Map or Set",
  str: "this is JavaScript: use String(value)",
  pd: "this is JavaScript: use arrays of objects with map, filter and reduce",
  np: "this is JavaScript: use arrays and Math",
  _: "lodash is not loaded: use the methods of arrays and Object.entries"
}

/** Call once for each new context, after `bridgeRealm`. */
export const installGlobals = (namespace: Namespace, console: object, timers: Timers): void => {
  const hidden = { writable: true, enumerable: false }
  defineName(namespace, "console", console, hidden)
  defineName(namespace, "performance", { now: () => performance.now(), timeOrigin: performance.timeOrigin }, hidden)
  for (const [name, value] of Object.entries(timers.functions())) defineName(namespace, name, value, hidden)
  for (const name of [...webClasses, ...webValues]) if (name in globalThis) defineLazily(namespace, name)
}

/** Taken from the host when first used: reading some of them loads a part of Node. */
const defineLazily = (namespace: Namespace, name: string): void => {
  const settle = (value: unknown): unknown => {
    defineName(namespace, name, value, { writable: true, enumerable: false })
    return value
  }
  Object.defineProperty(namespace, name, {
    get: () => settle((globalThis as never)[name]),
    set: settle,
    configurable: true,
    enumerable: false
  })
}
