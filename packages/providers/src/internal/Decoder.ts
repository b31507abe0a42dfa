/**
 * From a provider's events to `ModelPart`s. A decoder is synchronous and knows no transport: the same one serves a
 * stream, a body that came in one piece, and a test.
 */
import { type FinishReason, type ModelFailure, type ModelPart, type Usage } from "@daylight/core"

export interface Decoder<Event> {
  /** Takes one event. Throws a `Refused` for an error that came as an event. */
  readonly push: (event: Event, out: Array<ModelPart>) => void
  /**
   * After the last event: what is still owed, ending in exactly one `Finish`. Throws `Broken` where the answer is not
   * whole.
   */
  readonly end: (out: Array<ModelPart>) => void
  /** The provider has said how the answer ends: what fails from here on does not matter any more. */
  readonly settled: () => boolean
}

/** An error that arrived inside a stream, already told apart. */
export class Refused extends Error {
  readonly reason: ModelFailure
  constructor(reason: ModelFailure) {
    super(reason.detail)
    this.name = "Refused"
    this.reason = reason
  }
}

export const broken = (what: string) => new Refused({ _tag: "Connection", detail: `the stream ended before ${what}` })

export const malformed = (detail: string) => new Refused({ _tag: "MalformedResponse", detail })

/** A token count as it may come: missing, null, fractional or negative in the wild. */
export const count = (value: unknown): number =>
  typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0

export const usageOf = (usage: Omit<Usage, "estimated">): ModelPart => ({
  _tag: "Usage",
  usage: { ...usage, estimated: false }
})

export type { FinishReason }
