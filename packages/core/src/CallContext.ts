/**
 * Who calls, from where and with which key: what a bound function may ask about its caller.
 */
import type { SessionId } from "./Ids.ts"

/**
 * Read with `Platform.current()` (an `AsyncLocalStorage`), so positional signatures stay as the application wrote them.
 */
export interface CallContext {
  readonly session: SessionId
  /** From the root: `["orchestrator", "cleaner"]`. */
  readonly agent: ReadonlyArray<string>
  /** For whom the session runs, as the application said when it opened it. */
  readonly principal?: string | undefined
  /** As the application gave them when it opened the session. */
  readonly labels: Readonly<Record<string, string>>
  /** Where the call comes from: a child session is opened with it. */
  readonly cell: number
  readonly ordinal: number
  /** The idempotency key of this call, to hand on to a payment or mail service. */
  readonly key: string
  /** Made on first use: an `AbortController` a call is not free. */
  readonly signal: AbortSignal
  /** Shown to whoever watches, as output of the cell. Not recorded, and not told to the model. */
  readonly progress: (message: string) => void
}
