/**
 * Records sessions as they run, or as they lie in a store: a trajectory to look at and to assert on, and a cassette to
 * run the same again.
 */
import {
  EventBus,
  type ModelInfo,
  type Origin,
  Resilience,
  SessionId,
  SessionStore,
  type StoreError,
  ValueRoom
} from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { Cassette } from "./cassette/Cassette.ts"
import { HttpTape } from "./cassette/HttpTape.ts"
import { type Matching, strict } from "./cassette/Matching.ts"
import { ModelTape } from "./cassette/ModelTape.ts"
import type { SecretOptions } from "./internal/Secrets.ts"
import { cassetteOf } from "./recording/CassetteOf.ts"
import { ownAnswers } from "./recording/OwnAnswers.ts"
import { type SavedRecording, saveRecording } from "./recording/SaveRecording.ts"
import { SessionLogs } from "./recording/SessionLogs.ts"
import { trajectoryOf } from "./trajectory/FromEvents.ts"
import type { Trajectory } from "./trajectory/Trajectory.ts"

export interface RecorderOptions {
  /** What of a request does not count when it is looked up. Default: all counts. */
  readonly matching?: Partial<Omit<Matching, "version">> | undefined
  /**
   * Also keep the results of host calls, for replays in which the application takes no part. The logs of sessions that
   * are recorded so hold large values whole. Default `false`.
   */
  readonly calls?: boolean | undefined
  /** Keep where a provider cut its deltas, and its bytes with their times. Default `false`. */
  readonly edges?: boolean | undefined
  /** Where secrets are looked for besides known patterns. Default: `process.env`. */
  readonly secrets?: SecretOptions | undefined
}

/** What a recording is, before it is in files. */
export interface Recording {
  readonly cassette: Cassette
  readonly trajectory: Trajectory
}

export interface Recorder {
  /** What a session needs to be recorded with all its sub-agents: `createAgent({ services })`, or `Effect.provide`. */
  readonly services: Layer.Layer<never>
  /** The platform's `fetch`, overheard: give it to a provider, and the cassette holds the bytes as well. */
  readonly fetch: typeof globalThis.fetch
  /** Sessions that have no parent among those that were recorded, in order. */
  readonly sessions: ReadonlyArray<string>
  /**
   * Of a session with its sub-agents. Without one: all that was heard, and the trajectory of the first. Throws a
   * `RangeError` where nothing was recorded.
   */
  readonly recording: (session?: string) => Recording
  /**
   * Writes `<base>.trajectory.json` and `<base>.cassette.jsonl`. Rejects with `RecordingError` where a secret would be
   * written.
   */
  readonly save: (base: string, options?: { readonly session?: string | undefined }) => Promise<SavedRecording>
}

/** Values of host calls up to this size are in the log: see `ValueRoom`. */
const room = 1_000_000

const make = (options: RecorderOptions = {}): Recorder => {
  const matching: Matching = { ...strict, ...options.matching }
  const tape = new ModelTape({ edges: options.edges })
  const http = new HttpTape({ matching, edges: options.edges })
  const logs = new SessionLogs()
  const recording = (session?: string): Recording => {
    const root = session ?? logs.roots[0]
    const own = session === undefined ? logs.all : logs.of(session)
    const cassette = cassetteOf({
      matching,
      logs: own,
      root,
      tape: ownAnswers(tape.recorded(matching), own, logs.all),
      exchanges: http.recorded,
      calls: options.calls ?? false
    })
    return { cassette, trajectory: trajectoryOf(own, { cassette, session: root }) }
  }
  return {
    services: Layer.mergeAll(
      options.calls === true ? Layer.succeed(ValueRoom, room) : Layer.empty,
      Layer.effect(Resilience, Effect.map(Resilience, (around) => (model) => around(tape.recording(model)))),
      Layer.effect(
        EventBus,
        Effect.map(EventBus, ({ publish, subscribe }): EventBus => ({
          publish: (live) => {
            if (live._tag === "Recorded") logs.take(live.origin, live.recorded)
            publish(live)
          },
          subscribe
        }))
      )
    ),
    fetch: http.fetch,
    get sessions() {
      return logs.roots
    },
    recording,
    save: (base, { session } = {}) => saveRecording(base, recording(session), options.secrets)
  }
}

/**
 * The recording of a session that lies in a store, with those of its sub-agents. A log holds no system prompts: such a
 * cassette finds a request by the log's own digest, and a miss cannot show how a prompt has changed. `models`: their
 * `info`, where more than their names should be in it.
 */
const fromStore = Effect.fnUntraced(function*(
  session: string,
  options: Pick<RecorderOptions, "calls"> & { readonly models?: ReadonlyArray<ModelInfo> | undefined } = {}
): Effect.fn.Return<Recording, StoreError, SessionStore> {
  const store = yield* SessionStore
  const logs = new SessionLogs()
  const read = (id: string, above: Pick<Origin, "agent" | "lineage">): Effect.Effect<void, StoreError> =>
    Effect.gen(function*() {
      const children = new Set<string>()
      const lineage = [...above.lineage, SessionId.make(id)]
      let origin = { agent: above.agent, lineage }
      yield* Stream.runForEach(store.read(SessionId.make(id)), (recorded) =>
        Effect.sync(() => {
          const { event } = recorded
          if (event._tag === "SessionOpened") origin = { agent: [...above.agent, event.agent], lineage }
          if (event._tag === "CallStarted" && event.child !== undefined) children.add(event.child)
          logs.take(origin, recorded)
        }))
      // A child that was never asked anything has no log.
      for (const child of children) {
        yield* Effect.catchIf(read(child, origin), (error) => error.reason._tag === "NotFound", () => Effect.void)
      }
    })
  yield* read(session, { agent: [], lineage: [] })
  const cassette = cassetteOf({
    matching: strict,
    logs: logs.all,
    root: session,
    tape: undefined,
    known: options.models,
    exchanges: [],
    calls: options.calls ?? false
  })
  return { cassette, trajectory: trajectoryOf(logs.all, { cassette, session }) }
})

/**
 * Makes recorders.
 *
 * ```ts
 * import { createAgent } from "@daylight/core/promise"
 * import { ScriptedModel } from "@daylight/core/testing"
 * import { Recorder } from "@daylight/evals"
 * import { VmRuntime } from "@daylight/runtime-vm"
 *
 * const recorder = Recorder.make()
 * await using agent = createAgent({
 *   name: "adder",
 *   model: ScriptedModel.layer([{ code: "6 * 7" }, "It is 42."]),
 *   runtime: VmRuntime.layer,
 *   services: recorder.services
 * })
 * await agent.run("What is 6 times 7?")
 * recorder.recording().trajectory.steps.map((step) => step.source) // => ["system", "user", "agent", "agent"]
 * ```
 */
export const Recorder = { make, fromStore }
