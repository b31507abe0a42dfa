import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { type ActionFormat, type Agent, checkLimits } from "../Agent.ts"
import { Approvals } from "../Approvals.ts"
import type { AgentBinding, Binding, FunctionBinding } from "../Binding.ts"
import { Compactor } from "../Compactor.ts"
import type { Event } from "../Event.ts"
import { Gates } from "../Gates.ts"
import { EventBus, type Live, type Origin } from "../EventBus.ts"
import { SessionId } from "../Ids.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { Model } from "../Model.ts"
import { Observers, unharmed } from "../Observers.ts"
import { Platform } from "../Platform.ts"
import { Policy } from "../Policy.ts"
import { Prompt } from "../Prompt.ts"
import { Resilience } from "../Resilience.ts"
import { RuntimeError, RuntimeFactory } from "../Runtime.ts"
import { Secrets } from "../Secrets.ts"
import { Security } from "../Security.ts"
import type { OpenOptions, Session, SessionFailure, SessionServices } from "../Session.ts"
import { type Journal, SessionStore } from "../SessionStore.ts"
import { Taint } from "../Taint.ts"
import { Tokenizer } from "../Tokenizer.ts"
import { TypeChecker } from "../TypeChecker.ts"
import { ValueRoom } from "../Value.ts"
import { BudgetNode } from "./BudgetNode.ts"
import type { Frame } from "./Frame.ts"
import { FunctionActions } from "./FunctionActions.ts"
import { together } from "./gate/Asking.ts"
import { askBinding } from "./gate/Question.ts"
import { Vault } from "./gate/Vault.ts"
import { type Gate, makeGate } from "./Gate.ts"
import { History } from "./History.ts"
import { Log } from "./Log.ts"
import { lower, type Lowering } from "./Lowering.ts"
import { checkDistinct } from "./Names.ts"
import { Runner, type Watch } from "./Runner.ts"
import { systemPrompt } from "./SystemPrompt.ts"
import { Values } from "./Values.ts"
import { withSyntax } from "./Syntax.ts"

/** Opens a session: resolves its services, binds what the agent brings, and gives it to a `Runner`. */
export const openSession = Effect.fnUntraced(function*(
  agent: Agent,
  options: OpenOptions = {}
): Effect.fn.Return<Session, SessionFailure | RuntimeError, Scope.Scope | SessionServices> {
  if (options.limits !== undefined) yield* attempt(() => checkLimits(`session of ${agent.name}`, options.limits!))
  const scope = yield* Effect.scope
  const services = yield* Effect.context<SessionServices>()
  const { parent } = options
  const model = (yield* Resilience)(yield* own(agent.model, Model, scope))
  const factory = yield* own(agent.runtime, RuntimeFactory, scope)
  const store = yield* SessionStore
  const platform = yield* Platform
  const tokenizer = yield* Tokenizer
  const clock = yield* Clock.Clock
  const bus = yield* EventBus

  const id = SessionId.make(options.id ?? `${agent.name}-${globalThis.crypto.randomUUID()}`)
  const origin: Origin = {
    session: id,
    agent: [...(parent?.origin.agent ?? []), agent.name],
    lineage: [...(parent?.origin.lineage ?? []), id]
  }
  const opened = openedEvent(agent, options, id, platform.sha256)
  const journal = yield* store.create(id, opened)
  /** Set while somebody watches a run; a child's events pass through its parent's, a root's end in the bus. */
  const watch: Watch = { sink: undefined }
  const vault = parent?.vault ?? new Vault()
  const taint = parent?.taint ?? new Taint(platform.sha256)
  const observers = yield* Observers
  const up = parent?.publish ?? ((live: Live) => {
    for (const observe of observers) unharmed(() => observe(live))
    unharmed(() => bus.publish(live))
  })
  const publish = (live: Live) => {
    watch.sink?.(live)
    up(live)
  }
  const log = new Log(journal, origin, publish, vault)
  publish({ _tag: "Recorded", origin, recorded: journal.opened })
  const caller = { session: id, agent: origin.agent, principal: options.principal, labels: options.labels ?? {} }
  const idle = new BudgetNode(agent.name, {})
  const approvals = yield* Approvals
  const gates = yield* Gates
  const gate = makeGate({
    log,
    caller,
    policy: agent.policy ?? (yield* Policy),
    approvals,
    gates,
    vault,
    taint,
    sha256: platform.sha256,
    room: yield* ValueRoom,
    budget: () => runner.current?.budget ?? idle,
    asking: () => together(runner.asking, parent?.asking()),
    dryRun: () => runner.current?.dryRun === true || parent?.dryRun() === true,
    progress: (message) => show("OutputDelta", `${message}\n`)
  })
  const show: Frame["show"] = (tag, text) => publish({ _tag: tag, origin, text: vault.redact(text) })
  const runtime = yield* factory.open({
    session: id,
    boundary: gate,
    near: parent?.near,
    output: (text) => show("OutputDelta", text)
  })

  const openChild = (binding: AgentBinding, child: SessionId) => {
    const call = platform.current()
    return openSession(binding.agent, {
      id: child,
      limits: binding.limits,
      labels: options.labels,
      principal: options.principal,
      parent: {
        origin,
        cell: call?.cell ?? 0,
        ordinal: call?.ordinal ?? 0,
        workItem: opened.workItem,
        near: runtime,
        publish,
        vault,
        taint,
        asking: () => {
          const run = runner.asking
          return run && { ...run, pause: both(run.pause, gate.pauseFor(child)) }
        },
        dryRun: () => runner.current?.dryRun === true || parent?.dryRun() === true,
        budget: new BudgetNode(binding.agent.name, binding.limits ?? {})
      }
    }).pipe(Effect.provideService(Scope.Scope, scope), Effect.provideContext(services))
  }
  const lowering: Lowering = { id, scope, platform, openChild, secrets: yield* Secrets, vault }
  yield* runtime.bind([
    ...(yield* lower(lowering, agent.bindings)),
    // Nobody is told of a way to ask where nobody can be asked.
    ...(approvals === Approvals.defaultValue() ? [] : [askBinding]),
    { _tag: "Builtin", name: "finish", declaration: finishDeclaration, call: (value: unknown) => runner.finish(value) }
  ])

  const action: ActionFormat = agent.action ?? (model.info.toolCalling ? "tool" : "fence")
  if (!model.info.toolCalling && (action === "tool" || action === "functions")) {
    return yield* new InvalidInput({
      subject: `agent ${agent.name}`,
      problem: `its action format is "${action}", and ${model.info.provider} ${model.info.model} has no tool calling`,
      remedy: 'Leave action out, or use "fence"'
    })
  }
  const system = vault.redact(systemPrompt(agent, action, action === "functions" ? "" : yield* runtime.declarations))
  const functions = action === "functions" ? new FunctionActions(gate, platform) : undefined
  if (functions !== undefined) yield* addFunctions(functions, agent.bindings)
  const frame: Frame = {
    id,
    agent,
    action,
    model,
    runtime,
    store,
    log,
    gate,
    gates,
    caller,
    system,
    functions,
    platform,
    tokenizer,
    block: action === "fence" ? runBlock : typeof action === "object" ? action : undefined,
    history: new History(system, platform.sha256, tokenizer),
    values: new Values(),
    prompt: yield* Prompt,
    compactor: yield* Compactor,
    security: yield* Security,
    types: yield* TypeChecker,
    bound: new Set(agent.bindings.map((binding) => binding.name)),
    show,
    cell: 0,
    kept: 0,
    openCell: undefined
  }
  const runner = new Runner(frame, options.limits, scope, () => clock.currentTimeMillisUnsafe(), watch)
  yield* Effect.forkIn(takeSignals(journal.signals, gate, runner, log), scope, { startImmediately: true })

  const names = new Set(agent.bindings.map((binding) => binding.name))
  return {
    id,
    agent,
    runtime,
    start: (prompt, options) => runner.start(prompt, options),
    run: (prompt, options) =>
      Effect.flatMap(
        runner.start(prompt, options),
        ({ outcome }) => Effect.onInterrupt(outcome, () => runner.interrupt)
      ),
    stream: (prompt, options) =>
      Stream.unwrap(Effect.map(runner.start(prompt, { ...options, watch: true }), ({ live, outcome }) =>
        // An outcome that is a failure (a store that cannot write) is the stream's as well.
        Stream.concat(live, Stream.drain(Stream.fromEffect(outcome))))).pipe(Stream.ensuring(runner.interrupt)),
    interrupt: runner.interrupt,
    continue: runner.continue,
    inject: Effect.fnUntraced(function*(bindings) {
      yield* attempt(() => checkDistinct(bindings.map((binding) => binding.name), names))
      yield* runtime.bind(yield* lower(lowering, bindings))
      for (const { name } of bindings) {
        names.add(name)
        frame.bound.add(name)
      }
      if (functions !== undefined) yield* addFunctions(functions, bindings)
      runner.announce(bindings.map((binding) => binding.name))
    }),
    retrieve: <T>(name: string) => runtime.get(name) as Effect.Effect<T, RuntimeError>,
    events: bus.subscribe(id)
  }
})

const runBlock = { open: "```ts run", close: "```" }

const finishDeclaration =
  "/** Gives a value as the answer and ends the task after this cell. */\ndeclare function finish(value: unknown): void"

/** A service of the agent's own, built in the session's scope, or the surrounding one. */
const own = <I, S>(
  layer: Layer.Layer<I, unknown> | undefined,
  key: Context.Key<I, S>,
  scope: Scope.Scope
): Effect.Effect<S, RuntimeError, I> => {
  if (layer === undefined) return Effect.service(key)
  return Layer.buildWithScope(layer, scope).pipe(
    Effect.map((context) => Context.get(context, key)),
    Effect.mapError((error) =>
      new RuntimeError({
        reason: { _tag: "StartFailed", detail: error instanceof Error ? error.message : String(error) }
      })
    )
  )
}

const openedEvent = (
  agent: Agent,
  options: OpenOptions,
  id: SessionId,
  sha256: (text: string) => string
): typeof Event.cases.SessionOpened.Type => {
  const { labels = {}, parent, principal } = options
  return {
    _tag: "SessionOpened",
    agent: agent.name,
    definition: definitionDigest(agent, sha256),
    workItem: parent?.workItem ?? id,
    labels,
    ...(parent !== undefined &&
      { parent: { session: parent.origin.session, cell: parent.cell, ordinal: parent.ordinal } }),
    ...(principal !== undefined && { principal })
  }
}

/** What of a definition can be compared after a restart: its texts, names and limits, not its live objects. */
const definitionDigest = (
  { action, bindings, instructions, limits, name, rules }: Agent,
  sha256: (text: string) => string
): string =>
  sha256(
    JSON.stringify([name, instructions, rules, action, limits, bindings.map((binding) => [binding._tag, binding.name])])
  )

const addFunctions = (functions: FunctionActions, bindings: ReadonlyArray<Binding>): Effect.Effect<void> =>
  withSyntax(({ parseFunctionParameters }) =>
    Effect.sync(() =>
      functions.add(
        bindings.filter((binding): binding is FunctionBinding => binding._tag === "Function"),
        (call) =>
          (parseFunctionParameters(Function.prototype.toString.call(call)) ?? []).map((parameter) => parameter.name)
      )
    )
  )

/** What others told this session: a decision on a call that waits, what became of an effect, or to stop. */
const takeSignals = (signals: Journal["signals"], gate: Gate, runner: Runner, log: Log) =>
  Stream.runForEach(signals, ({ signal, taken }) => {
    switch (signal._tag) {
      case "Decide":
        gate.decide(signal.key, { decision: signal.decision, by: signal.by, roles: signal.roles })
        return taken
      case "Settle":
        gate.settle(signal.key)
        return Effect.andThen(log.commit({ ...signal, _tag: "EffectSettled" }), taken)
      case "Interrupt":
        return Effect.andThen(runner.interrupt, taken)
    }
  })

const both = (one: (on: boolean) => void, other: (on: boolean) => void) => (on: boolean): void => {
  one(on)
  other(on)
}

const attempt = (check: () => void): Effect.Effect<void, InvalidInput> =>
  Effect.try({ try: check, catch: (error) => error as InvalidInput })
