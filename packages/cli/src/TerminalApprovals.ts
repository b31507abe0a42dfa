/**
 * Asks in the terminal: whether a host call may happen, or what a cell wants to know. One question at a time, also if
 * several agents ask at once. What only another role may answer is shown and left to that role.
 */
import type { Approvals, Decided, Decision, PendingApproval } from "@daylight/core"
import { createInterface } from "node:readline/promises"
import { setTimeout } from "node:timers/promises"
import { inspect } from "node:util"
import type { Engine } from "./Engine.ts"
import { safe } from "./renderer/Safe.ts"
import type { TerminalRenderer } from "./renderer/TerminalRenderer.ts"

export interface Person {
  readonly renderer: TerminalRenderer
  readonly input: NodeJS.ReadableStream
  readonly output: NodeJS.WritableStream
  /** Ctrl-C while a question is open. */
  readonly onInterrupt: () => void
  /** In which roles they sit here. Default: those in `DAYLIGHT_ROLES`, separated by commas. */
  readonly roles?: ReadonlyArray<string> | undefined
}

const callChoices = "y: once, s: for this session, n: no (n REASON tells the model why) › "
const answerHint = "your answer (/no REASON declines) › "
const by = "terminal"
/** How long the screen may take to show what came before a question. */
const patienceMs = 300

export const terminalApprovals = ({ Effect }: Engine, person: Person): Approvals => {
  let last: Promise<unknown> = Promise.resolve()
  const roles = person.roles ?? rolesOf(process.env["DAYLIGHT_ROLES"])
  const inTurn = (pending: PendingApproval, signal: AbortSignal): Promise<Decided> => {
    const mine = last.then(() => ask(pending, person, roles, signal))
    last = mine.catch(() => undefined) // the failure belongs to the one who asked
    return mine
  }
  return {
    ask: (pending) => {
      if (pending.role === undefined || roles.includes(pending.role)) {
        return Effect.promise((signal) => inTurn(pending, signal))
      }
      return Effect.flatMap(Effect.sync(() => leave(pending, person)), () => Effect.never)
    }
  }
}

const rolesOf = (text: string | undefined): ReadonlyArray<string> =>
  (text ?? "").split(",").map((role) => role.trim()).filter((role) => role !== "")

/** Said once; somebody answers elsewhere. */
const leave = (pending: PendingApproval, { output, renderer }: Person): void => {
  const release = renderer.hold()
  const how = `  daylight approvals resolve ${pending.key} --role ${pending.role}`
  output.write(`${headline(pending)}  waits for the role ${safe(pending.role!)}:\n${safe(how)}\n`)
  release()
}

const ask = async (
  pending: PendingApproval,
  person: Person,
  roles: ReadonlyArray<string>,
  signal: AbortSignal
): Promise<Decided> => {
  // A live event may be late or dropped; the question does not depend on it.
  await Promise.race([person.renderer.reached(pending.key), setTimeout(patienceMs, undefined, { signal })])
  const release = person.renderer.hold()
  const terminal = createInterface({ input: person.input, output: person.output })
  terminal.on("SIGINT", person.onInterrupt)
  try {
    person.output.write(headline(pending))
    for (;;) {
      const line = await terminal.question(pending.question === undefined ? callChoices : answerHint, { signal })
      const decision = pending.question === undefined ? verdictOf(line) : answerOf(line, pending.question.options)
      if (decision === undefined) continue
      const decided = { decision, by, roles }
      const problem = pending.problem(decided)
      if (problem === undefined) return decided
      person.output.write(`  ${safe(problem)}\n`)
    }
  } finally {
    terminal.close()
    release()
  }
}

const headline = (pending: PendingApproval): string => {
  const { call, caller, question, role, why } = pending
  const who = safe(caller.agent.join(" › "))
  if (question !== undefined) {
    const options = (question.options ?? []).map((option, index) => `  ${index + 1}: ${safe(option)}\n`)
    return `? ${safe(question.text)}\n  asked by ${who}\n${options.join("")}`
  }
  const args = call.args.map((arg) => inspect(arg, { depth: 3, maxStringLength: 500, breakLength: Infinity }))
  const forRole = role === undefined ? "" : ` (for ${safe(role)})`
  return `? ${safe(`${call.path}(${args.join(", ")})`)}\n  asked by ${who}: ${safe(why)}${forRole}\n`
}

const verdictOf = (line: string): Decision | undefined => {
  const [, word = "", reason = ""] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? []
  switch (word.toLowerCase()) {
    case "y":
    case "yes":
      return { _tag: "Allow", scope: "once" }
    case "s":
    case "session":
      return { _tag: "Allow", scope: "session" }
    case "n":
    case "no":
      return denial(reason)
    default:
      return undefined
  }
}

/** An option by its number or its text; without options the line itself. */
const answerOf = (line: string, options: ReadonlyArray<string> | undefined): Decision | undefined => {
  const text = line.trim()
  if (text === "") return undefined
  const declined = /^\/no\b\s*(.*)$/.exec(text)
  if (declined !== null) return denial(declined[1]!)
  return { _tag: "Answer", value: { _tag: "Json", value: options?.[Number(text) - 1] ?? text } }
}

const denial = (reason: string): Decision => ({ _tag: "Deny", why: reason === "" ? "a person said no" : reason })
