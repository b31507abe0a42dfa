/**
 * The defaults of every store that outlives a process, with their units.
 */
export const StoreDefaults = {
  /** How long an owner that gives no sign of life keeps its sessions. */
  lease: "15 seconds",
  /** How often an owner gives one. */
  heartbeat: "5 seconds",
  /** How long a write waits for another process, or for a server that is away, before it fails as `Unavailable`. */
  patience: "5 seconds",
  /** How often a reader looks for what other processes wrote. */
  poll: "25 millis",
  /** A blob that no session refers to is kept this long: its session may be about to. */
  orphans: "1 hour",
  /** Where the tables of a Postgres store are. */
  schema: "daylight"
} as const
