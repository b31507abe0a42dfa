/** `daylight approvals`: what waits for a person in the sessions of a store, and the answer to it. */
import type { Decided, Decision, Value, WaitingApproval } from "@daylight/core"
import { userInfo } from "node:os"
import { answer, type Print } from "./Answer.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"
import { span } from "./renderer/Paint.ts"
import { safe } from "./renderer/Safe.ts"
import { callText } from "./renderer/ValueText.ts"
import { type StorePlace, withStore } from "./StoreAccess.ts"

export interface ListInput extends StorePlace {
  readonly json: boolean
}

export const list = (input: ListInput): Promise<number> =>
  answer((print) =>
    withStore(input, async ({ core, Effect, store }) => {
      const waiting = await Effect.runPromise(core.Approvals.waitingIn(store))
      if (input.json) return waiting.forEach((each) => print.json(each))
      if (waiting.length === 0) print.row([span("Nothing waits for anybody.", "dim")])
      for (const each of waiting) show(print, each)
    })
  )

const show = (print: Print, waiting: WaitingApproval): void => {
  print.row([span(textOf(waiting), "accent")])
  for (const fact of factsOf(waiting)) print.row([span(`  ${fact}`)])
  print.row([span(`  ${safe(waiting.key)}`, "dim")])
}

const textOf = (waiting: WaitingApproval): string => waiting.isQuestion ? safe(waiting.why) : callText(waiting, 200)

const factsOf = ({ agent, expires, isQuestion, options, orphaned, role, since, why }: WaitingApproval) => [
  `asked by ${safe(agent)} since ${time(since)}${isQuestion ? "" : `: ${safe(why)}`}`,
  ...(options === undefined ? [] : [`answers: ${safe(options.join(", "))}`]),
  ...(role === undefined ? [] : [`for the role ${safe(role)}`]),
  ...(expires === undefined ? [] : [`until ${time(expires)}`]),
  ...(orphaned ? ["nobody runs this session now: an answer is kept until it is resumed"] : [])
]

const time = (at: number): string => new Date(at).toISOString().replace("T", " ").replace(/\.\d+Z$/, " UTC")

export interface ResolveInput extends StorePlace {
  readonly key: string
  readonly allow: boolean
  readonly session: boolean
  readonly args: string | undefined
  readonly deny: string | undefined
  readonly answer: string | undefined
  readonly by: string | undefined
  readonly role: ReadonlyArray<string>
  readonly json: boolean
}

export const resolve = (input: ResolveInput): Promise<number> =>
  answer((print) => {
    const decided = decidedOf(input)
    return withStore(input, async ({ core, Effect, store }) => {
      const waiting = await Effect.runPromise(core.Approvals.decideIn(store, input.key, decided))
      if (input.json) return print.json({ key: waiting.key, session: waiting.session, ...decided })
      const what = { Allow: "Allowed", Deny: "Denied", Answer: "Answered" }[decided.decision._tag]
      print.row([span(what, decided.decision._tag === "Deny" ? "bad" : "good"), span(` ${textOf(waiting)}`)])
    })
  })

const decidedOf = (input: ResolveInput): Decided => ({
  decision: decisionOf(input),
  by: input.by ?? userInfo().username,
  ...(input.role.length > 0 && { roles: input.role })
})

const decisionOf = ({ allow, answer, args, deny, session }: ResolveInput): Decision => {
  const allows = allow || session || args !== undefined
  if ([allows, deny !== undefined, answer !== undefined].filter((given) => given).length !== 1) {
    throw wrong("the decision", "there is to be exactly one", "Give --allow, --deny WHY, or --answer TEXT.")
  }
  if (deny !== undefined) return { _tag: "Deny", why: deny }
  if (answer !== undefined) return { _tag: "Answer", value: json(answer) }
  return {
    _tag: "Allow",
    scope: session ? "session" : "once",
    ...(args !== undefined && { args: parsedArgs(args) })
  }
}

const json = (value: string | number | boolean | null): Value => ({ _tag: "Json", value })

const parsedArgs = (text: string): ReadonlyArray<Value> => {
  let args: unknown
  try {
    args = JSON.parse(text)
  } catch (error) {
    throw wrong(
      "--args",
      `is not JSON: ${(error as Error).message}`,
      "Give all arguments as a list, such as '[\"A-17\", 50]'."
    )
  }
  if (!Array.isArray(args)) {
    throw wrong("--args", "is not a list", "Give all arguments as a list, such as '[\"A-17\", 50]'.")
  }
  return args.map(json)
}

const wrong = (subject: string, problem: string, remedy: string): Problem =>
  new Problem(subject, problem, remedy, ExitCode.usage)
