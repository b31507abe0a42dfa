/** Cells in a process of their own. */
export { bubblewrap, type BubblewrapOptions, findBubblewrap } from "./host/Bubblewrap.ts"
export type { KernelCommand, Launcher } from "./host/Command.ts"
export type { Grants } from "./host/Grants.ts"
export { type KernelLimits, KernelRuntime, type KernelRuntimeOptions, type KernelState } from "./KernelRuntime.ts"
