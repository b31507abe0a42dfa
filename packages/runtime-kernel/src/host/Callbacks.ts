/**
 * Functions of cells that the host calls. While a cell waits for a call of its own they cannot run, so they are held
 * until that call has ended: then they run, or it was not possible to wait for them.
 */
import { HostCallError } from "@daylight/core"
import { arrive, arriveError, type Side } from "../wire/Crossing.ts"
import type { KernelMessage } from "../wire/Messages.ts"
import type { Wait } from "./Kernel.ts"

export class Callbacks {
  readonly #side: Side
  readonly #waits: ReadonlyArray<Wait>
  readonly #send: (id: number, call: number, args: ReadonlyArray<unknown>) => void
  readonly #open = new Map<number, PromiseWithResolvers<unknown>>()
  #last = 0

  /** `send` throws where the arguments cannot cross. */
  constructor(
    side: Side,
    waits: ReadonlyArray<Wait>,
    send: (id: number, call: number, args: ReadonlyArray<unknown>) => void
  ) {
    this.#side = side
    this.#waits = waits
    this.#send = send
  }

  /** The number of the next call. */
  next(): number {
    return ++this.#last
  }

  /** `told`: nobody uses what it gives. */
  call(id: number, args: ReadonlyArray<unknown>, told: boolean): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>()
    const call = this.next()
    // Whoever forgot to wait for it: its failure must not end the host.
    answer.promise.catch(() => {})
    const go = (): void => this.#go(id, call, args, answer)
    const wait = this.#waits.at(-1)
    if (wait === undefined) go()
    else if (told) wait.told.push(go)
    else hold(wait, go, args, answer)
    return answer.promise
  }

  returned({ call, e, v }: Extract<KernelMessage, { readonly t: "returned" }>): void {
    const answer = this.#open.get(call)
    if (answer === undefined) return
    if (e !== undefined) answer.reject(arriveError(this.#side, e))
    else answer.resolve(v && arrive(this.#side, v))
    this.#open.delete(call)
  }

  /** The process is gone, and nothing goes on from there. */
  lose(): void {
    const error = new HostCallError({ path: "callback", reason: { _tag: "ReferenceLost", type: "function" } })
    for (const answer of this.#open.values()) answer.reject(error)
    this.#open.clear()
  }

  #go(id: number, call: number, args: ReadonlyArray<unknown>, answer: PromiseWithResolvers<unknown>): void {
    this.#open.set(call, answer)
    try {
      this.#send(id, call, args)
    } catch (error) {
      this.#open.delete(call)
      answer.reject(error)
    }
  }
}

/** What needs the result at once is told that there is none. */
const hold = (
  wait: Wait,
  go: () => void,
  args: ReadonlyArray<unknown>,
  { promise, reject }: PromiseWithResolvers<unknown>
): void => {
  const reentrant = new HostCallError({ path: "callback", reason: { _tag: "Reentrant" } })
  if (wait.held.some((held) => args.includes(held.promise))) throw reentrant
  Object.defineProperty(promise, Symbol.toPrimitive, {
    value: () => {
      throw reentrant
    }
  })
  wait.held.push({ go, refuse: () => reject(reentrant), promise })
}
