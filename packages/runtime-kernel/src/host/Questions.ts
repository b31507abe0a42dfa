/**
 * What a namespace is asked and has not answered yet.
 */
import { RuntimeError } from "@daylight/core"
import type { ErrorWire, Question } from "../wire/Messages.ts"
import { checkedAnswer } from "./Checked.ts"
import type { Kernel } from "./Kernel.ts"

export class Questions {
  readonly #kernel: Kernel
  readonly #ns: number
  readonly #open = new Map<number, PromiseWithResolvers<unknown> & { readonly question: Question }>()
  #last = 0

  constructor(kernel: Kernel, ns: number) {
    this.#kernel = kernel
    this.#ns = ns
  }

  /** Rejects with a `RuntimeError` where the process ends first. */
  async ask(question: Question): Promise<unknown> {
    const request = ++this.#last * 1_000 + this.#ns
    const answer = Promise.withResolvers<unknown>()
    this.#open.set(request, { ...answer, question })
    this.#kernel.process?.busy()
    this.#kernel.send({ t: "ask", ns: this.#ns, request, question })
    return answer.promise
  }

  get waiting(): boolean {
    return this.#open.size > 0
  }

  /** `error` makes the error that it ended with. */
  answer(request: number, value: unknown, failed: ErrorWire | undefined, error: (wire: ErrorWire) => unknown): void {
    const answer = this.#open.get(request)
    if (answer === undefined) return
    const checked = failed === undefined ? checkedAnswer(answer.question, value) : undefined
    this.#open.delete(request)
    if (failed === undefined) answer.resolve(checked)
    else answer.reject(error(failed))
  }

  /** The process is gone. */
  fail(): void {
    const crash = new RuntimeError({ reason: { _tag: "Crashed", detail: "the process of the namespace ended" } })
    for (const answer of this.#open.values()) answer.reject(crash)
    this.#open.clear()
  }
}
