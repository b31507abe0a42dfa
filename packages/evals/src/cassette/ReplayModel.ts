/**
 * A model that answers from a recording, and from nothing else: no socket is opened, and a request that was not
 * recorded is an error that says where it differs.
 */
import { Model, ModelError, type ModelPart, type ModelRequest } from "@daylight/core"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { type Cassette, modelOf, type RecordedAnswer } from "./Cassette.ts"
import { EngineDigests } from "./EngineDigest.ts"
import { Ledger } from "./Ledger.ts"
import { type Miss, missOf } from "./MissReport.ts"
import { ModelRequests } from "./ModelRequests.ts"

export interface ReplayOptions {
  /** The last recording of a request answers all further equal ones. Default `false`: each answers once. */
  readonly repeat?: boolean | undefined
  /** What a miss tells people to do. Default: to record again. */
  readonly remedy?: string | undefined
}

const recordAgain = "If the change is meant, record the run again."

/** One replaying of a recording: models that share what is used up, and the account of it. */
export class ModelReplay {
  readonly cassette: Cassette
  readonly #ledger: Ledger<RecordedAnswer>
  readonly #requests: ModelRequests
  readonly #digests = new EngineDigests()
  readonly #remedy: string
  readonly #misses: Array<Miss> = []
  readonly #fromLog: boolean
  #outputLimit: number | undefined
  #asked = 0

  constructor(cassette: Cassette, options: ReplayOptions = {}) {
    this.cassette = cassette
    this.#requests = new ModelRequests(cassette.matching)
    this.#remedy = options.remedy ?? recordAgain
    this.#ledger = new Ledger(cassette.answers, options)
    this.#fromLog = cassette.answers.some(({ request }) => request.system === undefined)
  }

  /** Requests so far. */
  get asked(): number {
    return this.#asked
  }

  /** Requests that found no recording, in order, also those whose error the agent caught. */
  get misses(): ReadonlyArray<Miss> {
    return this.#misses
  }

  /** Answers that nobody asked for. */
  get unused(): ReadonlyArray<RecordedAnswer> {
    return this.#ledger.unused
  }

  /**
   * The model of an agent, a path of names from the root. Throws nothing: a recording without answers gives a model
   * that has none.
   */
  model(agent?: ReadonlyArray<string>): Model["Service"] {
    const info = modelOf(this.cassette, agent) ?? nothing
    return Model.of({ info, stream: (request) => this.stream(info, request) })
  }

  /** The recorded answer, or a failure that says where the request differs. */
  stream(info: Model["Service"]["info"], request: ModelRequest): Stream.Stream<ModelPart, ModelError> {
    return Stream.suspend(() => {
      this.#asked++
      const taken = this.#take(info, request)
      return typeof taken === "object"
        ? streamOf(taken, info, request)
        : failed(info, this.miss(info, request, taken).report)
    })
  }

  /** There is an answer left for this request. */
  has(info: Model["Service"]["info"], request: ModelRequest): boolean {
    const { key } = this.#requests.identify(info, request)
    return this.#ledger.has(key) || this.#ledger.has(this.#digestOf(request))
  }

  /** Counts a request as one that was not recorded. */
  miss(info: Model["Service"]["info"], request: ModelRequest, why: Miss["why"] = "unknown"): Miss {
    const miss = missOf(this.cassette, this.#requests.identify(info, request), why, this.unused, this.#remedy)
    this.#misses.push(miss)
    return miss
  }

  /** The name of the request in a log, if the recording was made from one. */
  #digestOf(request: ModelRequest): string {
    if (!this.#fromLog) return this.#digests.of(request)
    const of = (maxOutputTokens: number) => this.#digests.of({ ...request, maxOutputTokens })
    // A budget may have set the limit, which is the same again.
    const own = of(request.maxOutputTokens)
    if (this.#ledger.has(own)) return own
    const found = this.#outputLimit ?? outputLimits.find((limit) => this.#ledger.has(of(limit)))
    this.#outputLimit = found
    return found === undefined ? own : of(found)
  }

  #take(info: Model["Service"]["info"], request: ModelRequest) {
    const { head, key } = this.#requests.identify(info, request)
    const taken = this.#ledger.take(key)
    if (taken !== "unknown") return taken
    const digest = this.#digestOf(request)
    const next = this.#ledger.next(digest)
    // The digest of a log says nothing of the model; what is ignored is not in the head.
    const another = next !== undefined &&
      (["provider", "model"] as const).some((name) => head[name] !== undefined && head[name] !== next.request[name])
    return another ? "unknown" : this.#ledger.take(digest)
  }
}

/**
 * Output limits that models have. A log has no more of one than its trace in a digest, so it is found by trying, once.
 */
const outputLimits: ReadonlyArray<number> = [1_000, 1_024].flatMap((unit) =>
  Array.from({ length: 384 }, (_, n) => (n + 1) * unit)
).concat(512, 768, 524_288, 1_000_000, 1_048_576)

const nothing: Model["Service"]["info"] = {
  provider: "recorded",
  model: "nothing",
  contextWindow: 1_000_000,
  maxOutputTokens: 1_000_000,
  toolCalling: true,
  strictAlternation: false
}

const streamOf = (
  { end, parts }: RecordedAnswer,
  info: Model["Service"]["info"],
  request: ModelRequest
): Stream.Stream<ModelPart, ModelError> => {
  const { model, provider } = info
  const told = Stream.fromArray<ModelPart>(parts)
  if (typeof end === "object") {
    return Stream.concat(told, Stream.fail(new ModelError({ provider, model, reason: end.failed })))
  }
  // Who stopped reading at a complete block stops there again; who reads on has come to where the recording was
  // stopped.
  if (end === "finished" || request.actions.length === 0) return told
  return Stream.concat(told, failed(info, "the recording ends here: the run was stopped while this answer streamed"))
}

const failed = ({ model, provider }: Model["Service"]["info"], detail: string) =>
  Stream.fail(new ModelError({ provider, model, reason: { _tag: "NotRecorded", detail } }))

/**
 * Models from a recording. `layer` begins the recording anew each time it is built; `make` gives the replay with its
 * account, for several agents and for who wants to know what was left.
 */
export const ReplayModel = {
  make: (cassette: Cassette, options?: ReplayOptions): ModelReplay => new ModelReplay(cassette, options),
  layer: (cassette: Cassette, options?: ReplayOptions): Layer.Layer<Model> =>
    Layer.sync(Model, () => new ModelReplay(cassette, options).model())
}
