/**
 * Gives up on a stream from which nothing has come for too long. One timer for a whole stream, armed again when it
 * fires early; none at all for a stream that never waits, such as that of a scripted model.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Model, ModelInfo } from "../Model.ts"
import { ModelError } from "../ModelError.ts"
import type { Parts, PartsPull } from "./Source.ts"

export interface WatchdogOptions {
  /** The longest gap between two parts, and before the first. Default 120 s; `Infinity` switches it off. */
  readonly idle?: Duration.Input | undefined
}

/**
 * The same model, whose streams fail as `Stalled` after a gap. Once `Finish` has come, nothing further is waited for.
 */
export const watchdog = (model: Model["Service"], options: WatchdogOptions = {}): Model["Service"] => {
  const idle = Duration.toMillis(options.idle ?? "120 seconds")
  return {
    info: model.info,
    stream: (request) =>
      Stream.transformPull(model.stream(request), (pull, scope) => guard(pull, scope, model.info, idle))
  }
}

const guard = (pull: PartsPull, scope: Scope.Scope, info: ModelInfo, idle: number): Effect.Effect<PartsPull> =>
  Effect.contextWith((context: Context.Context<never>) => {
    const timer = makeTimer(Context.get(context, Clock.Clock), context, idle)
    return Effect.as(Scope.addFinalizer(scope, Effect.sync(timer.stop)), watched(pull, timer, context, info, idle))
  })

const watched = (
  pull: PartsPull,
  timer: Timer,
  context: Context.Context<never>,
  info: ModelInfo,
  idle: number
): PartsPull => {
  const run = Effect.runForkWith(context)
  let finished = false

  const waiting = (fiber: Fiber.Fiber<Parts, ModelError | Cause.Done>) =>
    Effect.callback<Parts, ModelError | Cause.Done>((resume) => {
      const forget = fiber.addObserver((exit) => {
        timer.disarm()
        resume(exit)
      })
      timer.arm(() => {
        forget()
        fiber.interruptUnsafe()
        resume(Effect.fail(stalled(info, idle)))
      })
      return Effect.sync(() => {
        forget()
        timer.disarm()
        fiber.interruptUnsafe()
      })
    })
  const guarded = Effect.suspend(() => {
    if (finished) return Cause.done()
    const fiber = run(pull)
    return fiber.pollUnsafe() ?? waiting(fiber)
  })
  return Effect.map(guarded, (parts) => {
    finished = parts.at(-1)!._tag === "Finish"
    return parts
  })
}

type Timer = ReturnType<typeof makeTimer>

const makeTimer = (clock: Clock.Clock, context: Context.Context<never>, idle: number) => {
  let sleeping: Fiber.Fiber<unknown> | undefined
  let expire: (() => void) | undefined
  let deadline = Infinity

  const sleep = (ms: number) => {
    sleeping = Effect.runForkWith(context)(Effect.andThen(Effect.sleep(ms), Effect.sync(wake)))
  }
  const wake = () => {
    sleeping = undefined
    if (expire === undefined) return
    const left = deadline - clock.currentTimeMillisUnsafe()
    if (left > 0) sleep(left)
    else expire()
  }
  return {
    arm: (onExpired: () => void) => {
      if (!Number.isFinite(idle)) return
      expire = onExpired
      deadline = clock.currentTimeMillisUnsafe() + idle
      if (sleeping === undefined) sleep(idle)
    },
    disarm: () => {
      expire = undefined
    },
    stop: () => {
      expire = undefined
      sleeping?.interruptUnsafe()
    }
  }
}

const stalled = ({ model, provider }: ModelInfo, idleMs: number) =>
  new ModelError({
    provider,
    model,
    reason: { _tag: "Stalled", idleMs, detail: `nothing came for ${idleMs / 1000} s` }
  })
