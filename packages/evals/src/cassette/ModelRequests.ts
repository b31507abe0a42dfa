/**
 * The canonical form of a model request, and its key. Everything the model is told counts: system prompt, actions,
 * every message, choice, limits, options. A message is hashed once, in a chain with those before it, so that a step
 * costs the same at step 10 and at step 1,000, and a recording of many steps holds each message once.
 */
import type { Message, ModelInfo, ModelRequest } from "@daylight/core"
import { canonical, hashOf, sorted } from "../internal/Canonical.ts"
import { type Matching, Normaliser } from "./Matching.ts"
import type * as Schema from "effect/Schema"

/** A message in its place: the hash stands for it and for all before it. */
export interface MessageNode {
  readonly hash: string
  readonly after: string | undefined
  readonly value: Schema.Json
}

/** A request without its texts, which are looked up by hash, and without what is ignored. */
export interface RequestHead {
  readonly provider?: string | undefined
  readonly model?: string | undefined
  readonly purpose?: string | undefined
  readonly choice?: string | undefined
  readonly maxOutputTokens?: number | undefined
  readonly temperature?: number | undefined
  readonly reasoning?: string | undefined
  readonly providerOptions?: Schema.Json | undefined
  readonly system?: string | undefined
  readonly actions?: string | undefined
  readonly messages?: string | undefined
}

export interface IdentifiedRequest {
  readonly key: string
  readonly head: RequestHead
  readonly system: Schema.Json
  readonly actions: Schema.Json
  readonly messages: ReadonlyArray<MessageNode>
}

/** Of the canonical form: part of every key. */
const version = 1

interface Chain {
  readonly nodes: Array<MessageNode>
  readonly seen: Array<Message>
  readonly ids: Map<string, string>
}

interface KnownActions {
  readonly actions: ModelRequest["actions"]
  readonly hash: string
  readonly value: Schema.Json
}

export class ModelRequests {
  readonly #normaliser: Normaliser
  readonly #chains = new WeakMap<ReadonlyArray<Message>, Chain>()
  readonly #texts = new Map<string, string>()
  readonly #actions = new WeakMap<object, KnownActions>()

  constructor(matching: Matching) {
    this.#normaliser = new Normaliser(matching)
  }

  /** `count`: how many of the messages were there when the request was made. */
  identify(
    info: Pick<ModelInfo, "provider" | "model">,
    request: ModelRequest,
    count = request.messages.length
  ): IdentifiedRequest {
    const messages = this.chain(request.messages, count)
    const { hash: actionsHash, value: actions } = this.#actionsOf(request.actions)
    const system = this.#part(request.system, ["system"]) ?? null
    const head: RequestHead = {
      ...this.#part({
        provider: info.provider,
        model: info.model,
        purpose: request.purpose,
        choice: request.choice,
        maxOutputTokens: request.maxOutputTokens,
        temperature: request.temperature,
        reasoning: request.reasoning,
        providerOptions: request.providerOptions
      }, []) as unknown as RequestHead,
      system: this.#hash(system),
      actions: actionsHash,
      messages: messages.at(-1)?.hash
    }
    return { key: keyOf(head), head, system, actions, messages }
  }

  #part(value: unknown, path: ReadonlyArray<string>): Schema.Json | undefined {
    const kept = this.#normaliser.apply(value, path)
    return kept === undefined ? undefined : sorted(kept)
  }

  /** A system prompt is one text for the life of a session. */
  #hash(value: Schema.Json): string {
    if (typeof value !== "string") return hashOf(canonical(value))
    let hash = this.#texts.get(value)
    if (hash === undefined) this.#texts.set(value, hash = hashOf(canonical(value)))
    return hash
  }

  /** The list is made anew for each request, of the same actions. */
  #actionsOf(actions: ModelRequest["actions"]): KnownActions {
    const [first] = actions
    const known = first && this.#actions.get(first)
    if (known?.actions.length === actions.length && known.actions.every((action, index) => action === actions[index])) {
      return known
    }
    const value = this.#part(actions, ["actions"]) ?? []
    const found = { actions, value, hash: hashOf(canonical(value)) }
    if (first !== undefined) this.#actions.set(first, found)
    return found
  }

  /** A conversation as far as `count` messages. */
  chain(messages: ReadonlyArray<Message>, count: number): ReadonlyArray<MessageNode> {
    let chain = this.#chains.get(messages)
    // A history is append-only; one that was rewritten in place begins anew.
    if (chain === undefined || chain.seen.at(-1) !== messages[chain.seen.length - 1]) {
      this.#chains.set(messages, chain = { nodes: [], seen: [], ids: new Map() })
    }
    for (let i = chain.nodes.length; i < count; i++) {
      const message = messages[i]!
      const value = this.#message(message, i, chain.ids)
      const after = chain.nodes.at(-1)?.hash
      // The value is in canonical order already.
      chain.nodes.push({ hash: chained(after, JSON.stringify(value)), after, value })
      chain.seen.push(message)
    }
    return chain.nodes.length === count ? chain.nodes : chain.nodes.slice(0, count)
  }

  #message(message: Message, index: number, ids: Map<string, string>): Schema.Json {
    return this.#part(renamed(message, ids), ["messages", String(index)]) ?? null
  }
}

export const keyOf = (head: RequestHead): string => hashOf(canonical({ ...head, v: version }))

export const nodeHash = (after: string | undefined, value: Schema.Json): string => chained(after, canonical(value))

const chained = (after: string | undefined, text: string): string => hashOf(`${after ?? ""}\n${text}`)

/** Adds the nodes of a conversation, from the newest back to the first that is known. */
export const keepNodes = (
  kept: Map<string, Pick<MessageNode, "after" | "value">>,
  nodes: ReadonlyArray<MessageNode>
): void => {
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { after, hash, value } = nodes[i]!
    if (kept.has(hash)) return
    kept.set(hash, { after, value })
  }
}

const renamed = (message: Message, ids: Map<string, string>): Message => {
  const rename = (id: string): string => {
    let name = ids.get(id)
    if (name === undefined) ids.set(id, name = `#${ids.size + 1}`)
    return name
  }
  if (message._tag === "Assistant") {
    if (!message.content.some((part) => part._tag === "Action")) return message
    const content = message.content.map((part) => part._tag === "Action" ? { ...part, id: rename(part.id) } : part)
    return { ...message, content }
  }
  if (message._tag !== "Result") return message
  return { ...message, content: message.content.map((part) => ({ ...part, id: rename(part.id) })) }
}
