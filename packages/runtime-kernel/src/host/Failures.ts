/**
 * How a namespace says no.
 */
import { InvalidInput, RuntimeError } from "@daylight/core"
import * as Effect from "effect/Effect"

export const missing = (name: string) => Effect.fail(new RuntimeError({ reason: { _tag: "NoSuchVariable", name } }))

export const notTransferable = (name: string, error: unknown): RuntimeError =>
  new RuntimeError({ reason: { _tag: "NotTransferable", name, path: (error as Error).message } })

export const closed = () =>
  Effect.fail(new RuntimeError({ reason: { _tag: "Crashed", detail: "it was closed with its session" } }))

export const refused = (name: string, problem: string, remedy: string) =>
  Effect.fail(new InvalidInput({ subject: `binding ${JSON.stringify(name)}`, problem, remedy }))

/** The process was lost once more, before the record was at its end. It can be followed again. */
export const lostAgain = (): RuntimeError =>
  new RuntimeError({ reason: { _tag: "Crashed", detail: "the process ended again before the record did" } })
