/** Asks in the terminal whether a host call may happen. One question at a time, also if several agents ask at once. */
import type { Approvals, Decided } from "@daylight/core"
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
}

type Pending = Parameters<Approvals["ask"]>[0]

const choices = "y: once, s: for this session, n: no (n REASON tells the model why) › "
const by = "terminal"
/** How long the screen may take to show what came before a question. */
const patienceMs = 300

export const terminalApprovals = ({ Effect }: Engine, person: Person): Approvals => {
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = (pending: Pending, signal: AbortSignal): Promise<Decided> => {
    const mine = last.then(() => ask(pending, person, signal))
    last = mine.catch(() => undefined) // the failure belongs to the one who asked
    return mine
  }
  return { ask: (pending) => Effect.promise((signal) => inTurn(pending, signal)) }
}

const ask = async (pending: Pending, person: Person, signal: AbortSignal): Promise<Decided> => {
  // A live event may be late or dropped; the question does not depend on it.
  await Promise.race([person.renderer.reached(pending.key), setTimeout(patienceMs, undefined, { signal })])
  const release = person.renderer.hold()
  const terminal = createInterface({ input: person.input, output: person.output })
  terminal.on("SIGINT", person.onInterrupt)
  try {
    person.output.write(question(pending))
    for (;;) {
      const decided = decisionOf(await terminal.question(choices, { signal }))
      if (decided) return decided
    }
  } finally {
    terminal.close()
    release()
  }
}

const question = ({ call, caller, role, why }: Pending): string => {
  const args = call.args.map((arg) => inspect(arg, { depth: 3, maxStringLength: 500, breakLength: Infinity }))
  const who = caller.agent.join(" › ")
  return [
    `? ${safe(`${call.path}(${args.join(", ")})`)}`,
    `  asked by ${safe(who)}: ${safe(why)}${role === undefined ? "" : ` (for ${safe(role)})`}`,
    ""
  ].join("\n")
}

const decisionOf = (line: string): Decided | undefined => {
  const [, word = "", reason = ""] = /^\s*(\S+)\s*(.*)$/.exec(line) ?? []
  switch (word.toLowerCase()) {
    case "y":
    case "yes":
      return { decision: { _tag: "Allow", scope: "once" }, by }
    case "s":
    case "session":
      return { decision: { _tag: "Allow", scope: "session" }, by }
    case "n":
    case "no":
      return { decision: { _tag: "Deny", why: reason === "" ? "a person said no" : reason }, by }
    default:
      return undefined
  }
}
