import type { Message } from "../Message.ts"
import type { Tokenizer } from "../Tokenizer.ts"

/**
 * The append-only conversation, handed to the model by reference. Digest and token count grow with what is added, so a
 * step costs the same at step 10 and at step 1,000.
 */
export class History {
  readonly messages: Array<Message> = []
  readonly #sha256: (text: string) => string
  readonly #tokenizer: Tokenizer
  #digest: string
  #tokens: number
  #counted = 0
  #chars: number

  constructor(system: string, sha256: (text: string) => string, tokenizer: Tokenizer) {
    this.#sha256 = sha256
    this.#tokenizer = tokenizer
    this.#digest = sha256(system)
    this.#tokens = tokenizer.count(system)
    this.#chars = system.length
  }

  add(message: Message): void {
    this.messages.push(message)
    const json = JSON.stringify(message)
    this.#chars += json.length
    this.#digest = this.#sha256(this.#digest + json)
  }

  /** Identifies a request: everything said so far, and `rest` of the request as it is sent. */
  digest(rest: string): string {
    return this.#sha256(this.#digest + rest)
  }

  /** More tokens than this it cannot be: cheap to know, and enough to see that a window is far. */
  get mostTokens(): number {
    return this.#chars * 2
  }

  /** Estimated tokens of everything so far. */
  get tokens(): number {
    for (; this.#counted < this.messages.length; this.#counted++) {
      this.#tokens += this.#tokenizer.count(JSON.stringify(this.messages[this.#counted]))
    }
    return this.#tokens
  }
}
