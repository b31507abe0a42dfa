/**
 * Calls from cells into the application: each crosses the boundary, and belongs to the cell that made it.
 *
 * The boundary's effect runs synchronously up to its first wait. So one path serves both kinds of call: it is forked,
 * and if it has an answer at once, a synchronous call returns it.
 */
import { type Boundary, type CallContext, type Contract, type HostCall, HostCallError, Platform } from "@daylight/core"
import { CellStopped, issuedAt, runOutside } from "@daylight/core/node"
import * as Cause from "effect/Cause"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"

/** The cell that is running, as far as calls are concerned. */
export interface Caller {
  readonly cell: number
  /** Of the next call. */
  ordinal: number
  /** Services of the fiber that executes the cell: tracer, clock, log level. */
  readonly services: Context.Context<never>
  readonly pause: (on: boolean) => void
  readonly fibers: Set<Fiber.Fiber<unknown, unknown>>
  /** The cell has ended: what it still waited for is never told to it, so that no `catch` of its goes on. */
  over: boolean
}

type Call = (...args: Array<any>) => unknown

const nothing: ReadonlyArray<never> = []

/** Whether a call with this contract gives its value and no promise. */
export const isSynchronous = (contract: Contract): boolean => contract.effect === "none" && !contract.approval

export class Calls {
  readonly #boundary: Boundary
  readonly #fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  /** Set while a cell runs. */
  caller: Caller | undefined

  constructor(boundary: Boundary) {
    this.#boundary = boundary
  }

  /** The function a cell sees in place of `call`. `path` is how the model writes it. */
  contracted(path: string, contract: Contract, call: Call): Call {
    const calls = this
    const contracted = function(this: unknown, ...args: Array<unknown>): unknown {
      return new.target === undefined
        ? calls.#invoke(contracted, { path, operation: "call", contract, args }, call)
        : calls.#invoke(
          contracted,
          { path, operation: "construct", contract, args },
          (...args) => Reflect.construct(call, args)
        )
    }
    Object.defineProperty(contracted, "name", { value: path.slice(path.lastIndexOf(".") + 1) })
    Object.defineProperty(contracted, "length", { value: call.length })
    return contracted
  }

  /** Ends what the cell, or the whole session, still waits for. */
  interrupt(caller?: Caller): void {
    if (caller !== undefined) caller.over = true
    for (const fiber of caller?.fibers ?? this.#fibers) fiber.interruptUnsafe()
  }

  #invoke(from: Call, what: Pick<HostCall, "path" | "operation" | "contract" | "args">, call: Call): unknown {
    const { caller } = this
    if (caller === undefined) {
      const why = "no cell is running; calls of code that a cell left behind wait for nobody, so await them in the cell"
      throw new HostCallError({ path: what.path, reason: { _tag: "Denied", by: "runtime", why } })
    }
    const synchronous = isSynchronous(what.contract ?? {})
    const hostCall: HostCall = {
      ...what,
      cell: caller.cell,
      ordinal: caller.ordinal++,
      taint: nothing,
      after: 0,
      blocking: synchronous,
      entropy: nothing
    }
    let performed = false
    const perform = (args: ReadonlyArray<unknown>, context: CallContext): unknown => {
      performed = true
      return runOutside(() => Platform.defaultValue().runWith(context, () => call(...args)))
    }
    const fiber = Effect.runForkWith(caller.services)(this.#boundary.invoke(hostCall, perform, caller.pause))
    const exit = fiber.pollUnsafe()
    if (exit?._tag === "Success") return synchronous ? exit.value : Promise.resolve(exit.value)
    // Capturing costs more than the call, so only what failed or is waited for gets a place; the cell is still below.
    const site: { readonly stack?: string } = {}
    Error.captureStackTrace(site, from)
    if (exit !== undefined) return synchronous ? valueOf(exit, site) : settled(exit, site)
    if (synchronous && !performed) {
      fiber.interruptUnsafe()
      const why = "it has to answer at once, and what decides about it did not"
      throw new HostCallError({ path: what.path, reason: { _tag: "Denied", by: "runtime", why } })
    }
    return this.#awaited(caller, fiber, site)
  }

  #awaited(caller: Caller, fiber: Fiber.Fiber<unknown, unknown>, site: { readonly stack?: string }): Promise<unknown> {
    this.#fibers.add(fiber)
    caller.fibers.add(fiber)
    return new Promise((resolve, reject) => {
      fiber.addObserver((exit) => {
        this.#fibers.delete(fiber)
        caller.fibers.delete(fiber)
        if (exit._tag === "Success") resolve(exit.value)
        else if (!caller.over) reject(failureOf(exit.cause, site))
      })
    })
  }
}

const valueOf = (exit: Exit.Exit<unknown, unknown>, site: { readonly stack?: string }): unknown => {
  if (exit._tag === "Success") return exit.value
  throw failureOf(exit.cause, site)
}

const settled = (exit: Exit.Exit<unknown, unknown>, site: { readonly stack?: string }): Promise<unknown> =>
  exit._tag === "Success" ? Promise.resolve(exit.value) : Promise.reject(failureOf(exit.cause, site))

/** What the application threw, itself. */
const failureOf = (cause: Cause.Cause<unknown>, site: { readonly stack?: string }): unknown => {
  const error = Cause.hasInterruptsOnly(cause)
    ? new CellStopped("interrupted", "the call was interrupted")
    : Cause.squash(cause)
  issuedAt(error, site)
  return error
}
