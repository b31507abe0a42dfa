/**
 * Repeats a call that failed in a passing way, as long as nothing of its answer is worth keeping. What arrived of a
 * broken answer is for `continuing` to build on.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type { Model, ModelRequest } from "../Model.ts"
import { ModelError } from "../ModelError.ts"
import { attemptsOf } from "./Attempts.ts"
import { waitMs } from "./Backoff.ts"
import { fromSource, onPull, type PartsPull, type Source } from "./Source.ts"

export interface RetryOptions {
  /** Repetitions after the first attempt. Default 5. */
  readonly times?: number | undefined
  /** Before the first repetition, doubled for each further one, plus up to a quarter of jitter. Default 0.5 s. */
  readonly base?: Duration.Input | undefined
  /** The most that doubling leads to. Default 32 s. What a provider asks for by `Retry-After` is honoured beyond it. */
  readonly most?: Duration.Input | undefined
  /**
   * The longest wait a provider may ask for; a longer one fails at once, as nobody would sit through it. Default 1
   * hour.
   */
  readonly patience?: Duration.Input | undefined
  /** Milliseconds that the run has left, if its time is limited: a longer wait fails at once. Default: unlimited. */
  readonly remaining?: (() => number | undefined) | undefined
}

/** The same model, with transient failures repeated. */
export const retrying = (model: Model["Service"], options: RetryOptions = {}): Model["Service"] => {
  const settings: Settings = {
    times: options.times ?? 5,
    base: Duration.toMillis(options.base ?? "500 millis"),
    most: Duration.toMillis(options.most ?? "32 seconds"),
    patience: Duration.toMillis(options.patience ?? "1 hour"),
    remaining: options.remaining
  }
  return {
    info: model.info,
    stream: (request) => {
      const attempts = attemptsOf(request)
      return fromSource(
        () => model.stream(attempts.request),
        (source) => repeat(model, attempts, settings, source)
      )
    }
  }
}

interface Settings {
  readonly times: number
  readonly base: number
  readonly most: number
  readonly patience: number
  readonly remaining: (() => number | undefined) | undefined
}

const repeat = (
  model: Model["Service"],
  { announce, request }: ReturnType<typeof attemptsOf>,
  settings: Settings,
  source: Source
): PartsPull => {
  let failures = 0
  let kept = false

  const failed = (error: ModelError): PartsPull => {
    if (!error.retryable || kept || failures >= settings.times) return Effect.fail(error)
    failures++
    return Effect.flatMap(waitMs(settings, error.reason, failures), (wait) => {
      const tooLong = refusal(wait, settings)
      return tooLong === undefined ? Effect.andThen(pause(error, wait), pull) : Effect.fail(because(error, tooLong))
    })
  }
  const pause = Effect.fnUntraced(function*(error: ModelError, wait: number) {
    yield* source.reopen(model.stream(request))
    yield* tell(request, error, wait)
    yield* Effect.sleep(wait)
    yield* announce(model.info)
  })
  const pull: PartsPull = onPull(
    source.pull,
    (parts) => {
      if (!kept) kept = parts.some(isKept)
      return Effect.succeed(parts)
    },
    failed
  )
  return pull
}

/** Text that was shown and actions that are complete. Reasoning is no loss: it is thought again. */
const isKept = (part: { readonly _tag: string; readonly text?: string }) =>
  part._tag === "TextDelta" ? part.text !== "" : part._tag === "ActionEnd" || part._tag === "Finish"

const refusal = (wait: number, { patience, remaining }: Settings) => {
  const left = remaining?.()
  if (left !== undefined && wait > left) {
    return `the provider asks to wait ${seconds(wait)}, and the run has ${seconds(left)} left`
  }
  return wait > patience ? `the provider asks to wait ${seconds(wait)}` : undefined
}
const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`

const because = ({ model, provider, reason }: ModelError, why: string) =>
  new ModelError({ provider, model, reason: { ...reason, detail: `${reason.detail} (not repeated: ${why})` } })

export const tell = (request: ModelRequest, error: ModelError, wait: number): Effect.Effect<void> =>
  request.onFailure?.(error.reason, wait) ?? Effect.void
