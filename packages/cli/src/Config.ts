/**
 * `daylight.config.ts`: what the agents of a project have in common. Every command looks for it in the current folder,
 * then in those above. What a flag says or an agent's file holds comes first.
 */
import type { AgentOptions } from "@daylight/core"
import * as Layer from "effect/Layer"
import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { importModule } from "./AgentFile.ts"
import * as ExitCode from "./ExitCode.ts"
import * as Log from "./Log.ts"
import { Problem } from "./Problem.ts"

/** The default export of the file. Paths in it start from its folder. */
export interface DaylightConfig {
  /** For agents without a model: a layer, or a name as `--model` takes it. */
  readonly model?: AgentOptions["model"] | string | undefined
  /** For agents without a runtime. */
  readonly runtime?: AgentOptions["runtime"] | undefined
  /** For agents without a store, and what `sessions` and `approvals` look into: a layer, or as `--store` takes it. */
  readonly store?: AgentOptions["store"] | string | undefined
  /** Names that stand for FILE: the path of an agent's file, or the agent itself. */
  readonly agents?: Readonly<Record<string, string | Partial<AgentOptions>>> | undefined
}

export interface FoundConfig {
  readonly file: string
  readonly config: DaylightConfig
}

const names = ["ts", "mts", "js", "mjs"].map((ending) => `daylight.config.${ending}`)

/** `undefined` where there is none. Rejects with a `Problem` for one that is wrong. */
export const findConfig = async (folder: string = process.cwd()): Promise<FoundConfig | undefined> => {
  const file = nearest(folder)
  if (file === undefined) return undefined
  Log.debug(`config ${file}`)
  const config = (await importModule(file, file))["default"]
  check(file, config)
  return { file, config }
}

const nearest = (folder: string): string | undefined => {
  const found = names.map((name) => join(folder, name)).find((file) => existsSync(file))
  const above = dirname(folder)
  return found ?? (above === folder ? undefined : nearest(above))
}

/** What each part has to be, in words. */
const parts: Readonly<Record<keyof DaylightConfig, readonly [fits: (value: unknown) => boolean, what: string]>> = {
  model: [(value) => isText(value) || Layer.isLayer(value), 'a layer, or a name such as "ollama:qwen3:8b"'],
  runtime: [Layer.isLayer, "a layer, such as VmRuntime.layer"],
  store: [(value) => isText(value) || Layer.isLayer(value), "a layer, the path of a file, or postgres://..."],
  agents: [
    (value) => isRecord(value) && Object.values(value).every((agent) => isText(agent) || isRecord(agent)),
    "names with the paths of agents' files, or agents"
  ]
}

function check(file: string, config: unknown): asserts config is DaylightConfig {
  const refuse = (problem: string, remedy: string) => new Problem(file, problem, remedy, ExitCode.usage)
  if (!isRecord(config)) {
    throw refuse("has no default export that is an object", 'Write: export default { store: "sessions.db" }')
  }
  for (const [key, value] of Object.entries(config)) {
    const part = Object.hasOwn(parts, key) ? parts[key as keyof DaylightConfig] : undefined
    if (part === undefined) throw refuse(`"${key}" is not known`, `These are: ${Object.keys(parts).join(", ")}.`)
    const [fits, what] = part
    if (value !== undefined && !fits(value)) throw refuse(`its ${key} is of another kind`, `Give it ${what}.`)
  }
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
