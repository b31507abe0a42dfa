/**
 * An agent for plain TypeScript: promises and async iterables outside, Effect inside. The same object is what
 * `createAgent` gives, what an application holds of a child, and what a cell sees of a bound agent.
 */
import type * as Layer from "effect/Layer"
import type { Agent } from "./Agent.ts"
import type { AnySchema } from "./AnySchema.ts"
import type { Approvals } from "./Approvals.ts"
import type { Binding } from "./Binding.ts"
import type { Variable } from "./Cell.ts"
import type { Live } from "./EventBus.ts"
import type { SessionId } from "./Ids.ts"
import type { CellLimits } from "./Limits.ts"
import type { Model } from "./Model.ts"
import type { Outcome } from "./Outcome.ts"
import type { UserPrompt } from "./Part.ts"
import type { RuntimeFactory } from "./Runtime.ts"
import type { RunOptions } from "./Session.ts"
import type { SessionStore } from "./SessionStore.ts"

/**
 * An agent with a session of its own, as a plain object. One type in three places: what `createAgent` returns, what an
 * application holds of a child, and what a cell sees for `Binding.agent`. Calls after disposal reject with
 * `InvalidInput`.
 */
export interface AgentHandle extends AsyncDisposable {
  readonly name: string
  readonly session: Promise<SessionId>
  /** Never rejects for what is expected: see `Outcome`. */
  run<A = undefined>(
    prompt: UserPrompt,
    options?: RunOptions<A> & { readonly signal?: AbortSignal | undefined }
  ): Promise<Outcome<A>>
  /** Goes on after the outcome `waiting`. Rejects with `InvalidInput` where no run is suspended. */
  continue(): Promise<Outcome<unknown>>
  inject(bindings: ReadonlyArray<Binding>): Promise<void>
  /**
   * The answer itself, or the text where none was asked for. Rejects with `OutcomeError`; inside a cell a failed child
   * is therefore an exception.
   */
  ask(prompt: UserPrompt): Promise<string>
  ask<A>(prompt: UserPrompt, answer: AnySchema<A>, options?: { readonly signal?: AbortSignal | undefined }): Promise<A>
  /** Leaving the loop early cancels the run. */
  stream<A = undefined>(
    prompt: UserPrompt,
    options?: RunOptions<A> & { readonly signal?: AbortSignal | undefined }
  ): AsyncIterable<Live> & { readonly outcome: Promise<Outcome<A>> }
  retrieve<T = unknown>(name: string): Promise<T>
  /**
   * The child's variables. Reading gives the object (same process) or a promise of it (the child is a kernel), so write
   * `await cleaner.vars.rows`. Writing is ordered before the next `run`. The same object, never a copy, within one
   * process.
   */
  readonly vars: { [name: string]: any }
  names(): Promise<ReadonlyArray<string>>
  /** Its variables as the model is told of them: type, shape, sample. */
  variables(): Promise<ReadonlyArray<Variable>>
  reset(): Promise<void>
}

/**
 * What `createAgent` of `@daylight/core/promise` takes. Layers with `RIn = never`, built once, on the first call, which
 * rejects with their error.
 */
export interface AgentOptions extends Omit<Partial<Agent>, "name" | "model" | "runtime" | "cells"> {
  readonly name: string
  readonly cells?: Partial<CellLimits> | undefined
  readonly model: Layer.Layer<Model, unknown>
  readonly runtime: Layer.Layer<RuntimeFactory, unknown>
  readonly store?: Layer.Layer<SessionStore, unknown> | undefined
  readonly approvals?: Approvals | undefined
  /** Any other reference: `Layer.succeed(Security, ...)`, a `PriceTable`, an `EventBus`, a tracer. */
  readonly services?: Layer.Layer<never, unknown> | undefined
  readonly id?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly principal?: string | undefined
}

/** What the file given to `daylight run|chat FILE` exports as default: an agent and the layers it runs on. */
export type AgentModule = { readonly default: AgentOptions }
