/**
 * Goes on with an answer that stopped too early: one that the output limit cut off, and one whose stream broke after
 * text had arrived. What arrived is handed back with the request to go on, and the pieces come out as one answer.
 */
import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { Message } from "../Message.ts"
import type { Model, ModelPart, ModelRequest } from "../Model.ts"
import type { ModelError } from "../ModelError.ts"
import { Tokenizer } from "../Tokenizer.ts"
import { addUsage, type Usage } from "../Usage.ts"
import { attemptsOf } from "./Attempts.ts"
import { waitMs } from "./Backoff.ts"
import { Fragment } from "./Fragment.ts"
import { tell } from "./Retrying.ts"
import { fromSource, onPull, type Parts, type PartsPull, type Source } from "./Source.ts"

export interface ContinueOptions {
  /** Continuations of one answer, for whatever reason. Default 3. */
  readonly times?: number | undefined
  /** Wait before going on with a broken stream, doubled each time. Default 0.5 s. */
  readonly base?: Duration.Input | undefined
}

/**
 * The same model, whose cut and broken answers are completed. Put it around `retrying`, so that each continuation is
 * repeated as the first call is. An answer cut inside an action is left alone: no provider goes on with half a tool
 * call. A stream that breaks after a complete action ends with it.
 */
export const continuing = (model: Model["Service"], options: ContinueOptions = {}): Model["Service"] => {
  const times = options.times ?? 3
  const base = Duration.toMillis(options.base ?? "500 millis")
  return {
    info: model.info,
    stream: (request) => {
      const attempts = attemptsOf(request)
      return fromSource(
        () => model.stream(attempts.request),
        (source) => new Continuation(model, attempts, source, times, base).pull
      )
    }
  }
}

type Start = Extract<ModelPart, { _tag: "Start" }>
type Why = "cut" | "thought" | "broken"

class Continuation {
  readonly pull: PartsPull
  readonly #model: Model["Service"]
  readonly #attempts: ReturnType<typeof attemptsOf>
  readonly #source: Source
  readonly #times: number
  readonly #base: number
  #continued = 0
  /** All that holds when the piece that now streams turns out to be void. */
  #before = new Fragment()
  #now = new Fragment()
  #started = false
  #usage: Usage | undefined
  /** Pieces whose usage nobody reported. */
  #uncounted: Array<string> = []
  #pieceUsage: Usage | undefined
  #over = false

  constructor(
    model: Model["Service"],
    attempts: ReturnType<typeof attemptsOf>,
    source: Source,
    times: number,
    base: number
  ) {
    this.#model = model
    this.#attempts = attempts
    this.#source = source
    this.#times = times
    this.#base = base
    const pull: PartsPull = onPull(source.pull, (parts) => this.#take(parts), (error) => this.#failed(error))
    this.pull = Effect.suspend(() => this.#over ? Cause.done() : pull)
  }

  /** Most arrays pass as they are; only a `Start` of a later piece, a `Usage` and a `Finish` need a look. */
  #take(parts: Parts): PartsPull {
    let out: Array<ModelPart> | undefined
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      const special = part._tag === "Usage" || part._tag === "Finish" || (part._tag === "Start" && this.#started)
      if (special) out ??= parts.slice(0, i)
      if (part._tag === "Start") {
        if (this.#started) out!.push(...this.#restarted(part))
        this.#started = true
      } else if (part._tag === "Usage") {
        this.#pieceUsage = part.usage
      } else if (part._tag === "Finish") {
        return this.#finished(part, out!)
      } else {
        this.#now.push(part)
        out?.push(part)
      }
    }
    return out === undefined ? Effect.succeed(parts) : this.#emit(out)
  }

  #emit(out: Array<ModelPart>): PartsPull {
    return out.length > 0 ? Effect.succeed(out as unknown as Parts) : this.pull
  }

  /**
   * A piece began anew. A first `Start` of a continuation voids nothing; a later one voids that piece only, so the rest
   * is told again.
   */
  #restarted(start: Start): Array<ModelPart> {
    const fresh = !this.#now.begun
    if (fresh && this.#continued > 0) return []
    this.#now = this.#before.copy()
    return [start, ...this.#now.retold()]
  }

  #finished(finish: Extract<ModelPart, { _tag: "Finish" }>, out: Array<ModelPart>): PartsPull {
    const cut = finish.reason === "length" && this.#now.actions === 0 && this.#continued < this.#times
    this.#count()
    if (cut) {
      const thoughts = this.#now.text === this.#before.text
      return Effect.andThen(this.#goOn(thoughts ? "thought" : "cut", Effect.void), this.#emit(out))
    }
    return Effect.flatMap(this.#total, (usage) => {
      this.#over = true
      if (usage !== undefined) out.push({ _tag: "Usage", usage })
      out.push(finish)
      return this.#emit(out)
    })
  }

  #failed(error: ModelError): PartsPull {
    if (!error.retryable) return Effect.fail(error)
    if (this.#now.actions > 0) {
      this.#count()
      return this.#finished({ _tag: "Finish", reason: "action", raw: error.reason._tag }, [])
    }
    if (this.#now.text === this.#before.text || this.#continued >= this.#times) return Effect.fail(error)
    this.#count()
    const pause = Effect.flatMap(
      waitMs({ base: this.#base, most: 32_000 }, error.reason, this.#continued + 1),
      (wait) => Effect.andThen(tell(this.#attempts.request, error, wait), Effect.sleep(wait))
    )
    return Effect.andThen(this.#goOn("broken", pause), this.pull)
  }

  /** Books the piece that has just ended. */
  #count(): void {
    if (this.#pieceUsage === undefined) this.#uncounted.push(this.#now.text.slice(this.#before.text.length))
    else this.#usage = this.#usage === undefined ? this.#pieceUsage : addUsage(this.#usage, this.#pieceUsage)
    this.#pieceUsage = undefined
  }

  #goOn(why: Why, pause: Effect.Effect<void>): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#continued++
      this.#now.cut()
      this.#before = this.#now.copy()
      this.#now = this.#before.copy()
      const { announce, request } = this.#attempts
      const next = this.#model.stream(rest(request, this.#before, why))
      return this.#source.reopen(next).pipe(Effect.andThen(pause), Effect.andThen(announce(this.#model.info)))
    })
  }

  /**
   * What nobody reported is estimated from the pieces that were; with none reported, the engine estimates the whole.
   */
  get #total(): Effect.Effect<Usage | undefined> {
    const usage = this.#usage
    if (usage === undefined || this.#uncounted.length === 0) return Effect.succeed(usage)
    return Effect.map(Tokenizer, (tokenizer) => {
      const output = this.#uncounted.reduce((sum, text) => sum + tokenizer.count(text), 0)
      const input = Math.round(usage.input / Math.max(1, this.#continued + 1 - this.#uncounted.length)) *
        this.#uncounted.length
      return { ...usage, input: usage.input + input, output: usage.output + output, estimated: true }
    })
  }
}

const rest = (request: ModelRequest, so: Fragment, why: Why): ModelRequest => {
  // Thoughts alone are no message: a provider wants them back only before what they led to.
  const said = so.text === "" ? [] : [Message.cases.Assistant.make({ content: so.content() })]
  const ask = Message.cases.User.make({ content: [{ _tag: "Text", text: asks[why] }] })
  return { ...request, messages: [...request.messages, ...said, ask] }
}

const asks: Readonly<Record<Why, string>> = {
  cut:
    "The output limit cut your answer off. Go on exactly where it stopped, in the middle of a word or a line if need be: repeat nothing, explain nothing.",
  thought: "You used up the output limit by thinking, before any answer. Think briefly now, and answer.",
  broken:
    "The connection broke during your answer; what arrived of it is above. Go on exactly where it stopped, in the middle of a word or a line if need be: repeat nothing, explain nothing."
}
