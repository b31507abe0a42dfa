/**
 * The calls of one replay, answered as its rules say. They pass the gate as they always do (contracts, policies,
 * approvals, limits, the log); what is exchanged is what the application would have done.
 */
import {
  Agent,
  type AgentOptions,
  Binding,
  type Boundary,
  type HostCall,
  HostCallError,
  type Live,
  RuntimeFactory
} from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AsyncLocalStorage } from "node:async_hooks"
import type { Cassette } from "../cassette/Cassette.ts"
import { placeOf } from "../recording/SessionsOf.ts"
import { type CallRule, type CallRules, contractedPaths, ruleOf } from "./CallRules.ts"
import { callOf, missedCall, unusedCalls } from "./CallDivergence.ts"
import type { Divergence } from "./Divergence.ts"
import { type AskedCall, givenBy, type RecordedCall, RecordedCalls, type Unanswered } from "./RecordedCalls.ts"

export interface AnsweredCallsOptions {
  readonly agent: AgentOptions
  readonly cassette: Cassette
  readonly rules: CallRules
  /** From then on what was to be recorded is live. */
  readonly left?: (() => boolean) | undefined
  readonly repeat?: boolean | undefined
  readonly remedy?: string | undefined
}

type Perform = Parameters<Boundary["invoke"]>[1]
type Context = Parameters<Perform>[1]

export class AnsweredCalls {
  readonly #options: AnsweredCallsOptions
  readonly #recorded: RecordedCalls
  readonly #rule: (path: string) => CallRule
  readonly #misses: Array<Divergence> = []
  /** Of cells: the run and step in which they began. */
  readonly #steps = new Map<string, { readonly run: number; readonly step: number }>()
  /** What stands in for the application runs where that would: outside of the cell. */
  readonly #outside = AsyncLocalStorage.snapshot()
  #root: string | undefined

  constructor(options: AnsweredCallsOptions) {
    this.#options = options
    this.#recorded = new RecordedCalls(options.cassette.cells ?? [], options)
    this.#rule = ruleOf(options.rules)
  }

  /** Calls that were to be recorded and were not, in order, also those whose error the cell caught. */
  get misses(): ReadonlyArray<Divergence> {
    return this.#misses
  }

  /** Recorded calls that nobody made, of paths that were to be recorded. */
  get unused(): ReadonlyArray<RecordedCall> {
    const contracted = contractedPaths(this.#options.agent)
    return this.#recorded.unused((path) => this.#rule(path) === "recorded" && contracted.has(path))
  }

  /** Tells of those. */
  get rest(): Divergence | undefined {
    const { agent, cassette } = this.#options
    const agentOf = (session: string) =>
      cassette.sessions?.find((known) => known.session === session)?.agent ?? [agent.name]
    return unusedCalls(this.unused, agentOf)
  }

  /** The same agent, where cells of it and of its sub-agents get these answers. */
  agent(agent: AgentOptions): AgentOptions {
    return { ...agent, runtime: this.#runtime(agent.runtime), ...this.#bindings(agent.bindings) }
  }

  /** Has to be told of all events. */
  watch(live: Live): void {
    const event = live._tag === "Recorded" ? live.recorded.event : undefined
    if (event?._tag === "CellStarted") this.#steps.set(`${live.origin.session}:${event.cell}`, event)
  }

  #bindings(bindings: ReadonlyArray<Binding> | undefined): Pick<AgentOptions, "bindings"> {
    return bindings === undefined ? {} : {
      bindings: bindings.map((binding) => {
        if (binding._tag !== "Agent") return binding
        const { agent, limits, name } = binding
        const runtime = agent.runtime && this.#runtime(agent.runtime)
        return Binding.agent(name, Agent.make({ ...agent, runtime, ...this.#bindings(agent.bindings) }), { limits })
      })
    }
  }

  #runtime<E>(runtime: Layer.Layer<RuntimeFactory, E>): Layer.Layer<RuntimeFactory, E> {
    return Layer.effect(
      RuntimeFactory,
      Effect.map(RuntimeFactory, ({ open }) =>
        RuntimeFactory.of({
          open: (request) => {
            this.#root ??= request.session
            return open({ ...request, boundary: this.#boundary(request.boundary, request.session) })
          }
        }))
    ).pipe(Layer.provide(runtime))
  }

  #boundary({ invoke, note }: Boundary, session: string): Boundary {
    const place = placeOf(session, this.#root ?? session) ?? session
    return {
      invoke: (call, perform, paused) => {
        const rule = this.#ruleFor(call)
        if (rule === "live") return invoke(call, perform, paused)
        if (rule !== "recorded") return invoke(call, (args) => this.#outside(() => rule(...args)), paused)
        const answered: Perform = (args, context) => this.#answer(call, place, args, context)
        // What was recorded has passed the contract, which may have made something else of it.
        return invoke({ ...call, contract: { ...call.contract, output: undefined } }, answered, paused)
      },
      ...(note !== undefined && { note })
    }
  }

  /** Live objects answer for themselves, sub-agents run again, and people have decided. */
  #ruleFor({ bare, contract, path }: HostCall): CallRule {
    if (bare === true || contract?.child !== undefined || contract?.question === true) return "live"
    const rule = this.#rule(path)
    return rule === "recorded" && this.#options.left?.() === true ? "live" : rule
  }

  #answer(call: HostCall, session: string, args: ReadonlyArray<unknown>, context: Context): unknown {
    const { operation, path } = call
    const asked: AskedCall = { session, path, operation, args, asked: call.args }
    const found = this.#recorded.take(asked)
    if ("why" in found) throw this.#missed(call, asked, found, context)
    const given = givenBy(found)
    if (given._tag === "Lost") {
      const difference = { path: "$", expected: given.why, came: undefined }
      throw this.#missed(call, asked, { why: "lost", nearest: found, difference }, context)
    }
    const atOnce = call.blocking && found.ended?.inPlace === true
    if (given._tag === "Value") return atOnce ? given.value : Promise.resolve(given.value)
    if (atOnce) throw given.error
    return Promise.reject(given.error)
  }

  #missed(call: HostCall, asked: AskedCall, missed: Unanswered, { agent, session }: Context): HostCallError {
    const { run, step } = this.#steps.get(`${session}:${call.cell}`) ?? {}
    const place = { agent, run, step }
    const { divergence, nearest } = missedCall(call, asked, missed, place, this.#options.remedy)
    this.#misses.push(divergence)
    const reason = { _tag: "NotRecorded", key: callOf(asked), nearest } as const
    return new HostCallError({ path: call.path, reason })
  }
}
