/**
 * How the model calls of a session outlive passing trouble.
 */
import * as Context from "effect/Context"
import { Model } from "./Model.ts"

/** Takes the model a session was given, and gives the one it calls. */
export type Resilience = (model: Model["Service"]) => Model["Service"]

/**
 * Default: `Model.resilient`, which repeats passing failures 5 times, continues cut answers 3 times and gives up on a
 * stream that is silent for 120 s. Provide another to tune it, or the identity for a model that brings its own.
 */
export const Resilience: Context.Reference<Resilience> = Context.Reference<Resilience>("@daylight/core/Resilience", {
  defaultValue: () => (model) => Model.resilient(model)
})
