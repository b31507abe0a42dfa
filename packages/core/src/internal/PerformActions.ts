import * as Effect from "effect/Effect"
import type { LimitReached } from "../Budget.ts"
import type { CellProblem, CellReport, Entropy, ParsedCell } from "../Cell.ts"
import type { Action, Message } from "../Message.ts"
import type { RuntimeError } from "../Runtime.ts"
import type { StoreError } from "../StoreError.ts"
import { TypeChecker } from "../TypeChecker.ts"
import type { Answer } from "./Answer.ts"
import { executeCell } from "./ExecuteCell.ts"
import { cellFeedback, feedback } from "./Feedback.ts"
import type { Frame } from "./Frame.ts"
import { doubtText, effectedText } from "./gate/EffectTexts.ts"
import { converse } from "./History.ts"
import { asOne } from "./Problems.ts"
import type { Run } from "./Run.ts"
import { withSyntax } from "./Syntax.ts"

/** What is told of a cell, whether it ran or not. */
type Ran = { readonly report: CellReport; readonly entropy?: Entropy | undefined }

type Feedback = (typeof Message.cases.Result.Type)["content"][number]

const oneCell = { cells: 1 }
const noTypes = TypeChecker.defaultValue()

/**
 * Does what the model asked for and answers every action of the step, since a provider refuses a history with an open
 * one.
 */
export const performActions = (
  frame: Frame,
  run: Run,
  answer: Answer
): Effect.Effect<void, StoreError | RuntimeError | LimitReached> => {
  const { actions, malformed } = answer
  const over = run.budget.take(oneCell)
  if (over !== undefined) {
    answerActions(frame, run, actions.map(({ id }) => feedback(id, false, "Not run: the limit of cells is reached.")))
    return Effect.fail(over)
  }
  run.cells++
  if (frame.functions !== undefined) {
    const step = ++frame.cell
    return Effect.map(frame.functions.perform(actions, malformed, run, step), (content) => {
      run.takeAnswer(false)
      remember(run, actions, content)
      answerActions(frame, run, content)
    })
  }
  const [first, ...others] = actions as [Action, ...ReadonlyArray<Action>]
  return Effect.map(performCell(frame, run, first, malformed.get(first.id)), (told) => {
    remember(run, [first], [told])
    answerActions(frame, run, [
      told,
      ...others.map(({ id }) =>
        feedback(id, false, "Not run: only the first action of a reply is. Send it again if it is still needed.")
      )
    ])
  })
}

/** Answers actions that a stop has left open. */
export const answerOpenActions = (frame: Frame, run: Run, why: string): void => {
  const last = frame.history.messages.at(-1)
  if (last?._tag !== "Assistant") return
  const open = last.content.filter((part) => part._tag === "Action")
  if (open.length === 0) return
  if (frame.openCell !== undefined) {
    endCell(frame, frame.openCell, unrun({ stage: "interrupted", name: "Interrupted", message: why, frames: [] }))
  }
  answerActions(frame, run, open.map(({ id }) => feedback(id, false, `Interrupted: ${why}.`)))
}

const answerActions = (frame: Frame, run: Run, content: ReadonlyArray<Feedback>): void => {
  const message: Message = { _tag: "Result", content }
  converse(frame, { _tag: "ActionsAnswered", ...run.at, message })
}

const remember = (run: Run, actions: ReadonlyArray<Action>, content: ReadonlyArray<Feedback>): void =>
  run.countRepeats(
    JSON.stringify([actions.map(({ input, name }) => [name, input]), content.map((told) => told.content)])
  )

const performCell = (
  frame: Frame,
  run: Run,
  action: Action,
  malformed: string | undefined
): Effect.Effect<Feedback, StoreError | RuntimeError> =>
  Effect.suspend(() => {
    const code = codeOf(action, malformed)
    if (typeof code !== "string") return Effect.succeed(feedback(action.id, false, code.problem))
    const cell = ++frame.cell
    const seed = `${frame.id}:${cell}`
    const started = frame.log.commit({ _tag: "CellStarted", ...run.at, cell, action: action.id, code, seed })
    return Effect.flatMap(started, () => {
      frame.openCell = cell
      return Effect.flatMap(reportOf(frame, { id: cell, code, seed, since: frame.log.last }), ({ entropy, report }) => {
        endCell(frame, cell, report, entropy)
        const failed = report.problem !== undefined
        const told = (late: string | undefined) => {
          const texts = [
            cellFeedback(code, report, run.sameError(report)),
            wasStopped(report) ? effectedText(frame.gate.effectsOf(cell)) : "",
            doubtText(frame.gate.takeUntold()),
            late ?? ""
          ]
          return feedback(action.id, !failed, texts.filter((text) => text !== "").join("\n"))
        }
        return run.offersLater
          ? Effect.map(Effect.promise(() => run.settleAnswer(failed)), told)
          : Effect.succeed(told(run.takeAnswer(failed)))
      })
    })
  })

/** It could not say itself how far it came. */
const wasStopped = ({ problem }: CellReport): boolean =>
  problem !== undefined && ["timeout", "limit", "crash", "interrupted"].includes(problem.stage)

const endCell = (frame: Frame, cell: number, report: CellReport, entropy: Entropy = []): void => {
  frame.openCell = undefined
  frame.log.note({ _tag: "CellEnded", cell, report, entropy })
}

const codeOf = ({ input, name }: Action, malformed: string | undefined): string | { readonly problem: string } => {
  if (malformed !== undefined) {
    return { problem: `Not run: the arguments are not valid JSON (${malformed}). Call run with { "code": "..." }.` }
  }
  if (name !== "run") return { problem: `Not run: there is no tool ${name}. Call run with { "code": "..." }.` }
  const code = typeof input === "object" && input !== null && "code" in input ? input["code"] : undefined
  return typeof code === "string"
    ? code.toWellFormed()
    : { problem: 'Not run: run takes { "code": "..." } with the code as a string.' }
}

interface Begun {
  readonly id: number
  readonly code: string
  readonly seed: string
  /** The place of its first event. */
  readonly since: number
}

/** Parse, rules, types, run: up to the last of these no side effect has happened. */
const reportOf = (
  frame: Frame,
  { code, id, seed, since }: Begun
): Effect.Effect<Ran, RuntimeError | StoreError> =>
  withSyntax(({ parseCell }) => {
    const parsed = parseCell(code, frame.platform.strip)
    if ("stage" in parsed) return Effect.succeed({ report: unrun(parsed) })
    const forbidden = forbiddenIn(frame, parsed)
    if (forbidden !== undefined) return Effect.succeed({ report: unrun(forbidden) })
    const execute = Effect.tap(
      executeCell(frame, { id, parsed, limits: frame.agent.cells, seed }, since),
      ({ report }) => {
        // Later cells may use its names whatever they mean elsewhere.
        if (report.problem === undefined) { for (const name of parsed.names.keys()) frame.bound.add(name) }
        return Effect.void
      }
    )
    if (frame.types === noTypes) return execute
    return Effect.flatMap(
      typeProblem(frame, parsed),
      (problem): Effect.Effect<Ran, RuntimeError | StoreError> =>
        problem === undefined ? execute : Effect.succeed({ report: unrun(problem) })
    )
  })

/** What the rules say against a cell, as one problem. Rules that fail forbid. */
const forbiddenIn = ({ bound, security }: Frame, parsed: ParsedCell): CellProblem | undefined => {
  try {
    const problems = security.check(parsed, bound)
    return problems.length === 0 ? undefined : asOne(problems)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return { stage: "security", name: "SecurityViolation", message: `the rules failed: ${why}`, frames: [] }
  }
}

const typeProblem = (
  { runtime, types }: Frame,
  { code }: ParsedCell
): Effect.Effect<CellProblem | undefined, RuntimeError> =>
  Effect.flatMap(
    runtime.declarations,
    (declarations) => Effect.map(types.check(code, declarations), ([problem]) => problem)
  )

const unrun = (problem: CellProblem): CellReport => ({
  problem,
  preview: "",
  stdout: "",
  stderr: "",
  stored: [],
  namespace: { added: [], changed: [], removed: [], lost: [] },
  durationMs: 0
})
