/**
 * All that makes a call outlive passing trouble, in the one order that works: the watchdog closest to the stream, so
 * that it does not count our own waits; repetitions around it; continuations around those, so that each is repeated
 * too.
 */
import type { Model } from "../Model.ts"
import { type ContinueOptions, continuing } from "./Continuing.ts"
import { retrying, type RetryOptions } from "./Retrying.ts"
import { watchdog, type WatchdogOptions } from "./Watchdog.ts"

export interface ResilientOptions {
  readonly watchdog?: WatchdogOptions | undefined
  readonly retry?: RetryOptions | undefined
  readonly continue?: ContinueOptions | undefined
}

/** The same model, watched, repeated and continued. */
export const resilient = (model: Model["Service"], options: ResilientOptions = {}): Model["Service"] =>
  continuing(retrying(watchdog(model, options.watchdog), options.retry), options.continue)
