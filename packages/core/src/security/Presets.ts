import type { Granted, ImportRule, PresetRule, SecurityRule } from "./SecurityRule.ts"

const granted = "Use what the application has bound; if something is missing, say so in your answer."

/** Modules that reach files, processes, the network or the engine. Under both their names. */
const reaching = [
  "child_process",
  "cluster",
  "dgram",
  "diagnostics_channel",
  "dns",
  "dns/promises",
  "fs",
  "fs/promises",
  "http",
  "http2",
  "https",
  "inspector",
  "inspector/promises",
  "module",
  "net",
  "os",
  "process",
  "repl",
  "sea",
  "sqlite",
  "tls",
  "trace_events",
  "v8",
  "vm",
  "wasi",
  "worker_threads"
]

const imports: ImportRule = {
  _tag: "Import",
  modules: [
    ...reaching.flatMap((name) => [name, `node:${name}`]),
    "bun",
    "bun:**",
    "data:**",
    "blob:**",
    "file:**",
    "http:**",
    "https:**"
  ],
  instead: `Modules that reach the world are not imported. ${granted}`
}

type Rule = Exclude<SecurityRule, PresetRule>

const standardRules: ReadonlyArray<Rule> = [
  imports,
  { _tag: "CodeFromText", instead: "Write the code itself in the cell." },
  {
    _tag: "Global",
    names: [
      "process",
      "require",
      "global",
      "globalThis",
      "Deno",
      "Bun",
      "WebAssembly",
      "ShadowRealm",
      "Worker",
      "SharedWorker",
      "importScripts",
      "__dirname",
      "__filename",
      "__import",
      "__meta",
      "__b",
      "__t",
      "__g"
    ],
    instead: granted
  },
  {
    _tag: "Property",
    names: [
      "__proto__",
      "__defineGetter__",
      "__defineSetter__",
      "__lookupGetter__",
      "__lookupSetter__",
      "mainModule",
      "getBuiltinModule",
      "_linkedBinding",
      "prepareStackTrace"
    ],
    instead: "Use plain properties, Object.getPrototypeOf or a class of your own."
  },
  { _tag: "Tampering", instead: "Write a function of your own under another name." }
]

/** For code that nobody has reason to trust: what ordinary code rarely needs goes as well. */
const strictRules: ReadonlyArray<Rule> = [
  ...standardRules.filter((rule) => rule !== imports),
  { _tag: "Import", modules: ["**"], instead: `Nothing is imported. ${granted}` },
  {
    _tag: "Global",
    name: "Reflection",
    names: [
      "Reflect",
      "Proxy",
      "WeakRef",
      "FinalizationRegistry",
      "SharedArrayBuffer",
      "Atomics",
      "Function",
      "import.meta",
      "window",
      "self",
      "frames",
      "top",
      "parent"
    ],
    instead: "Use plain values, functions and classes."
  },
  {
    _tag: "Property",
    name: "Reflection",
    names: [
      "constructor",
      "prototype",
      "caller",
      "callee",
      "getPrototypeOf",
      "setPrototypeOf",
      "getOwnPropertyDescriptor",
      "getOwnPropertyDescriptors",
      "getOwnPropertyNames",
      "getOwnPropertySymbols",
      "defineProperty",
      "defineProperties",
      "captureStackTrace",
      "stackTraceLimit",
      "species"
    ],
    instead: "Use plain properties and classes."
  },
  { _tag: "ComputedCall", instead: "Name the method, or look the function up in a Map." }
]

const presets = { standard: standardRules, strict: strictRules }

/** With the rules of presets in their place. */
export const withPresets = (rules: ReadonlyArray<SecurityRule>): ReadonlyArray<Rule> =>
  rules.flatMap((rule) => {
    if (rule._tag !== "Preset") return rule
    const { except, name } = rule
    return except === undefined ? presets[name] : presets[name].map((rule) => relaxed(rule, except))
  })

const relaxed = (rule: Rule, { globals, imports, properties }: Granted): Rule => {
  switch (rule._tag) {
    case "Import":
      return { ...rule, except: [...rule.except ?? [], ...imports ?? []] }
    case "Global":
      return { ...rule, names: without(rule.names, globals) }
    case "Property":
      return { ...rule, names: without(rule.names, properties) }
    default:
      return rule
  }
}

const without = (names: ReadonlyArray<string>, granted: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  names.filter((name) => !granted.includes(name))
