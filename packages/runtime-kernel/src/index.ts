/** Cells in a process of their own. */
export { bubblewrap, type BubblewrapOptions, findBubblewrap } from "./host/Bubblewrap.ts"
export type { Grants, KernelCommand, Launcher } from "./host/Command.ts"
export { type KernelLimits, KernelRuntime, type KernelRuntimeOptions, type KernelState } from "./KernelRuntime.ts"
