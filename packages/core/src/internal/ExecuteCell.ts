/**
 * Runs a cell, and goes on from its middle where a sealed runtime lost its process on the way: nothing that had
 * happened happens again.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Cell, NamespaceDiff } from "../Cell.ts"
import { Defaults } from "../Defaults.ts"
import type { Runtime, RuntimeError } from "../Runtime.ts"
import type { StoreError } from "../StoreError.ts"
import type { Frame } from "./Frame.ts"

type Ran = Effect.Success<ReturnType<Runtime["execute"]>>

/** `since`: the place of the event that began the cell. */
export const executeCell = (
  frame: Frame,
  cell: Cell,
  since: number
): Effect.Effect<Ran, RuntimeError | StoreError> => {
  const attempt = (ran: Ran, left: number): Effect.Effect<Ran, RuntimeError | StoreError> =>
    left > 0 && isResumable(frame.runtime, ran)
      ? Effect.flatMap(
        again(frame, cell, since),
        (next) => next === undefined ? Effect.succeed(ran) : attempt(next, left - 1)
      )
      : Effect.succeed(ran)
  return Effect.flatMap(frame.runtime.execute(cell), (ran) => attempt(ran, Defaults.cell.attempts - 1))
}

/** Where something of the namespace is lost, the cell would not be the same one. */
const isResumable = ({ capabilities, replay }: Runtime, { report }: Ran): boolean =>
  report.problem?.stage === "crash" && capabilities.sealed && replay !== undefined &&
  report.namespace.lost.length === 0

/** Nothing where the runtime has no record to follow. */
const again = Effect.fnUntraced(function*(
  { id, log, runtime, store }: Frame,
  cell: Cell,
  since: number
): Effect.fn.Return<Ran | undefined, RuntimeError | StoreError> {
  yield* log.commit() // what was noted
  const events = yield* Stream.runCollect(store.read(id, { after: since - 1 }))
  const verdict = yield* Effect.forkChild(Effect.result(runtime.replay!(events)), { startImmediately: true })
  const early = verdict.pollUnsafe()
  if (early?._tag === "Success" && Result.isFailure(early.value)) return undefined
  const ran = yield* runtime.execute(cell)
  const went = yield* Fiber.join(verdict)
  if (Result.isSuccess(went) && went.success === "live") {
    yield* log.commit({ _tag: "Recovered", restored: unchanged, reexecuted: [cell.id], unknown: [] })
  }
  return ran
})

const unchanged: NamespaceDiff = { added: [], changed: [], removed: [], lost: [] }
