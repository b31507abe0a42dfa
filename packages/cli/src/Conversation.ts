/** An agent opened from a FILE, with the terminal to ask and to log on: what `run` and `chat` have in common. */
import type { AgentHandle, AgentOptions, Live, Outcome } from "@daylight/core"
import { chosenAgent } from "./AgentChoice.ts"
import type { Display } from "./Display.ts"
import { type Engine, loadEngine } from "./Engine.ts"
import * as ExitCode from "./ExitCode.ts"
import { listen } from "./Interrupt.ts"
import * as Log from "./Log.ts"
import type { ModelChoice } from "./ModelChoice.ts"
import { chosenStore } from "./StoreChoice.ts"
import { terminalApprovals } from "./TerminalApprovals.ts"

export interface ConversationChoice extends ModelChoice {
  /** Where the session is kept: a file, or the address of a database. */
  readonly store?: string | undefined
}

export interface Conversation {
  readonly options: AgentOptions
  readonly handle: AgentHandle
  /** Runs one prompt to its end and shows it. Ctrl-C cancels it; a second one ends the program. */
  readonly run: (prompt: string) => Promise<Outcome<unknown>>
  readonly close: () => Promise<void>
}

/** Runs and sessions end at once as a rule; when it takes longer, that is said. */
const patienceMs = 700

/** @throws Problem if FILE holds no agent, or the choice of a model makes no sense. */
export const openConversation = async (
  file: string,
  choice: ConversationChoice,
  display: Display,
  more: { readonly services?: Services | undefined } = {}
): Promise<Conversation> => {
  const agent = await chosenAgent(file, choice)
  const kept = await chosenStore({ store: choice.store, agent, config: agent.config, mustExist: false })
  const options: AgentOptions = { ...agent.options, store: kept?.layer }
  const engine = await loadEngine(agent.home)
  let press = () => {}
  let slow: NodeJS.Timeout | undefined
  const later = (text: string) => {
    slow = setTimeout(() => display.note(text), patienceMs)
  }
  const quit = () => {
    display.renderer?.end()
    process.exit(ExitCode.ofReason("cancelled"))
  }
  const handle = engine.createAgent({
    ...options,
    approvals: options.approvals ?? approvals(engine, display, () => press()),
    services: services(engine, options, more.services)
  })
  /** Whoever wants to read along, or to stop it from elsewhere, has to know which one it is. */
  let told = kept === undefined
  return {
    options,
    handle,
    run: async (prompt) => {
      const interrupt = listen({ onCancel: () => later("cancelling (Ctrl-C again to quit)"), onQuit: quit })
      press = interrupt.press
      try {
        if (!told) display.note(`session ${await handle.session}`)
        told = true
        return await showRun(handle, prompt, display, interrupt.signal)
      } finally {
        clearTimeout(slow)
        interrupt.stop()
      }
    },
    close: async () => {
      const interrupt = listen({ onCancel: quit, onQuit: quit })
      later("closing what the agent holds (Ctrl-C to quit)")
      try {
        await handle[Symbol.asyncDispose]()
      } finally {
        clearTimeout(slow)
        interrupt.stop()
      }
    }
  }
}

const showRun = async (
  handle: AgentHandle,
  prompt: string,
  display: Display,
  signal: AbortSignal
): Promise<Outcome<unknown>> => {
  const running = handle.stream(prompt, { signal })
  running.outcome.catch(() => undefined) // awaited below, unless the stream itself fails with the same error
  for await (const live of running) {
    logEvent(live)
    display.event(live)
  }
  const outcome = await running.outcome
  display.end(await handle.session, outcome)
  return outcome
}

const logEvent = (live: Live): void => {
  if (live._tag !== "Recorded") return
  const { event, seq, session } = live.recorded
  Log.debug(`event ${session} ${seq} ${event._tag}`)
}

/** Somebody can be asked, and sees the question. */
export const personPresent = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true

/** A person is asked where one sits at the terminal; else the engine's default denies. */
const approvals = (engine: Engine, { renderer }: Display, onInterrupt: () => void): AgentOptions["approvals"] =>
  renderer && personPresent()
    ? terminalApprovals(engine, { renderer, input: process.stdin, output: process.stdout, onInterrupt })
    : undefined

type Services = NonNullable<AgentOptions["services"]>

const effectLevels = {
  none: "None",
  error: "Error",
  warn: "Warn",
  info: "Info",
  debug: "Debug",
  trace: "Trace"
} as const

/** Logs of the engine go to standard error; what the agent's file provides wins, and `more` stands on all of it. */
const services = (
  { Layer, Logger, References }: Engine,
  { services }: AgentOptions,
  more: Services | undefined
): Services => {
  const logs = Layer.mergeAll(
    Logger.layer([Logger.withConsoleError(Logger.formatLogFmt)]),
    Layer.succeed(References.MinimumLogLevel, effectLevels[Log.level()])
  )
  const own = services === undefined ? logs : Layer.merge(logs, services)
  return more === undefined ? own : Layer.provideMerge(more, own)
}
