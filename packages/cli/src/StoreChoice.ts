/**
 * Which store an invocation is about: that of `--store`, or of `DAYLIGHT_STORE`, else the agent's own, else that of
 * `daylight.config.ts`.
 */
import type { SessionStore } from "@daylight/core"
import type * as Layer from "effect/Layer"
import { existsSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import type { ChosenAgent } from "./AgentChoice.ts"
import type { FoundConfig } from "./Config.ts"
import { find, load } from "./Engine.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"

export interface ChosenStore {
  readonly layer: Layer.Layer<SessionStore, unknown>
  /** A file of the project that it belongs to. */
  readonly home: string
}

/** Environment variable that stands in for `--store`. */
export const variable = "DAYLIGHT_STORE"

export interface StoreChoice {
  /** As `--store` has it. */
  readonly store: string | undefined
  readonly agent?: ChosenAgent | undefined
  readonly config: FoundConfig | undefined
  /** A file that is not there is an error. */
  readonly mustExist: boolean
}

/** `undefined` where nobody names one. Rejects with a `Problem` for one that cannot be. */
export const chosenStore = async (
  { agent, config, mustExist, store }: StoreChoice
): Promise<ChosenStore | undefined> => {
  const given = store ?? (process.env[variable] || undefined)
  if (given !== undefined) return storeAt(given, agent?.home ?? config?.file ?? here(), mustExist)
  if (agent?.options.store !== undefined) return { layer: agent.options.store, home: resolve(agent.home) }
  const configured = config?.config.store
  if (config === undefined || configured === undefined) return undefined
  if (typeof configured !== "string") return { layer: configured, home: config.file }
  const place = scheme.test(configured) ? configured : resolve(dirname(config.file), configured)
  return storeAt(place, config.file, mustExist)
}

/** Stands for a file of the current folder, whose project it may be. */
const here = (): string => join(process.cwd(), "daylight")

const scheme = /^([a-z][a-z0-9+.-]+):\/\//i

const storeAt = async (place: string, near: string, mustExist: boolean): Promise<ChosenStore> => {
  const kind = scheme.exec(place)?.[1]?.toLowerCase()
  if (kind === "postgres" || kind === "postgresql") {
    const [{ PostgresStore }, home] = await packageNear<typeof import("@daylight/store/postgres")>("/postgres", near)
    return { layer: PostgresStore.layer({ url: place }), home }
  }
  if (kind !== undefined) {
    throw wrong(`--store ${kind}://`, "is no kind of store that is known", "Give a file, or postgres://...")
  }
  if (place === "") throw wrong("--store", "is empty", "Give a file, or postgres://...")
  if (mustExist && !existsSync(place)) {
    throw wrong(place, "there is no such file of sessions", `Check --store, ${variable} or daylight.config.ts.`)
  }
  const [{ SqliteStore }, home] = await packageNear<typeof import("@daylight/store")>("", near)
  return { layer: SqliteStore.layer({ filename: place }), home }
}

/** The package of the project it is about, else the one that comes with the command. */
const packageNear = async <M>(entry: string, near: string): Promise<readonly [module: M, path: string]> => {
  const name = `@daylight/store${entry}`
  const path = find(name, resolve(near)) ?? find(name, import.meta.filename)
  if (path === undefined) throw wrong(name, "is not installed", "Install it: npm install @daylight/store")
  return [await load<M>(path), path]
}

const wrong = (subject: string, problem: string, remedy: string): Problem =>
  new Problem(subject, problem, remedy, ExitCode.usage)
