/** The logs of sessions that were overheard, each with the path of its agent. */
import type { Origin, Recorded } from "@daylight/core"
import { parentOf, type SessionLog } from "../trajectory/FromEvents.ts"

export class SessionLogs {
  readonly #logs = new Map<string, SessionLog & { readonly events: Array<Recorded> }>()

  take({ agent, lineage }: Pick<Origin, "agent" | "lineage">, recorded: Recorded): void {
    const known = this.#logs.get(recorded.session)
    if (known === undefined) this.#logs.set(recorded.session, { agent, parent: lineage.at(-2), events: [recorded] })
    else known.events.push(recorded)
  }

  get all(): ReadonlyArray<SessionLog> {
    return this.#begun.map(([, log]) => log)
  }

  /** Of a session with all its sub-agents. */
  of(root: string): ReadonlyArray<SessionLog> {
    const belongs = (id: string): boolean => {
      if (id === root) return true
      const log = this.#logs.get(id)
      const parent = log && parentOf(log)
      return parent !== undefined && belongs(parent)
    }
    return this.#begun.filter(([id]) => belongs(id)).map(([, log]) => log)
  }

  /** Sessions without a parent among these. */
  get roots(): ReadonlyArray<string> {
    return this.#begun.filter(([, log]) => !this.#logs.has(parentOf(log) ?? "")).map(([id]) => id)
  }

  /** A session that was opened and never asked anything did nothing. */
  get #begun() {
    return [...this.#logs].filter(([, { events }]) => events.length > 1)
  }
}
