/**
 * Runs one call of an SDK as a stream of `ModelPart`s: opened on the first pull, aborted when the stream is left by any
 * way, every failure typed. One Effect per event of the SDK, no operator per part.
 */
import { ModelError, type ModelFailure, type ModelPart } from "@daylight/core"
import * as Cause from "effect/Cause"
import * as Channel from "effect/Channel"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { classify } from "./Classify.ts"
import { type Decoder, Refused } from "./Decoder.ts"
import { type Wire, wireOf } from "./Wire.ts"

export interface SdkCall<Event> {
  readonly provider: string
  readonly model: string
  /** Text that must not reach an error message, such as the key. */
  readonly secrets: ReadonlyArray<string>
  /** `heard` is to be called whenever the server shows that it is alive. */
  readonly open: (signal: AbortSignal, heard: () => void) => Promise<AsyncIterable<Event>>
  readonly wire: () => Wire | undefined
  readonly decoder: Decoder<Event>
}

/** A call through an SDK that shows its response, which our `fetch` has put a `Wire` on. */
export const sdkCall = <Event>(
  model: { readonly provider: string; readonly model: string },
  secrets: ReadonlyArray<string>,
  how: {
    readonly send: (
      signal: AbortSignal
    ) => Promise<{ readonly data: AsyncIterable<Event>; readonly response: Response }>
    readonly decoder: (wire: () => Wire | undefined) => Decoder<Event>
  }
): SdkCall<Event> => {
  let wire: Wire | undefined
  return {
    provider: model.provider,
    model: model.model,
    secrets,
    open: async (signal, heard) => {
      const { data, response } = await how.send(signal)
      wire = wireOf(response)
      if (wire !== undefined) wire.heard = heard
      return data
    },
    wire: () => wire,
    decoder: how.decoder(() => wire)
  }
}

/** How long to wait for the rest of a stream (usage, the closing mark) once the answer itself is complete. */
const tail = Duration.seconds(2)

/**
 * After this many milliseconds without a part, a sign of life from the server is passed on as an empty delta: no
 * watchdog should end a call that thinks.
 */
const quiet = 5_000

export const sdkStream = <Event>(
  prepare: Effect.Effect<SdkCall<Event>, ModelError>
): Stream.Stream<ModelPart, ModelError> =>
  Stream.fromChannel(Channel.fromTransform((_, scope) =>
    Effect.gen(function*() {
      const clock = yield* Clock.Clock
      const running = begin(yield* prepare, () => clock.currentTimeMillisUnsafe())
      yield* Scope.addFinalizer(scope, Effect.sync(running.abort))
      return running.pull
    })
  ))

type Batch = [ModelPart, ...Array<ModelPart>]

const begin = <Event>(call: SdkCall<Event>, now: () => number) => {
  const controller = new AbortController()
  const { decoder, model, provider } = call
  let iterator: AsyncIterator<Event> | undefined
  let over = false
  let seen = false

  const failed = (thrown: unknown) =>
    new ModelError({ provider, model, reason: hide(noEvents() ?? reasonOf(thrown, now), call.secrets) })

  /** A body that is no stream of events at all: a page of a proxy, for instance. */
  const noEvents = (): ModelFailure | undefined => {
    const beginning = seen ? "" : call.wire()?.beginning() ?? ""
    if (beginning === "" || /^\s*(?:data|event|id|retry)?:/m.test(beginning) || /^\s*[{[]/.test(beginning)) {
      return undefined
    }
    return { _tag: "MalformedResponse", detail: `the server sent no events, but: ${beginning.replace(/\s+/g, " ")}` }
  }

  const finish = () => {
    over = true
    const out: Array<ModelPart> = []
    decoder.end(out)
    return out
  }

  const next = async (): Promise<Array<ModelPart>> => {
    iterator ??= (await call.open(controller.signal, () => beat?.()))[Symbol.asyncIterator]()
    const out: Array<ModelPart> = []
    while (out.length === 0) {
      const result = await iterator.next()
      if (result.done === true) return finish()
      seen = true
      decoder.push(result.value, out)
      if (decoder.settled()) break
    }
    return out
  }

  let pending: Promise<Array<ModelPart>> | undefined
  let beat: (() => void) | undefined
  let since = now()

  /**
   * The next parts, or an empty delta where the server is alive and has nothing to say. What is pending stays for the
   * next pull.
   */
  const nextOrBeat = () => {
    const waiting = pending ??= next()
    return new Promise<Array<ModelPart>>((resolve, reject) => {
      const done = () => {
        beat = undefined
        since = now()
      }
      const onBeat = () => {
        if (now() - since < quiet) return
        done()
        resolve([seen ? { _tag: "TextDelta", text: "" } : { _tag: "Start", provider, model }])
      }
      beat = onBeat
      waiting.then((parts) => {
        if (beat !== onBeat) return
        done()
        pending = undefined
        resolve(parts)
      }, reject)
    })
  }

  /** The answer stands: a failure or a stall from here on only costs the usage. */
  const rest = async (): Promise<Array<ModelPart>> => {
    const out: Array<ModelPart> = []
    try {
      for (let result = await iterator!.next(); result.done !== true; result = await iterator!.next()) {
        decoder.push(result.value, out)
      }
    } catch {
      controller.abort() // whatever it was came after the end of the answer
    }
    return out
  }

  const live = Effect.tryPromise({ try: nextOrBeat, catch: failed })
  const closing = Effect.promise(rest).pipe(
    Effect.timeoutOption(tail),
    Effect.flatMap((parts) =>
      Effect.try({
        try: () => [...Option.getOrElse(parts, () => []), ...finish()],
        catch: failed
      })
    )
  )
  const pull: Effect.Effect<Batch, ModelError | Cause.Done> = Effect.suspend(() => {
    if (over) return Effect.fail(Cause.Done())
    return Effect.flatMap(
      decoder.settled() ? closing : live,
      (parts) => parts.length > 0 ? Effect.succeed(parts as Batch) : pull
    )
  })
  return { pull, abort: () => controller.abort() }
}

const reasonOf = (thrown: unknown, now: () => number): ModelFailure =>
  thrown instanceof Refused ? thrown.reason : classify(thrown, now())

const hide = (reason: ModelFailure, secrets: ReadonlyArray<string>): ModelFailure => {
  let { detail } = reason
  for (const secret of secrets) if (secret.length > 3) detail = detail.replaceAll(secret, "<redacted>")
  return detail === reason.detail ? reason : { ...reason, detail }
}
