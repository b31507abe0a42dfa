/**
 * What answers the calls of cells in a replay, by the path of a call: the application itself, the recording, or a
 * function that stands in for the application.
 */
import { type AgentOptions, type Binding, InvalidInput } from "@daylight/core"
import type { Cassette } from "../cassette/Cassette.ts"

/**
 * `live`: the application. `recorded`: the recorded call with the same path and the same arguments, equal ones in their
 * order; what is not recorded is refused. A function gets the arguments, and its result or error is that of the call.
 */
export type CallRule = "live" | "recorded" | ((...args: Array<any>) => unknown)

/**
 * By path, as in `{ pay: "recorded", "db.*": "live", now: () => 0, "**": "recorded" }`: `*` is any one part of a path,
 * `**` any number of them. A path that is named whole goes first, then the first pattern that fits. All others are
 * live.
 */
export type CallRules = { readonly [path: string]: CallRule }

/** The rule of a path. */
export const ruleOf = (rules: CallRules): (path: string) => CallRule => {
  const patterns = Object.entries(rules).filter(([path]) => isPattern(path)).map(([pattern, rule]) =>
    [expressionOf(pattern), rule] as const
  )
  return (path) =>
    Object.hasOwn(rules, path) ? rules[path]! : patterns.find(([expression]) => expression.test(path))?.[1] ?? "live"
}

/** Throws `InvalidInput` for rules that could not hold: of an agent, or of a recording. */
export const checkRules = (
  rules: CallRules,
  agent: AgentOptions,
  { cassette, depth }: { readonly cassette: Cassette; readonly depth?: string | undefined }
): void => {
  if (depth === "sealed") {
    refuse("a replay at depth sealed takes every call from the recording", 'Leave calls out, or use depth "model"')
  }
  for (const [path, rule] of Object.entries(rules)) {
    if (rule !== "live" && rule !== "recorded" && typeof rule !== "function") {
      refuse(`${path} is ${JSON.stringify(rule)}`, 'Use "live", "recorded" or a function')
    }
  }
  if (Object.values(rules).includes("recorded") && (cassette.sessions ?? []).length === 0) {
    refuse("the recording holds no host calls", "Record with { calls: true }, or leave live what it does not have")
  }
  const agents = family(agent)
  for (const { action, name } of agents) {
    if (action === "functions") {
      refuse(`${name} calls functions without cells, and a recording keeps the calls of cells`, "Leave calls out")
    }
  }
  const bindings = agents.flatMap(({ bindings = [] }) => bindings)
  for (const [path, rule] of Object.entries(rules)) if (rule !== "live") checkPath(path, bindings)
}

/** Paths of calls that have a contract: only these pass a gate at which they can be answered, on every runtime. */
export const contractedPaths = (agent: AgentOptions): ReadonlySet<string> =>
  new Set(family(agent).flatMap(({ bindings = [] }) => bindings.flatMap(pathsOf)))

type Member = Pick<AgentOptions, "action" | "bindings" | "name">

/** An agent with all its sub-agents. */
const family = (agent: Member): ReadonlyArray<Member> => [
  agent,
  ...(agent.bindings ?? []).flatMap((binding) => binding._tag === "Agent" ? family(binding.agent) : [])
]

const pathsOf = (binding: Binding): ReadonlyArray<string> => {
  switch (binding._tag) {
    case "Function":
      return [binding.name]
    case "Variable":
    case "Resource":
      return Object.keys(binding.contract ?? {}).map((method) => `${binding.name}.${method}`)
    default:
      return []
  }
}

/** A rule that would never hold leaves live what somebody thinks is not. */
const checkPath = (path: string, bindings: ReadonlyArray<Binding>): void => {
  const [name = ""] = path.split(".")
  if (isPattern(name)) return
  const bound = bindings.filter((binding) => binding.name === name)
  const fits = isPattern(path) ? expressionOf(path) : undefined
  if (bound.flatMap(pathsOf).some((known) => known === path || fits?.test(known) === true)) return
  if (bound.length === 0) refuse(`no agent has ${name} bound`, "Correct the path, or drop the rule")
  if (bound.some(({ _tag }) => _tag === "Agent")) {
    refuse(`${path} is of a sub-agent, which runs again itself`, "Name the calls that its cells make")
  }
  refuse(
    `${path} has no contract, so cells use it directly`,
    `List the method in the contract of ${name}, or bind a function in its place`
  )
}

const isPattern = (path: string): boolean => path.includes("*")

const expressionOf = (pattern: string): RegExp =>
  new RegExp(
    `^${
      pattern.replace(
        /\*\*|\*|[\\^$.+?()[\]{}|]/g,
        (part) => part === "**" ? ".*" : part === "*" ? "[^.]*" : `\\${part}`
      )
    }$`
  )

const refuse = (problem: string, remedy: string): never => {
  throw new InvalidInput({ subject: "calls of a replay", problem, remedy })
}
