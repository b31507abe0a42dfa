import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { AnySchema } from "../AnySchema.ts"
import type { Approvals, Decided } from "../Approvals.ts"
import { type Boundary, type HostCall, HostCallError } from "../Boundary.ts"
import type { CallContext } from "../CallContext.ts"
import type { Caller, Policy, Verdict } from "../Policy.ts"
import type { Value } from "../Value.ts"
import type { BudgetNode } from "./BudgetNode.ts"
import type { Log } from "./Log.ts"
import { validate, type Validated } from "../schema/Validate.ts"
import { decodeValue, Values } from "./Values.ts"

type Refusal = HostCallError["reason"]
type Ask = Extract<Verdict, { readonly _tag: "Ask" }>

/** What the gate of a session stands on. */
export interface GateOptions {
  readonly log: Log
  readonly caller: Caller
  readonly policy: Policy
  readonly approvals: Approvals
  readonly sha256: (text: string) => string
  /** Of the run that is active. */
  readonly budget: () => BudgetNode
  /** Stops the clocks of the run while a person is asked. */
  readonly paused: (on: boolean) => void
}

/** The engine's `Boundary`, and the way by which decisions from elsewhere reach a call that waits. */
export interface Gate extends Boundary {
  readonly decide: (key: string, decided: Decided) => void
}

const oneCall = { hostCalls: 1 }

export const makeGate = ({ approvals, budget, caller, log, paused, policy, sha256 }: GateOptions): Gate => {
  const values = new Values()
  const waiting = new Map<string, Deferred.Deferred<Decided>>()
  const allowedForSession = new Set<string>()

  const refuse = (call: HostCall, args: ReadonlyArray<Value>, reason: Refusal, by = "boundary") => {
    log.note({ _tag: "CallRefused", cell: call.cell, ordinal: call.ordinal, path: call.path, args, reason, by })
    return Effect.fail(new HostCallError({ path: call.path, reason }))
  }

  /** A policy that dies denies. */
  const verdictOf = (call: HostCall): Effect.Effect<Verdict> =>
    Effect.catchCause(
      Effect.suspend(() => policy.decide(call, caller)),
      () => Effect.succeed<Verdict>({ _tag: "Deny", why: "the policy failed" })
    )

  const ask = (call: HostCall, verdict: Ask, args: ReadonlyArray<Value>, key: string, pause: (on: boolean) => void) => {
    const answer = Deferred.makeUnsafe<Decided>()
    const { role, why } = verdict
    const first = Effect.raceFirst(
      Deferred.await(answer),
      Effect.catchCause(
        approvals.ask({ caller, call, key, why, role }),
        () => Effect.succeed<Decided>({ decision: { _tag: "Deny", why: "asking failed" }, by: "approvals" })
      )
    )
    const decided = verdict.expires === undefined
      ? first
      : Effect.timeoutOrElse(first, {
        duration: Duration.fromInputUnsafe(verdict.expires),
        orElse: () => Effect.undefined
      })
    return Effect.acquireUseRelease(
      Effect.sync(() => {
        waiting.set(key, answer)
        pause(true)
      }),
      () =>
        log.commitOrEnd({
          _tag: "ApprovalAsked",
          cell: call.cell,
          ordinal: call.ordinal,
          path: call.path,
          args,
          key,
          why,
          after: call.after,
          entropy: call.entropy,
          ...(role !== undefined && { role })
        }).pipe(
          Effect.andThen(decided),
          Effect.tap((decided) =>
            decided === undefined
              ? Effect.void
              : log.commitOrEnd({ _tag: "ApprovalDecided", key, decision: decided.decision, by: decided.by })
          )
        ),
      () =>
        Effect.sync(() => {
          waiting.delete(key)
          pause(false)
        })
    )
  }

  /** The arguments a person or the policy allows, or the refusal. */
  const allowed = Effect.fnUntraced(
    function*(call: HostCall, args: ReadonlyArray<unknown>, key: string, pause: (on: boolean) => void) {
      const verdict = yield* verdictOf(call)
      const encoded = args.map((arg) => values.encode(arg))
      if (verdict._tag === "Deny") {
        return yield* refuse(call, encoded, { _tag: "Denied", by: "policy", why: verdict.why }, "policy")
      }
      if (verdict._tag === "Allow" || allowedForSession.has(call.path)) return { args, encoded }
      if (call.blocking) {
        return yield* refuse(call, encoded, {
          _tag: "Denied",
          by: "boundary",
          why: "nobody can be asked in the middle of a synchronous call"
        })
      }
      const decided = yield* ask(call, verdict, encoded, `${key}:${digest(call.path, encoded)}`, pause)
      if (decided === undefined) return yield* refuse(call, encoded, { _tag: "Expired" })
      const { by, decision } = decided
      if (decision._tag !== "Allow") {
        return yield* refuse(call, encoded, {
          _tag: "Denied",
          by,
          why: decision._tag === "Deny" ? decision.why : "the question was not answered"
        }, by)
      }
      if (decision.scope === "session") allowedForSession.add(call.path)
      return decision.args === undefined
        ? { args, encoded }
        : { args: decision.args.map(decodeValue), encoded: decision.args }
    }
  )
  const digest = (path: string, args: ReadonlyArray<Value>) => sha256(path + JSON.stringify(args)).slice(0, 16)

  const invoke: Boundary["invoke"] = Effect.fnUntraced(function*(call, perform, pauseCell) {
    const { contract } = call
    const key = `${caller.session}:${call.cell}:${call.ordinal}`
    const checked = contract?.input === undefined
      ? { ok: true as const, value: call.args }
      : yield* check(contract.input, call.args)
    if (!checked.ok) {
      return yield* refuse(call, call.args.map((arg) => values.encode(arg)), {
        _tag: "InvalidArguments",
        problem: checked.problem
      })
    }
    const pause = (on: boolean) => {
      paused(on)
      pauseCell?.(on)
    }
    const { args, encoded } = yield* allowed(call, checked.value, key, pause)
    const over = budget().take(oneCall)
    if (over !== undefined) return yield* refuse(call, encoded, { _tag: "OverBudget", unit: over.unit })

    const effect = contract?.effect ?? "external"
    const started = {
      _tag: "CallStarted",
      cell: call.cell,
      ordinal: call.ordinal,
      path: call.path,
      operation: call.operation,
      args: encoded,
      effect,
      key,
      entropy: call.entropy,
      after: call.after,
      callbacks: [],
      ...(contract?.child !== undefined && { child: contract.child })
    } as const
    if (effect === "none") log.note(started)
    else yield* log.commitOrEnd(started)

    const value = yield* performed(call, new Context(caller, key, call), args, perform)
    const result = contract?.output === undefined ? { ok: true as const, value } : yield* check(contract.output, value)
    if (!result.ok) {
      return yield* failed(
        call,
        new HostCallError({ path: call.path, reason: { _tag: "InvalidResult", problem: result.problem } })
      )
    }
    ended(call, { status: "completed", value: values.encode(result.value) })
    return result.value
  })

  /** The call itself. A promise is awaited; interruption aborts it, and then nobody knows what became of it. */
  const performed = (
    call: HostCall,
    context: Context,
    args: ReadonlyArray<unknown>,
    perform: (args: ReadonlyArray<unknown>, context: CallContext) => unknown
  ): Effect.Effect<unknown, unknown> =>
    Effect.suspend(() => {
      let value: unknown
      try {
        value = perform(args, context)
      } catch (error) {
        return failed(call, error)
      }
      if (!isThenable(value)) return Effect.succeed(value)
      const promise = value
      return Effect.callback<unknown, unknown>((resume) => {
        promise.then((value) => resume(Effect.succeed(value)), (error) => resume(failed(call, error)))
        return Effect.sync(() => {
          context.abort()
          ended(
            call,
            call.contract?.child === undefined ? { status: "unknown" } : { status: "failed", error: childCancelled }
          )
        })
      })
    })

  const failed = (call: HostCall, error: unknown) =>
    Effect.suspend(() => {
      const { code, message, name } = (typeof error === "object" && error !== null ? error : {}) as {
        code?: unknown
        message?: unknown
        name?: unknown
      }
      ended(call, {
        status: "failed",
        error: {
          name: String(name ?? "Error"),
          message: String(message ?? error),
          ...(code !== undefined && { code: String(code) })
        }
      })
      return Effect.fail(error)
    })

  const ended = (
    call: HostCall,
    end: {
      status: "completed" | "failed" | "unknown"
      value?: Value
      error?: { name: string; message: string; code?: string }
    }
  ) => log.note({ _tag: "CallEnded", cell: call.cell, ordinal: call.ordinal, inPlace: call.blocking, ...end })

  return {
    invoke,
    decide: (key, decided) => void (waiting.has(key) && Deferred.doneUnsafe(waiting.get(key)!, Effect.succeed(decided)))
  }
}

const check = (schema: AnySchema<any>, value: unknown): Effect.Effect<Validated> => {
  const result = validate(schema, value)
  return result instanceof Promise ? Effect.promise(() => result) : Effect.succeed(result)
}

/** A run of a child session ends with the call: what became of it is in the child's own log. */
const childCancelled = { name: "OutcomeError", message: "cancelled with its parent" }

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"

/** Lazy where it costs: most calls never look at the signal. */
class Context implements CallContext {
  readonly session
  readonly agent
  readonly principal
  readonly cell
  readonly ordinal
  readonly key
  #controller: AbortController | undefined

  constructor(caller: Caller, key: string, call: HostCall) {
    this.session = caller.session
    this.agent = caller.agent
    this.principal = caller.principal
    this.cell = call.cell
    this.ordinal = call.ordinal
    this.key = key
  }

  get signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal
  }

  abort(): void {
    ;(this.#controller ??= new AbortController()).abort()
  }
}
