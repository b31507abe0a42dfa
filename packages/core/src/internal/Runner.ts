import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { checkLimits } from "../Agent.ts"
import type { AnySchema } from "../AnySchema.ts"
import { LimitReached } from "../Budget.ts"
import { Defaults } from "../Defaults.ts"
import type { Live } from "../EventBus.ts"
import { InvalidInput } from "../InvalidInput.ts"
import type { Limits } from "../Limits.ts"
import type { Message } from "../Message.ts"
import type { ModelError } from "../ModelError.ts"
import type { Outcome, OutcomeRecord } from "../Outcome.ts"
import { storePrompt, type UserPrompt } from "../Part.ts"
import type { RuntimeError } from "../Runtime.ts"
import type { Running, RunOptions, SessionFailure } from "../Session.ts"
import { SessionBusy } from "../SessionBusy.ts"
import type { StoreError } from "../StoreError.ts"
import { ActiveClock } from "./ActiveClock.ts"
import { BudgetNode } from "./BudgetNode.ts"
import type { Frame } from "./Frame.ts"
import type { Asking } from "./gate/Asking.ts"
import { doubtText } from "./gate/EffectTexts.ts"
import { converse } from "./History.ts"
import { loop, wrapUp } from "./Loop.ts"
import { answerOpenActions } from "./PerformActions.ts"
import { Run } from "./Run.ts"
import { answerText, declarationsText, variablesText } from "./Situation.ts"

type UserMessage = typeof Message.cases.User.Type

/** Who sees the events of the active run; shared with the session's publisher. */
export interface Watch {
  sink: ((live: Live) => void) | undefined
}

/** To whom the end of a run is told. */
interface Ending {
  readonly done: Deferred.Deferred<Outcome<unknown>, StoreError>
  readonly queue: Queue.Queue<Live, Cause.Done> | undefined
}

/** Starts, stops and settles the runs of one session, one at a time. */
export class Runner {
  current: Run | undefined
  readonly #frame: Frame
  readonly #limits: Limits | undefined
  readonly #scope: Scope.Scope
  readonly #now: () => number
  readonly #watch: Watch
  #runs = 0
  #ending: Ending | undefined
  /** The active run was told to stop; a session that is closed does not tell. */
  #stopped = false
  #fiber: Fiber.Fiber<void> | undefined
  /** The run before was cancelled, and the model does not know. */
  #cancelled = false
  /** Names that were bound since the model was last told. */
  #unannounced: Array<string> = []

  constructor(frame: Frame, limits: Limits | undefined, scope: Scope.Scope, now: () => number, watch: Watch) {
    this.#frame = frame
    this.#limits = limits
    this.#scope = scope
    this.#now = now
    this.#watch = watch
  }

  announce(names: ReadonlyArray<string>): void {
    this.#unannounced.push(...names)
  }

  finish(value: unknown): unknown {
    return this.current?.finish(value)
  }

  /** Stops the active run, if there is one, and returns when it has stopped. */
  readonly interrupt: Effect.Effect<void> = Effect.suspend(() => {
    this.#stopped = true
    return this.#fiber === undefined ? Effect.void : Fiber.interrupt(this.#fiber)
  })

  /** What it does to the active run that a person is asked. */
  get asking(): Asking | undefined {
    const run = this.current
    if (run === undefined) return undefined
    const { clock, patience, suspension } = run
    return {
      pause: (on) => clock.pause(on),
      impatience: patience === undefined ? Effect.never : Effect.sleep(patience).pipe(
        Effect.andThen(this.#suspend(run)),
        Effect.andThen(suspension.active),
        Effect.forever
      ),
      active: suspension.active
    }
  }

  /** Goes on with a run that was suspended. */
  readonly continue: Effect.Effect<Outcome<unknown>, SessionFailure> = Effect.suspend(() => {
    const run = this.current
    if (run === undefined || !run.suspension.isSuspended) {
      return Effect.fail(
        new InvalidInput({
          subject: `session ${this.#frame.id}`,
          problem: "no run of it is suspended",
          remedy: "Start a run; one that ended as waiting can be continued"
        })
      )
    }
    run.suspension.resume()
    const { outcome } = this.#listen<unknown>(false)
    return this.#frame.log.commit({ _tag: "RunContinued", run: run.number }).pipe(
      Effect.andThen(Effect.sync(() => {
        run.clock.pause(false)
        run.suspension.release()
      })),
      Effect.andThen(outcome),
      Effect.onInterrupt(() => this.interrupt)
    )
  })

  /** Ends the waiting for a run, not the run: its cell stands where it stood. */
  #suspend(run: Run): Effect.Effect<void> {
    return Effect.uninterruptible(Effect.suspend(() => {
      if (run.over || run.suspension.isSuspended) return Effect.void
      run.suspension.suspend()
      run.clock.pause(true)
      const record = run.outcome("waiting")
      return Effect.map(
        this.#frame.log.commitOrEnd({ _tag: "RunEnded", run: run.number, outcome: record }),
        () => this.#end(Exit.succeed(withAnswer(record, run)))
      )
    }))
  }

  /**
   * Begins a run as a fiber of the session: it goes on whoever looks, and its outcome is settled whatever happens to
   * it.
   */
  start<A>(
    prompt: UserPrompt,
    options: RunOptions<A> & { readonly watch?: boolean | undefined } = {}
  ): Effect.Effect<Running<A>, SessionFailure> {
    return Effect.suspend((): Effect.Effect<Running<A>, SessionFailure> => {
      const { id } = this.#frame
      if (this.current !== undefined) return Effect.fail(new SessionBusy({ session: id, run: this.current.number }))
      if (this.#scope.state._tag === "Closed") {
        return Effect.fail(
          new InvalidInput({ subject: `session ${id}`, problem: "is closed", remedy: "Open another session" })
        )
      }
      const limits = { ...this.#frame.agent.limits, ...this.#limits, ...options.limits }
      const run = this.current = new Run(
        ++this.#runs,
        new BudgetNode(this.#frame.agent.name, limits),
        new ActiveClock(this.#now),
        options
      )
      this.#stopped = false
      return Effect.try({ try: () => checkLimits(`run of ${id}`, limits), catch: (error) => error as InvalidInput })
        .pipe(
          Effect.andThen(storePrompt(prompt, this.#frame.store, this.#frame.platform)),
          Effect.flatMap((message) => this.#launch<A>(run, message, limits, options.watch === true)),
          Effect.tapCause(() => Effect.sync(() => this.#release(run)))
        )
    })
  }

  #launch<A>(run: Run, prompt: UserMessage, limits: Limits, watch: boolean): Effect.Effect<Running<A>, never> {
    const running = this.#listen<A>(watch)
    const whole = this.#whole(run, prompt, limits).pipe(
      Effect.flatMap((record) => this.#record(run, record)),
      Effect.exit,
      Effect.map((exit) => {
        this.#cancelled = exit._tag === "Success" && exit.value.reason === "cancelled"
        this.#release(run)
        this.#end(exit)
      }),
      Effect.uninterruptible
    )
    return Effect.map(Effect.forkIn(whole, this.#scope, { startImmediately: true }), (fiber) => {
      if (this.current === run) this.#fiber = fiber
      return running
    })
  }

  /** Whoever waits for the run is told what becomes of it, and sees its events if they want to. */
  #listen<A>(watch: boolean): Running<A> {
    const done = Deferred.makeUnsafe<Outcome<unknown>, StoreError>()
    const queue = watch ? Effect.runSync(Queue.unbounded<Live, Cause.Done>()) : undefined
    if (queue !== undefined) this.#watch.sink = (live) => void Queue.offerUnsafe(queue, live)
    this.#ending = { done, queue }
    const outcome = Deferred.await(done) as Running<A>["outcome"]
    return { live: queue === undefined ? Stream.empty : Stream.fromQueue(queue), outcome }
  }

  #end(exit: Exit.Exit<Outcome<unknown>, StoreError>): void {
    const { done, queue } = this.#ending!
    if (queue !== undefined) {
      this.#watch.sink = undefined
      Queue.endUnsafe(queue)
    }
    Deferred.doneUnsafe(done, exit)
  }

  #record(run: Run, record: OutcomeRecord): Effect.Effect<Outcome<unknown>, StoreError> {
    run.over = true
    // A suspended run of a session that is closed stays suspended: whoever resumes the session can go on with it.
    if (run.suspension.isSuspended && !this.#stopped) return Effect.succeed(withAnswer(run.outcome("waiting"), run))
    this.#frame.gate.abandon()
    return Effect.as(
      this.#frame.log.commit({ _tag: "RunEnded", run: run.number, outcome: record }),
      withAnswer(record, run)
    )
  }

  #release(run: Run): void {
    if (this.current !== run) return
    this.current = undefined
    this.#fiber = undefined
  }

  /** From prompt to outcome. Only a store that cannot write is a failure; interruption gives `cancelled`. */
  #whole(run: Run, prompt: UserMessage, limits: Limits): Effect.Effect<OutcomeRecord, StoreError> {
    const frame = this.#frame
    const failed = (reason: OutcomeRecord["reason"]) => (error: unknown) =>
      Effect.sync(() => {
        answerOpenActions(frame, run, "the run failed")
        const { message, name } = error instanceof Error ? error : new Error(String(error))
        return run.outcome(reason, { error: { name, message } })
      })
    const steps = this.#begin(run, prompt).pipe(
      Effect.andThen(this.#timed(run, limits)),
      Effect.tap(() => run.suspension.active)
    )
    return Effect.interruptible(Effect.raceFirst(steps, frame.log.broken)).pipe(
      Effect.catchTags({ ModelError: failed("model_error"), RuntimeError: failed("runtime_error") }),
      Effect.catchDefect(failed("internal_error")),
      Effect.catchCauseIf(Cause.hasInterruptsOnly, () =>
        Effect.sync(() => {
          answerOpenActions(frame, run, "cancelled")
          return run.outcome("cancelled")
        }))
    )
  }

  /** A limit ends the steps, and time ends them wherever they are; what is kept of either is for one last answer. */
  #timed(run: Run, limits: Limits): Effect.Effect<OutcomeRecord, StoreError | RuntimeError | ModelError> {
    const frame = this.#frame
    const time = limits.time === undefined ? Infinity : Duration.toMillis(Duration.fromInputUnsafe(limits.time))
    const kept = Math.min(
      time * Defaults.wrapUpTime.share,
      Duration.toMillis(Duration.fromInputUnsafe(Defaults.wrapUpTime.most))
    )
    if (!Number.isFinite(time)) {
      return Effect.catchTag(loop(frame, run), "LimitReached", (limit) => wrapUp(frame, run, limit))
    }
    const timeUp = Effect.suspend(() =>
      Effect.fail(new LimitReached({ unit: "time", limit: time, used: run.clock.active, agent: frame.agent.name }))
    )
    const steps = time === 0
      ? timeUp
      : Effect.raceFirst(loop(frame, run), Effect.andThen(run.clock.until(time - kept), timeUp))
    return Effect.catchTag(steps, "LimitReached", (limit) =>
      run.clock.active >= time
        ? Effect.succeed(run.limited(limit))
        : Effect.raceFirst(wrapUp(frame, run, limit), Effect.map(run.clock.until(time), () => run.limited(limit))))
  }

  /** Puts the prompt into the history, with what the namespace holds at this moment. */
  #begin(run: Run, prompt: UserMessage) {
    return Effect.map(this.#situation(run.schema), (situation) => {
      const message: UserMessage = situation === ""
        ? prompt
        : { ...prompt, content: [...prompt.content, { _tag: "Text", text: situation }] }
      converse(this.#frame, {
        _tag: "RunStarted",
        run: run.number,
        prompt: message,
        added: message.content.length - prompt.content.length,
        ...(run.schema !== undefined && { answer: true }),
        ...(run.dryRun && { dryRun: true })
      })
    })
  }

  #situation(schema: AnySchema<any> | undefined): Effect.Effect<string, RuntimeError> {
    const { functions, gate, runtime } = this.#frame
    const cancelled = this.#cancelled ? "The run before was cancelled before it ended." : ""
    const notes = [cancelled, doubtText(gate.takeUntold())].filter((note) => note !== "")
    const note = notes.length === 0 ? "" : `<note>${notes.join("\n")}</note>`
    if (functions !== undefined) return Effect.succeed(note)
    const declared = this.#unannounced.splice(0).length > 0 ? declarationsText(runtime) : Effect.succeed("")
    const answer = schema === undefined ? "" : answerText(schema)
    return Effect.zipWith(
      declared,
      variablesText(runtime),
      (declarations, variables) => [note, declarations, variables, answer].filter((text) => text !== "").join("\n")
    )
  }
}

/** The live answer goes where no event can carry it. */
const withAnswer = <A>(record: OutcomeRecord, run: Run): Outcome<A> => {
  const { answer: _, reason, ...rest } = record
  return reason === "completed"
    ? { ...rest, reason, answer: (run.schema === undefined ? undefined : run.finished?.value) as A }
    : { ...rest, reason }
}
