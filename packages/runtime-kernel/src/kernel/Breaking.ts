/**
 * Turns that SIGINT breaks off, also in the middle of one native call: a regular expression that explodes, a sort, a
 * `join`. The engine sees it wherever it looks for interrupts, and drops what is on the stack; the namespace stays.
 */
import { AsyncLocalStorage } from "node:async_hooks"
import { Script } from "node:vm"

/**
 * Node waits for the signal in a thread that it starts and ends with each script, for 60 us and more. It counts who
 * wants the thread, so here it is wanted for good, and a script costs 1 us.
 */
const keepThread = async (): Promise<boolean> => {
  const bindings = "internal/test/binding"
  try {
    const { default: internal } = await import(bindings)
    internal.internalBinding("contextify").startSigintWatchdog()
    return true
  } catch {
    return false // a Node without this way in: there the signal ends the process
  } finally {
    // The same way is open to nobody else.
    Reflect.deleteProperty(process, "getBuiltinModule")
  }
}

const isKept = await keepThread()

/** Runs all microtasks. The seam: Node calls it between two immediates, and does not declare it. */
export const drain = (process as unknown as { readonly _tickCallback: () => void })._tickCallback

/** A script can reach globals only; no cell sees those of the kernel. */
const name = "daylightTurn"
let current: () => void = () => {}
const whole = (): void => {
  current()
  drain()
}
Object.defineProperty(globalThis, name, { value: whole })
const script = new Script(`${name}()`)
const outside = AsyncLocalStorage.snapshot()

/** Calls `turn` and runs all microtasks. `broken` is called where a signal came meanwhile, in no cell's name. */
export const breakable = (turn: () => void, broken: () => void): void => {
  current = turn
  if (!isKept) return whole()
  try {
    script.runInThisContext({ breakOnSigint: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_SCRIPT_EXECUTION_INTERRUPTED") throw error
    outside(broken)
  }
}
