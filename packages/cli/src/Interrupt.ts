/** Ctrl-C while an agent runs: the first cancels the run, the second ends the program at once. */
export interface Interrupt {
  readonly signal: AbortSignal
  /** As if Ctrl-C was pressed, for when the terminal is in raw mode and sends no signal. */
  readonly press: () => void
  readonly stop: () => void
}

/** Listens to `SIGINT` and `SIGTERM` until stopped. `onCancel` is told of the first, `onQuit` of any further one. */
export const listen = (options: { readonly onCancel: () => void; readonly onQuit: () => void }): Interrupt => {
  const controller = new AbortController()
  const press = () => {
    if (controller.signal.aborted) return options.onQuit()
    options.onCancel()
    controller.abort(new Error("cancelled with Ctrl-C"))
  }
  process.on("SIGINT", press)
  process.on("SIGTERM", press)
  return {
    signal: controller.signal,
    press,
    stop: () => {
      process.off("SIGINT", press)
      process.off("SIGTERM", press)
    }
  }
}
