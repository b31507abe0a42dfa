import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { HostCall } from "../Boundary.ts"
import { InvalidInput } from "../InvalidInput.ts"
import type { Caller, Policy, Verdict } from "../Policy.ts"
import { globs } from "./Glob.ts"
import type { Rule } from "./Rule.ts"
import { holds, valueAt } from "./Test.ts"
import { Usage } from "./Usage.ts"

interface Compiled {
  readonly matches: (call: HostCall, caller: Caller) => boolean
  readonly decide: (call: HostCall, caller: Caller) => Effect.Effect<Verdict>
}

/** Throws `InvalidInput` for a rule that could not decide as it says. */
export const makeRules = (rules: ReadonlyArray<Rule>, otherwise: Policy): Policy => {
  const compiled = rules.map(compile)
  return {
    decide: (call, caller) => (compiled.find(({ matches }) => matches(call, caller)) ?? otherwise).decide(call, caller)
  }
}

const compile = (rule: Rule, index: number): Compiled => {
  check(rule, index)
  const verdict = verdictOf(rule, rule.verdict, rule.why)
  const decided = Effect.succeed(verdict)
  const { most } = rule
  if (most === undefined) return { matches: matcher(rule), decide: () => decided }
  const usage = new Usage(most)
  return {
    matches: matcher(rule),
    decide: (call, caller) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const beyond = usage.take(call, caller, now)
        return beyond === undefined ? verdict : verdictOf(rule, most.beyond ?? "deny", beyond)
      })
  }
}

const verdictOf = ({ expires, role }: Rule, word: Rule["verdict"], why: string | undefined): Verdict => {
  switch (word) {
    case "allow":
      return { _tag: "Allow" }
    case "deny":
      return { _tag: "Deny", why: why ?? "a rule forbids it" }
    case "ask":
      return { _tag: "Ask", why: why ?? "a rule says so", role, expires }
  }
}

type Matches = Compiled["matches"]

const matcher = (rule: Rule): Matches => {
  const tests: Array<Matches> = []
  const { agent, effect, labels, path, principal, tainted, when, where } = rule
  if (path !== undefined) tests.push(over(path, (call) => call.path))
  if (effect !== undefined) {
    const effects = typeof effect === "string" ? [effect] : effect
    tests.push(({ contract }) => effects.includes(contract?.effect ?? "external"))
  }
  if (agent !== undefined) tests.push(over(agent, (_, caller) => caller.agent.at(-1)))
  if (principal !== undefined) tests.push(over(principal, (_, caller) => caller.principal))
  if (labels !== undefined) {
    tests.push((_, caller) => Object.entries(labels).every(([name, value]) => caller.labels[name] === value))
  }
  if (tainted !== undefined) {
    const matches = globs(tainted)
    tests.push(({ taint }) => taint.some(matches))
  }
  if (where !== undefined) {
    const places = Object.entries(where)
    tests.push(({ args }) => places.every(([place, test]) => holds(test, valueAt(args, place))))
  }
  if (when !== undefined) tests.push(when)
  return (call, caller) => tests.every((test) => test(call, caller))
}

const over = (
  patterns: string | ReadonlyArray<string>,
  name: (call: HostCall, caller: Caller) => string | undefined
): Matches => {
  const matches = globs(patterns)
  return (call, caller) => {
    const given = name(call, caller)
    return given !== undefined && matches(given)
  }
}

const check = (rule: Rule, index: number): void => {
  const refuse = (problem: string, remedy: string): never => {
    throw new InvalidInput({ subject: `rule ${index + 1} of a policy`, problem, remedy })
  }
  if (!["allow", "deny", "ask"].includes(rule.verdict)) {
    refuse(`verdict is ${JSON.stringify(rule.verdict)}`, 'Use "allow", "deny" or "ask"')
  }
  for (const key of Object.keys(rule)) {
    if (!known.has(key)) refuse(`there is no ${key}`, `A rule has: ${[...known].join(", ")}`)
  }
  const { most } = rule
  if (most === undefined) return
  if (most.calls === undefined && most.sum === undefined) refuse("most limits nothing", "Give calls or sum")
  if (most.sum !== undefined && most.of === undefined) {
    refuse("most.sum does not say of what", 'Give the place of the number, such as of: "0.amount"')
  }
}

/** A misspelt condition would match everything. */
const known: ReadonlySet<string> = new Set(
  [
    "path",
    "effect",
    "agent",
    "principal",
    "labels",
    "tainted",
    "where",
    "when",
    "most",
    "verdict",
    "why",
    "role",
    "expires"
  ]
)
