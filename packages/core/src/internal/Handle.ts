import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { AgentHandle } from "../AgentHandle.ts"
import type { AnySchema } from "../AnySchema.ts"
import type { Live } from "../EventBus.ts"
import { InvalidInput } from "../InvalidInput.ts"
import { type Outcome, OutcomeError } from "../Outcome.ts"
import type { UserPrompt } from "../Part.ts"
import type { Running, RunOptions, Session } from "../Session.ts"

export interface HandleOptions {
  readonly name: string
  /** Run once, on first use; later calls share its session or its error. */
  readonly open: () => Effect.Effect<Session, unknown>
  /** The signal of whoever calls, where none is passed: a child's run ends with the call from its parent's cell. */
  readonly ambient?: (() => AbortSignal | undefined) | undefined
  readonly dispose?: (() => Promise<void>) | undefined
}

type Signalled<A> = RunOptions<A> & { readonly signal?: AbortSignal | undefined }

/** A session behind promises. */
export const makeHandle = ({ ambient, dispose, name, open }: HandleOptions): AgentHandle => {
  let session: Session | undefined
  let opening: Promise<Session> | undefined
  let disposed = false
  /** Writes to `vars` before the session is open, in order. */
  const early = new Map<string, unknown>()
  /** Writes under way: the next run waits for them. */
  let writes: Promise<unknown> = Promise.resolve()
  let writing = false

  const opened = (): Promise<Session> => {
    if (disposed) {
      return Promise.reject(
        new InvalidInput({ subject: `agent ${name}`, problem: "was disposed", remedy: "Create another" })
      )
    }
    return opening ??= promised(
      Effect.tap(open(), (opened) =>
        Effect.andThen(
          Effect.forEach(early, ([key, value]) => opened.runtime.set(key, value), { discard: true }),
          Effect.sync(() => {
            session = opened
            early.clear()
          })
        ))
    )
  }

  const ready = async (): Promise<Session> => {
    const opened_ = session !== undefined && !disposed ? session : await opened()
    if (writing) await writes
    return opened_
  }

  const started = async <A>(
    prompt: UserPrompt,
    options: Signalled<A> | undefined,
    watch: boolean
  ): Promise<{ running: Running<A>; stop: () => Promise<void>; release: () => void }> => {
    const session = await ready()
    const { signal: given, ...rest } = options ?? {}
    const signal = given ?? ambient?.()
    const running = await promised(session.start<A>(prompt, { ...rest as RunOptions<A>, watch }))
    const stop = () => promised(session.interrupt)
    const abort = () => void stop()
    if (signal?.aborted) abort()
    else signal?.addEventListener("abort", abort, { once: true })
    return { running, stop, release: () => signal?.removeEventListener("abort", abort) }
  }

  const run = async <A = undefined>(prompt: UserPrompt, options?: Signalled<A>): Promise<Outcome<A>> => {
    const { release, running } = await started(prompt, options, false)
    return promised(running.outcome).finally(release)
  }

  const stream = <A>(
    prompt: UserPrompt,
    options?: Signalled<A>
  ): AsyncIterable<Live> & { readonly outcome: Promise<Outcome<A>> } => {
    let starting: ReturnType<typeof started<A>> | undefined
    const begin = () => starting ??= started<A>(prompt, options, true)
    return {
      get outcome() {
        return begin().then(({ release, running }) => promised(running.outcome).finally(release))
      },
      async *[Symbol.asyncIterator]() {
        const { release, running, stop } = await begin()
        let ended = false
        try {
          yield* Stream.toAsyncIterable(running.live)
          ended = true
        } finally {
          if (!ended) await stop()
          release()
        }
        await promised(running.outcome) // misuse and a broken store are thrown, not swallowed
      }
    }
  }

  const variables = async () => promised((await ready()).runtime.describe)

  const vars = new Proxy(new Variables(), {
    get: (_, key) => {
      if (typeof key !== "string") return undefined
      if (session === undefined) {
        return early.has(key)
          ? early.get(key)
          : opened().then((session) => now(valueOf(session, key)))
      }
      return now(valueOf(session, key))
    },
    set: (_, key, value) => {
      if (typeof key !== "string") return false
      if (session === undefined) early.set(key, value)
      else {
        const written = now(session.runtime.set(key, value))
        if (written instanceof Promise) {
          writing = true
          writes = Promise.all([writes, written]).finally(() => {
            writing = false
          })
        }
      }
      return true
    }
  })

  return {
    name,
    get session() {
      return opened().then((session) => session.id)
    },
    run,
    ask: async (
      prompt: UserPrompt,
      answer?: AnySchema<any>,
      options?: { readonly signal?: AbortSignal | undefined }
    ) => {
      const outcome: Outcome<any> = await run<any>(prompt, { ...options, answer })
      if (outcome.reason === "completed") return answer === undefined ? outcome.text : outcome.answer
      const { answer: _, ...record } = outcome
      throw new OutcomeError({ agent: name, outcome: record })
    },
    stream,
    continue: async () => promised((await ready()).continue),
    inject: async (bindings) => promised((await ready()).inject(bindings)),
    retrieve: async <T>(name: string) => promised((await ready()).retrieve<T>(name)),
    vars,
    names: async () => (await variables()).map((variable) => variable.name),
    variables,
    reset: async () => promised((await ready()).runtime.reset),
    [Symbol.asyncDispose]: async () => {
      if (disposed) return
      disposed = true
      await dispose?.()
    }
  }
}

/** A class of its own, so that a log does not take it for the empty record that it looks like. */
class Variables {
  [name: string]: any
}

/** A name that is not there reads as `undefined`, as a property does. */
const valueOf = (session: Session, name: string): Effect.Effect<unknown, unknown> =>
  Effect.catchIf(session.runtime.get(name), (error) => error.reason._tag === "NoSuchVariable", () => Effect.undefined)

/** Rejects with the failure itself, not with a wrapper. */
const promised = async <A>(effect: Effect.Effect<A, unknown>): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect)
  if (exit._tag === "Success") return exit.value
  throw Cause.squash(exit.cause)
}

/** The value where it is there at once, as it is in a runtime of this process, else a promise of it. */
const now = <A>(effect: Effect.Effect<A, unknown>): A | Promise<A> => {
  const fiber = Effect.runFork(effect)
  const exit = fiber.pollUnsafe()
  if (exit === undefined) {
    return new Promise((resolve, reject) =>
      fiber.addObserver((exit) => exit._tag === "Success" ? resolve(exit.value) : reject(Cause.squash(exit.cause)))
    )
  }
  if (exit._tag === "Success") return exit.value
  throw Cause.squash(exit.cause)
}
