/**
 * Checks the types of a cell before it runs, so that a wrong call costs no side effect. Stands on the compiler of
 * TypeScript 7, an optional peer: `npm install typescript@7`.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CellProblem } from "../Cell.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { Platform } from "../Platform.ts"
import { TypeChecker } from "../TypeChecker.ts"
import { isBlocking } from "./Blocking.ts"
import { type Finding, Project } from "./Project.ts"

const load = Effect.tryPromise({
  try: () => import("typescript/unstable/sync"),
  catch: () =>
    new InvalidInput({
      subject: "TypeScriptChecker",
      problem: "the compiler of TypeScript 7 could not be loaded",
      remedy: "Run npm install typescript@7, or leave this layer out"
    })
})

const make = Effect.gen(function*() {
  const compiler = yield* load
  const { strip } = yield* Platform
  const project = yield* Effect.acquireRelease(
    Effect.sync(() => new Project(compiler)),
    (project) => Effect.sync(() => project.close())
  )
  return TypeChecker.of({
    check: (code, declarations) =>
      Effect.suspend(() => Effect.succeed(problemsOf(project.check(code, declarations), code, declarations, strip)))
        .pipe(
          // The compiler may have been killed. It only guards: without it a cell still fails where it is wrong.
          Effect.catchDefect((defect) =>
            Effect.as(Effect.logWarning("the type check failed, so the cell runs unchecked", defect), [])
          )
        )
  })
})

/**
 * The `TypeChecker` over TypeScript 7. The compiler is started with the first check (about 50 ms) and ended with the
 * layer; a check of thirty lines then takes about 4 ms.
 *
 * ```ts
 * import { TypeScriptChecker } from "@daylight/core/typescript"
 *
 * const services = TypeScriptChecker.layer // of `createAgent`, or among the layers of a program
 * ```
 */
export const TypeScriptChecker: { readonly layer: Layer.Layer<never, InvalidInput> } = {
  layer: Layer.effect(TypeChecker, make)
}

const problemsOf = (
  findings: ReadonlyArray<Finding>,
  code: string,
  declarations: string,
  strip: Platform["strip"]
): ReadonlyArray<CellProblem> => {
  if (findings.length === 0) return []
  const cell = { code, javascript: stripped(code, strip), declared: declaredNames(declarations) }
  return findings.filter((finding) => isBlocking(finding, cell)).map((finding) => problemOf(finding, code))
}

const problemOf = ({ code: number, start, text }: Finding, code: string): CellProblem => {
  const before = code.slice(0, start).split("\n")
  const hint = hintFor(text)
  return {
    stage: "types",
    name: `TS${number}`,
    message: text.replace(/\.$/, ""),
    line: before.length,
    column: before.at(-1)!.length + 1,
    frames: [],
    hint: hint === undefined ? "nothing of the cell has run" : `${hint}; nothing of the cell has run`
  }
}

const hintFor = (text: string): string | undefined =>
  /type 'Promise</i.test(text) ? "put await before the call" : undefined

const stripped = (code: string, strip: Platform["strip"]): string | undefined => {
  try {
    return strip?.(code)
  } catch {
    return undefined // plain JavaScript that is no TypeScript: it has no types to tell apart
  }
}

const declaredNames = (declarations: string): ReadonlyMap<string, string> =>
  new Map(
    Array.from(
      declarations.matchAll(/^declare (?:function|const|let|var|class)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*).*$/gmu),
      ([line, name]) => [name!, line]
    )
  )
