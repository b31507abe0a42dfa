/**
 * The digest by which a session's log names a request (`ModelCalled.digest`): what joins a log with a recording, and
 * what a recording made from a log alone is keyed by.
 */
import type { Message, ModelRequest } from "@daylight/core"
import { sha256 } from "../internal/Canonical.ts"

interface Chain {
  readonly system: string
  readonly digests: Array<string>
  readonly seen: Array<Message>
}

export class EngineDigests {
  readonly #chains = new WeakMap<ReadonlyArray<Message>, Chain>()

  of(request: ModelRequest, count = request.messages.length): string {
    const { actions, choice, maxOutputTokens, messages, purpose, system } = request
    if (purpose === "compaction") return besideDigest(request)
    let chain = this.#chains.get(messages)
    if (chain === undefined || chain.system !== system || chain.seen.at(-1) !== messages[chain.seen.length - 1]) {
      this.#chains.set(messages, chain = { system, digests: [sha256(system)], seen: [] })
    }
    for (let i = chain.seen.length; i < count; i++) {
      chain.digests.push(sha256(chain.digests[i]! + JSON.stringify(messages[i])))
      chain.seen.push(messages[i]!)
    }
    const rest = `${purpose} ${choice} ${maxOutputTokens} ${actions.map((action) => action.name).join(" ")}`
    return sha256(chain.digests[count]! + rest)
  }
}

/** A call beside the conversation has texts of its own. */
const besideDigest = ({ messages, system }: ModelRequest): string => {
  const parts = messages.flatMap((message) => message._tag === "User" ? message.content : [])
  return sha256(JSON.stringify([system, parts.map((part) => part._tag === "Text" ? part.text : "")]))
}
