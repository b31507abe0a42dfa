/**
 * When timers of cells fire. The host is the only scheduler of a kernel; a test may put a clock of its own in its
 * place.
 */
export interface Scheduler {
  /** `order` decides between two that are due at the same time. Gives how to cancel. */
  readonly later: (ms: number, order: number, task: () => void) => () => void
  /** A kernel has taken in all that it was sent. */
  readonly idle?: ((isIdle: () => boolean) => void) | undefined
}

interface Entry {
  readonly task: () => void
  cancelled: boolean
}

const longest = 2 ** 31 - 1
/** How many fire before the host gets to do something else: a cell may have armed ten thousand. */
const atOnce = 100

const due: Array<Entry> = []
let draining = false

const drain = (): void => {
  for (let i = 0; i < atOnce && due.length > 0; i++) {
    const { cancelled, task } = due.shift()!
    if (!cancelled) task()
  }
  if (due.length === 0) draining = false
  else setImmediate(drain)
}

export const realTime: Scheduler = {
  later: (ms, _order, task) => {
    const entry: Entry = { task, cancelled: false }
    const timer = setTimeout(() => {
      due.push(entry)
      if (draining) return
      draining = true
      drain()
    }, Math.min(ms, longest))
    timer.unref()
    return () => {
      entry.cancelled = true
      clearTimeout(timer)
    }
  }
}
