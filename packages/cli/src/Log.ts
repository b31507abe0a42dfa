/** Diagnostics on standard error, for `DAYLIGHT_LOG`: `none`, `error`, `warn` (default), `info`, `debug`, `trace`. */
const levels = ["none", "error", "warn", "info", "debug", "trace"] as const
export type Level = (typeof levels)[number]

/** An unknown level is the default. */
export const level = (env: Readonly<Record<string, string | undefined>> = process.env): Level => {
  const wanted = env["DAYLIGHT_LOG"]?.toLowerCase()
  return levels.find((known) => known === wanted) ?? "warn"
}

/** One line, if `DAYLIGHT_LOG` is `debug` or `trace`. */
export const debug = (message: string): void => {
  const now = level()
  if (now === "debug" || now === "trace") process.stderr.write(`daylight: ${message}\n`)
}
