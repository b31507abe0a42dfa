import * as Duration from "effect/Duration"
import { StoreDefaults } from "../StoreDefaults.ts"

/** How a process shows that it is alive. */
export interface LeaseOptions {
  /**
   * After this time without a sign of life others may take the sessions over, and this process can write nothing more.
   * Default 15 seconds.
   */
  readonly lease?: Duration.Input | undefined
  /** Time between two signs of life. Default 5 seconds. */
  readonly heartbeat?: Duration.Input | undefined
}

/** In milliseconds. */
export const leaseTimes = ({ heartbeat, lease }: LeaseOptions) => ({
  lease: Duration.toMillis(lease ?? StoreDefaults.lease),
  heartbeat: Duration.toMillis(heartbeat ?? StoreDefaults.heartbeat)
})
