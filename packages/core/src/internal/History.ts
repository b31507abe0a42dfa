import type { Event } from "../Event.ts"
import type { Message } from "../Message.ts"
import type { Tokenizer } from "../Tokenizer.ts"
import type { Frame } from "./Frame.ts"

type Compacted = typeof Event.cases.Compacted.Type
type Conversing = Extract<Event, { readonly message: Message } | { readonly prompt: Message }>

export interface Entry {
  /** Place in the log of the event that brought the message. */
  readonly seq: number
  readonly message: Message
}

/** Notes an event that carries a message of the conversation, and adds the message under its place in the log. */
export const converse = ({ history, log }: Frame, event: Conversing): void => {
  const told = log.redacted(event)
  history.add("prompt" in told ? told.prompt : told.message, log.note(told))
}

/**
 * The append-only conversation, handed to the model by reference. Digest and token count grow with what is added, so a
 * step costs the same at step 10 and at step 1,000.
 */
export class History {
  readonly #sha256: (text: string) => string
  readonly #tokenizer: Tokenizer
  readonly #system: string
  readonly #systemTokens: number
  #messages: Array<Message> = []
  #seqs: Array<number> = []
  #tokens: Array<number> = []
  #sum = 0
  #chars: number
  #digest: string

  constructor(system: string, sha256: (text: string) => string, tokenizer: Tokenizer) {
    this.#sha256 = sha256
    this.#tokenizer = tokenizer
    this.#system = system
    this.#systemTokens = tokenizer.count(system)
    this.#chars = system.length
    this.#digest = sha256(system)
  }

  get messages(): ReadonlyArray<Message> {
    return this.#messages
  }

  add(message: Message, seq: number): void {
    // A reply that said nothing is an event, but no message: providers refuse empty ones.
    if (message._tag !== "Summary" && message.content.length === 0) return
    this.#messages.push(message)
    this.#seqs.push(seq)
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

  get systemTokens(): number {
    return this.#systemTokens
  }

  /** Estimated tokens of everything so far. */
  get tokens(): number {
    for (let i = this.#tokens.length; i < this.#messages.length; i++) {
      const tokens = this.#tokenizer.count(JSON.stringify(this.#messages[i]))
      this.#tokens.push(tokens)
      this.#sum += tokens
    }
    return this.#systemTokens + this.#sum
  }

  get entries(): ReadonlyArray<Entry & { readonly tokens: number }> {
    void this.tokens // counts what is not counted yet
    return this.#messages.map((message, i) => ({ seq: this.#seqs[i]!, message, tokens: this.#tokens[i]! }))
  }

  /** What is sent from here on: the summary, then what was said at or after `keepFrom`, less what was cleared. */
  compact({ cleared, keepFrom, summary }: Compacted, seq: number): void {
    const variables = new Map(cleared.map(({ id, variable }) => [id, variable]))
    const kept = this.entries.filter((entry) => entry.seq >= keepFrom && entry.message._tag !== "Summary")
    this.#messages = []
    this.#seqs = []
    this.#tokens = []
    this.#sum = 0
    this.#chars = this.#system.length
    this.#digest = this.#sha256(this.#system)
    if (summary !== undefined) this.add({ _tag: "Summary", text: summary }, seq)
    for (const { message, seq } of kept) this.add(withoutCleared(message, variables), seq)
  }
}

const withoutCleared = (message: Message, variables: ReadonlyMap<string, string | undefined>): Message => {
  if (message._tag !== "Result" || !message.content.some(({ id }) => variables.has(id))) return message
  return {
    ...message,
    content: message.content.map((part) => {
      if (!variables.has(part.id)) return part
      const variable = variables.get(part.id)
      const text = variable === undefined ? "(cleared)" : `(cleared: the text is in the variable ${variable})`
      return { ...part, content: [{ _tag: "Text", text }] }
    })
  }
}
