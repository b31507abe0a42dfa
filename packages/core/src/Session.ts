/**
 * One durable conversation of one agent: opened once, run many times. Its state is a fold over the events it appends to
 * its store.
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"
import type { Agent } from "./Agent.ts"
import type { AnySchema } from "./AnySchema.ts"
import type { Binding } from "./Binding.ts"
import type { Budget } from "./Budget.ts"
import type { Live, Origin } from "./EventBus.ts"
import type { SessionId } from "./Ids.ts"
import type { Asking } from "./internal/gate/Asking.ts"
import type { Vault } from "./internal/gate/Vault.ts"
import { openSession } from "./internal/SessionEngine.ts"
import type { InvalidInput } from "./InvalidInput.ts"
import type { Limits } from "./Limits.ts"
import type { Model } from "./Model.ts"
import type { Outcome } from "./Outcome.ts"
import type { UserPrompt } from "./Part.ts"
import type { Runtime, RuntimeError, RuntimeFactory } from "./Runtime.ts"
import type { SessionBusy } from "./SessionBusy.ts"
import { type SessionQuery, SessionStore } from "./SessionStore.ts"
import type { SessionSummary } from "./SessionSummary.ts"
import type { StoreError } from "./StoreError.ts"
import type { Taint } from "./Taint.ts"

export type SessionFailure = InvalidInput | SessionBusy | StoreError

export interface RunOptions<A = undefined> {
  /**
   * The cell calls the built-in `finish(value)`: a value of the runtime, never re-typed by the model. A value that does
   * not fit is an error in the cell; after two failed repairs the run ends as `invalid_answer`.
   */
  readonly answer?: AnySchema<A> | undefined
  readonly limits?: Limits | undefined
  /**
   * Calls with an effect get their contract's `standIn`, or are refused by name; nobody is asked. Harmless calls, cells
   * and the model are real. Default: false.
   */
  readonly dryRun?: boolean | undefined
  /**
   * How long the run waits for a person before it ends as `waiting`; `Session.continue` goes on. Default:
   * `Defaults.approvalPatience`, for ever.
   */
  readonly patience?: Duration.Input | undefined
}

/** A run that goes on by itself: it belongs to the session, not to who started it. */
export interface Running<A> {
  /** Ends after `RunEnded`. Subscribed before the run began. Empty unless `watch` was asked for. */
  readonly live: Stream.Stream<Live>
  /** With the live answer, which no event can carry. */
  readonly outcome: Effect.Effect<Outcome<A>, SessionFailure>
}

/** Set by the engine for children: where the call came from, whose process to share, whose limits to live within. */
export interface Parent {
  readonly origin: Origin
  readonly cell: number
  readonly ordinal: number
  readonly workItem: string
  readonly near: Runtime
  readonly budget: Budget
  /** What it does to the run that waits for the child that a person is asked. */
  readonly asking: () => Asking | undefined
  readonly dryRun: () => boolean
  readonly vault: Vault
  readonly taint: Taint
  /**
   * A child's live events go up, so that a `stream` shows its children whatever bus the application brought; only a
   * root publishes to the bus.
   */
  readonly publish: (event: Live) => void
}

/**
 * All that can be expected to go wrong in a run is in its `Outcome`; `SessionFailure` is misuse, or a store that cannot
 * write. Runs of one session never interleave: a second one while the first is active is `SessionBusy`.
 */
export interface Session {
  readonly id: SessionId
  readonly agent: Agent
  /** The one execution path: `run` is `start` and its `outcome`, `stream` is `start` and its `live`. */
  readonly start: <A = undefined>(
    prompt: UserPrompt,
    options?: RunOptions<A> & { readonly watch?: boolean | undefined }
  ) => Effect.Effect<Running<A>, SessionFailure>
  /** Interrupting this effect interrupts the run. */
  readonly run: <A = undefined>(
    prompt: UserPrompt,
    options?: RunOptions<A>
  ) => Effect.Effect<Outcome<A>, SessionFailure>
  /** Leaving the stream interrupts the run. */
  readonly stream: <A = undefined>(prompt: UserPrompt, options?: RunOptions<A>) => Stream.Stream<Live, SessionFailure>
  /**
   * Stops the run, whose outcome is then `cancelled`, and returns when it has stopped. An interrupted Effect has no
   * value, hence this way.
   */
  readonly interrupt: Effect.Effect<void>
  /**
   * Goes on after `waiting`: with what was answered meanwhile, and with new patience for the rest. Fails with
   * `InvalidInput` where no run is suspended. Interrupting this effect interrupts the run.
   */
  readonly continue: Effect.Effect<Outcome<unknown>, SessionFailure>
  /** Adds bindings; the model is told of them with the next prompt. */
  readonly inject: (bindings: ReadonlyArray<Binding>) => Effect.Effect<void, RuntimeError | InvalidInput>
  /** What a name holds now: in a runtime of this process the object itself. */
  readonly retrieve: <T = unknown>(name: string) => Effect.Effect<T, RuntimeError>
  readonly runtime: Runtime
  /** Live events of this session and its children, from now on. */
  readonly events: Effect.Effect<Stream.Stream<Live>, never, Scope.Scope>
}

export interface OpenOptions {
  /** Default: a random one. */
  readonly id?: string | undefined
  readonly limits?: Limits | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  /** For whom the session runs; visible to policies and bound functions. */
  readonly principal?: string | undefined
  /** Set by the engine for a child. */
  readonly parent?: Parent | undefined
}

/** What a session needs: a model, a runtime and a store. All else has a default. */
export type SessionServices = Model | RuntimeFactory | SessionStore

export interface SessionModule {
  readonly open: (
    agent: Agent,
    options?: OpenOptions
  ) => Effect.Effect<Session, SessionFailure | RuntimeError, Scope.Scope | SessionServices>
  /** A page of the sessions of the store, also of those that other processes hold; latest activity first. */
  readonly list: (query?: SessionQuery) => Effect.Effect<SessionPage, StoreError, SessionStore>
  /** A session with all that it holds. Fails with `Held` while a process has it open, `NotFound` if there is none. */
  readonly delete: (id: string) => Effect.Effect<void, StoreError, SessionStore>
}

export interface SessionPage {
  readonly items: ReadonlyArray<SessionSummary>
  /** The `cursor` of the next page, if there are more. */
  readonly next?: string | undefined
}

/**
 * `Session.open` starts a conversation; closing the scope ends it, with its cells, timers and children. `Session.list`
 * and `Session.delete` are about those that a store keeps.
 *
 * ```ts
 * import { Agent, Session, SessionStore } from "@daylight/core"
 * import { ScriptedModel } from "@daylight/core/testing"
 * import { VmRuntime } from "@daylight/runtime-vm"
 * import { Effect } from "effect"
 *
 * const agent = Agent.make({ name: "adder" })
 * const program = Effect.gen(function*() {
 *   const session = yield* Session.open(agent)
 *   yield* session.run("What is 6 times 7?")
 *   return yield* session.retrieve("product")
 * })
 * const model = ScriptedModel.layer([{ code: "const product = 6 * 7" }, "It is 42."])
 * const provided = Effect.provide(program, [model, VmRuntime.layer, SessionStore.layerMemory])
 * await Effect.runPromise(Effect.scoped(provided)) // => 42
 * ```
 */
export const Session: SessionModule = {
  open: openSession,
  list: (query = {}) => Effect.flatMap(SessionStore, (store) => store.list(query)),
  delete: (id) => Effect.flatMap(SessionStore, (store) => store.remove(id as SessionId))
}
