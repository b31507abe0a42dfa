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

const longest = 2 ** 31 - 1

export const realTime: Scheduler = {
  later: (ms, _order, task) => {
    const timer = setTimeout(task, Math.min(ms, longest))
    timer.unref()
    return () => clearTimeout(timer)
  }
}
