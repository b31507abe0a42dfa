/**
 * Loads the agent of a FILE argument: a module whose default export is `AgentOptions`. TypeScript is run as it is, by
 * Node's own type stripping. Each way in which a file can be wrong has its own message.
 */
import type { AgentOptions, AnySchema } from "@daylight/core"
import * as Layer from "effect/Layer"
import { stat } from "node:fs/promises"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import * as ExitCode from "./ExitCode.ts"
import { describe, Problem } from "./Problem.ts"

const example = 'export default { name: "assistant", model: ..., runtime: VmRuntime.layer } satisfies AgentOptions'

/** What stands in place of parts of an agent, or for those it does not have. */
export interface AgentParts {
  readonly instead?: SomeOptions | undefined
  readonly otherwise?: SomeOptions | undefined
}

type SomeOptions = { readonly [K in keyof AgentOptions]?: AgentOptions[K] | undefined }

/**
 * `model` takes the place of the file's own, which may then have none.
 *
 * @throws Problem
 */
export const loadAgentFile = async (file: string, model?: AgentOptions["model"]): Promise<AgentOptions> =>
  (await loadAgentModule(file, { instead: { model } })).options

export interface LoadedAgent {
  readonly options: AgentOptions
  /** The schema of its answers, where the file exports one as `answer`. */
  readonly answer: AnySchema<any> | undefined
}

/**
 * `known` are names that would have done as well.
 *
 * @throws Problem
 */
export const loadAgentModule = async (
  file: string,
  parts: AgentParts = {},
  known: ReadonlyArray<string> = []
): Promise<LoadedAgent> => {
  const path = resolve(file)
  await checkExists(file, path, known)
  const module = await importModule(file, path)
  const exported = module["default"]
  if (exported === undefined) throw wrong(file, "has no default export", missingDefault(module))
  return { options: completeAgent(file, exported, parts), answer: module["answer"] as AnySchema<any> | undefined }
}

/** @throws Problem where something is missing, or of another kind. */
export const completeAgent = (subject: string, agent: unknown, { instead, otherwise }: AgentParts): AgentOptions => {
  const options = isRecord(agent) ? { ...given(otherwise), ...given(agent), ...given(instead) } : agent
  checkOptions(subject, options)
  return options
}

/** What is undefined counts as left out. */
const given = (parts: object | undefined): Fields =>
  Object.fromEntries(Object.entries(parts ?? {}).filter(([, value]) => value !== undefined))

const wrong = (file: string, problem: string, remedy: string): Problem =>
  new Problem(file, problem, remedy, ExitCode.usage)

const checkExists = async (file: string, path: string, known: ReadonlyArray<string>): Promise<void> => {
  const found = await stat(path).catch((error: unknown) => error as NodeJS.ErrnoException)
  if (found instanceof Error) {
    throw found.code === "ENOENT"
      ? wrong(file, "there is no such file", `Give the path of a file that exports an agent${orOneOf(known)}.`)
      : wrong(file, `cannot be read (${found.code ?? found.message})`, "Check its permissions.")
  }
  if (found.isFile()) return
  throw wrong(file, "is not a file", "Give the path of the file that exports the agent, not of its folder.")
}

const orOneOf = (known: ReadonlyArray<string>): string =>
  known.length === 0 ? "" : `, or one of the agents of daylight.config.ts: ${known.join(", ")}`

/** @throws Problem */
export const importModule = async (file: string, path: string): Promise<Fields> => {
  const restore = muteTypeStripping()
  try {
    return await import(pathToFileURL(path).href)
  } catch (error) {
    throw wrong(file, `cannot be loaded: ${describe(error, false)}`, remedyOf(error))
  } finally {
    restore()
  }
}

/** Node 22 warns of type stripping at its first use. */
const muteTypeStripping = (): () => void => {
  const emit = process.emitWarning
  process.emitWarning = ((...args: Parameters<typeof emit>) => {
    if (!String(args[0]).startsWith("Type Stripping")) emit.apply(process, args)
  }) as typeof emit
  return () => {
    process.emitWarning = emit
  }
}

const remedyOf = (error: unknown): string => {
  const code = error instanceof Error && "code" in error ? error.code : undefined
  switch (code) {
    case "ERR_MODULE_NOT_FOUND":
    case "ERR_PACKAGE_PATH_NOT_EXPORTED":
      return "Install what it imports, and write relative imports with their extension (./tools.ts)."
    case "ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX":
      return "Node strips types only: write enums, namespaces and parameter properties as plain JavaScript."
    case "ERR_UNKNOWN_FILE_EXTENSION":
      return "Use a .ts, .mts, .js or .mjs file."
    default:
      return origin(error) ?? "Fix the error in the file, then run it again."
  }
}

/** The first frame outside Node and packages: where the agent's own code failed. */
const origin = (error: unknown): string | undefined => {
  const frames = error instanceof Error ? error.stack?.split("\n") : undefined
  const own = frames?.find((frame) => frame.includes("file://") && !frame.includes("node_modules"))
  return own === undefined ? undefined : `Thrown ${own.trim()}`
}

const missingDefault = (module: Fields): string => {
  const named = Object.keys(module).find((name) => isRecord(module[name]) && typeof module[name]["name"] === "string")
  return named === undefined ? `Export the agent: ${example}` : `It exports "${named}": add "export default ${named}".`
}

type Fields = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Fields => typeof value === "object" && value !== null

function checkOptions(file: string, options: unknown): asserts options is AgentOptions {
  const refuse = (problem: string, remedy: string) => wrong(file, `its default export ${problem}`, remedy)
  if (!isRecord(options)) throw refuse(`is ${nameOf(options)}, not an agent`, `Export its options: ${example}`)
  if (typeof options["run"] === "function" && typeof options["stream"] === "function") {
    throw refuse("is an agent that createAgent already made", "Export the options given to createAgent instead.")
  }
  const name = options["name"]
  if (typeof name !== "string" || name === "") throw refuse("has no name", `Name the agent: ${example}`)
  checkLayer(
    file,
    options,
    "model",
    "a model, such as Anthropic.layer({ model }), or name one with --model provider:model"
  )
  checkLayer(file, options, "runtime", "a runtime, such as VmRuntime.layer")
}

const checkLayer = (file: string, options: Fields, key: string, what: string): void => {
  const value = options[key]
  if (Layer.isLayer(value)) return
  const problem = value === undefined ? `has no ${key}` : `${key} is ${nameOf(value)}, not a layer`
  throw wrong(file, `agent "${String(options["name"])}" ${problem}`, `Give it ${what}.`)
}

const nameOf = (value: unknown): string => {
  if (value === null) return "null"
  if (typeof value === "function") return "a function"
  if (typeof value === "object") return "an object"
  return `a ${typeof value}`
}
