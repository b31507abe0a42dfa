/**
 * How a cell is brought to its end, by what costs least first: it is asked; what it is inside of is broken off; its
 * process is ended.
 */
import type { Transport, Why } from "./Transport.ts"

/** Milliseconds between two steps. */
const patience = 250
/** Milliseconds that a signal may be on its way: nothing else must run in the kernel when it comes. */
const underWay = 25

/**
 * `expired`: what took too long, if that is why. `atOnce`: it has been asked already, by the guards in its code. Gives
 * what to call when the cell is over, and to wait for before the next one begins.
 */
export const bringToEnd = (
  process: Transport,
  cell: { readonly ns: number; readonly id: number },
  why: Why,
  { atOnce = false, expired }: { readonly atOnce?: boolean; readonly expired?: string | undefined } = {}
): () => Promise<void> => {
  let timer: NodeJS.Timeout
  let brokenAt = -Infinity
  const later = (step: () => void): void => {
    timer = setTimeout(step, patience)
  }
  const end = (): void => process.kill(why)
  const breakOff = (): void => {
    if (!process.breakOff(why)) return end()
    brokenAt = performance.now()
    later(end)
  }
  process.interrupt(cell.ns, cell.id, expired)
  if (atOnce) breakOff()
  else later(breakOff)
  return async () => {
    clearTimeout(timer)
    const left = brokenAt + underWay - performance.now()
    if (left > 0) await new Promise((done) => setTimeout(done, left))
  }
}
