/**
 * One use of a cassette file: a model and a `fetch` that go by it, and an account at the end. What is written is
 * written when it is closed; what is wrong is said then, also if an agent has caught it.
 */
import { Model, type ModelError, type ModelPart, type ModelRequest } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { canonical } from "../internal/Canonical.ts"
import type { SecretOptions } from "../internal/Secrets.ts"
import { RecordingError } from "../RecordingError.ts"
import { type AiSdkMiddleware, aiSdkMiddleware } from "./AiSdkMiddleware.ts"
import type { Cassette, RecordedAnswer, RecordedExchange } from "./Cassette.ts"
import { readCassette, writeCassette } from "./CassetteFile.ts"
import { HttpReplay } from "./HttpReplay.ts"
import { HttpTape } from "./HttpTape.ts"
import { type Matching, strict } from "./Matching.ts"
import { type Mode, modeOf, type ModeOptions } from "./Mode.ts"
import { ModelTape } from "./ModelTape.ts"
import { ModelReplay, type ReplayOptions } from "./ReplayModel.ts"
import { unusedReport } from "./UnusedReport.ts"

export interface CassetteSessionOptions extends ModeOptions, ReplayOptions {
  /** Of a new recording. Default: all of a request counts. One that is there brings its own. */
  readonly matching?: Partial<Omit<Matching, "version">> | undefined
  /** Recordings that nobody asked for, in mode `replay`. Default `error`. */
  readonly unused?: "error" | "warn" | "off" | undefined
  /** Who answers what the recording does not. Default: the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined
  readonly secrets?: SecretOptions | undefined
}

export interface CassetteSession extends AsyncDisposable {
  readonly mode: Mode
  readonly fetch: typeof globalThis.fetch
  /** For `wrapLanguageModel` of the AI SDK (`LanguageModelV3` or newer): its models by the recording. */
  readonly aiSdk: AiSdkMiddleware
  /** The model by the recording; in mode `replay` its layer is never built. */
  readonly model: <E>(model: Layer.Layer<Model, E>) => Layer.Layer<Model, E>
  /** Requests that were not recorded, as reports. */
  readonly misses: ReadonlyArray<string>
  /** Writes what was recorded. Rejects with `RecordingError` for misses and for what was not used. */
  readonly close: () => Promise<void>
}

/** Rejects with `InvalidInput` for a mode that may not be, and with `RecordingError` for a file that cannot be read. */
export const openCassette = async (file: string, options: CassetteSessionOptions = {}): Promise<CassetteSession> => {
  const mode = modeOf(options)
  const matching: Matching = { ...strict, ...options.matching }
  const known = mode === "off" || mode === "record" ? empty(matching) : await existing(file, mode, matching)
  checkRules(file, options.matching, known.matching)
  const remedy =
    `Record it again with DAYLIGHT_REPLAY=record, or add what is missing with DAYLIGHT_REPLAY=record-missing (${file}).`
  const replay = new ModelReplay(known, { remedy, ...options })
  const http = new HttpReplay(known, { remedy, repeat: options.repeat })
  const tape = new ModelTape()
  const httpTape = new HttpTape({ matching: known.matching, fetch: options.fetch })
  const misses = () => [...replay.misses.map(({ report }) => report), ...http.misses.map(({ report }) => report)]

  const close = async () => {
    if (mode === "record" || mode === "record-missing") {
      await writeCassette(file, merged(known, tape, httpTape.recorded), options.secrets)
    }
    if (mode === "replay") {
      const unused = { answers: replay.unused, exchanges: http.unused }
      const left = unused.answers.length + unused.exchanges.length
      checkAccount(file, misses(), left, unusedReport(known, unused), options.unused ?? "error")
    }
  }
  const over = (real: typeof globalThis.fetch) => fetchOf(mode, http, httpTape.over(real), real)
  return {
    mode,
    fetch: over(options.fetch ?? globalThis.fetch),
    aiSdk: aiSdkMiddleware(over),
    model: (model) => modelOf(mode, model, replay, tape),
    get misses() {
      return misses()
    },
    close,
    [Symbol.asyncDispose]: close
  }
}

const empty = (matching: Matching): Cassette => ({
  matching,
  models: [],
  runs: [],
  contents: new Map(),
  messages: new Map(),
  answers: [],
  exchanges: []
})

/** Rules that were given have to be those of the file: keys made by others would all be misses without a cause. */
const checkRules = (file: string, given: CassetteSessionOptions["matching"], recorded: Matching): void => {
  if (given === undefined || canonical({ ...strict, ...given }) === canonical(recorded)) return
  throw new RecordingError({
    file,
    line: 1,
    problem: "is stale: it was recorded by other rules of what counts in a request",
    remedy: "Record it again with DAYLIGHT_REPLAY=record, or leave the rules out to use those of the file"
  })
}

/** Only a mode that writes may begin without a file. */
const existing = async (file: string, mode: Mode, matching: Matching): Promise<Cassette> => {
  try {
    return await readCassette(file)
  } catch (error) {
    const missing = error instanceof RecordingError && error.problem === "there is no such file"
    if (missing && mode !== "replay") return empty(matching)
    throw error
  }
}

const fetchOf = (
  mode: Mode,
  http: HttpReplay,
  recording: typeof globalThis.fetch,
  real: typeof globalThis.fetch
): typeof globalThis.fetch => {
  if (mode === "replay") return http.fetch
  if (mode === "record") return recording
  if (mode === "off") return real
  return async (input, init) => {
    const request = new Request(input, init)
    const body = new Uint8Array(await request.clone().arrayBuffer())
    const { headers, method, url } = request
    if (mode === "record-missing" && http.has({ body, headers, method, url })) {
      return http.respond({ body, headers, method, url }, request.signal)
    }
    if (mode === "live") http.find({ body, headers, method, url })
    return mode === "live" ? real(input, init) : recording(input, init)
  }
}

const modelOf = <E>(
  mode: Mode,
  model: Layer.Layer<Model, E>,
  replay: ModelReplay,
  tape: ModelTape
): Layer.Layer<Model, E> => {
  if (mode === "off") return model
  if (mode === "replay") return Layer.sync(Model, () => replay.model())
  return Layer.effect(
    Model,
    Effect.map(Model, (real) => {
      const recording = tape.recording(real)
      const stream = (request: ModelRequest): Stream.Stream<ModelPart, ModelError> =>
        Stream.suspend(() => {
          if (mode === "record") return recording.stream(request)
          const found = replay.has(real.info, request)
          if (mode === "record-missing") return found ? replay.stream(real.info, request) : recording.stream(request)
          if (!found) replay.miss(real.info, request)
          return real.stream(request)
        })
      return Model.of({ info: real.info, stream })
    })
  ).pipe(Layer.provide(model))
}

/** What was there, then what is new, with ordinals that go on. */
const merged = (known: Cassette, tape: ModelTape, exchanges: ReadonlyArray<RecordedExchange>): Cassette => {
  const { answers, contents, messages, models } = tape.recorded(known.matching)
  const infos = [...known.models.map(({ info }) => info), ...models]
  const distinct = infos.filter((info, index) =>
    infos.findIndex((other) => JSON.stringify(other) === JSON.stringify(info)) === index
  )
  return {
    ...known,
    models: distinct.map((info) => ({ agent: undefined, info: info as Cassette["models"][number]["info"] })),
    contents: new Map([...known.contents, ...contents]),
    messages: new Map([...known.messages, ...messages]),
    answers: [...known.answers, ...continued(known.answers, answers)],
    exchanges: [...known.exchanges, ...continued(known.exchanges, exchanges)]
  }
}

const continued = <A extends RecordedAnswer | RecordedExchange>(
  known: ReadonlyArray<A>,
  added: ReadonlyArray<A>
): ReadonlyArray<A> =>
  added.map((item) => ({ ...item, ordinal: item.ordinal + known.filter(({ key }) => key === item.key).length }))

const checkAccount = (
  file: string,
  misses: ReadonlyArray<string>,
  unused: number,
  which: string,
  strictness: "error" | "warn" | "off"
): void => {
  const [first] = misses
  if (first !== undefined) {
    const more = misses.length === 1 ? "" : ` (and ${misses.length - 1} more)`
    throw new RecordingError({
      file,
      problem: `lacks ${misses.length} ${misses.length === 1 ? "request" : "requests"}${more}: ${first}`,
      remedy: ""
    })
  }
  if (unused === 0 || strictness === "off") return
  const problem = `holds ${unused} ${
    unused === 1 ? "recording that was" : "recordings that were"
  } not asked for: ${which}`
  if (strictness === "warn") return console.warn(`${file}: ${problem}`)
  throw new RecordingError({ file, problem, remedy: 'Record it again, or pass { unused: "warn" }' })
}
