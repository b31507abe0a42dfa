import type { HostCall } from "../../Boundary.ts"
import type { CallContext } from "../../CallContext.ts"
import type { Caller } from "../../Policy.ts"

/** What a bound function may ask about its call. Lazy where it costs: most never look at the signal. */
export class ServedCall implements CallContext {
  readonly session
  readonly agent
  readonly principal
  readonly labels
  readonly cell
  readonly ordinal
  readonly key: string
  readonly progress: (message: string) => void
  #controller: AbortController | undefined

  constructor(caller: Caller, key: string, call: HostCall, progress: (message: string) => void) {
    this.session = caller.session
    this.agent = caller.agent
    this.principal = caller.principal
    this.labels = caller.labels
    this.cell = call.cell
    this.ordinal = call.ordinal
    this.key = key
    this.progress = progress
  }

  get signal(): AbortSignal {
    return (this.#controller ??= new AbortController()).signal
  }

  abort(): void {
    ;(this.#controller ??= new AbortController()).abort()
  }
}
