/** Cells in a process of their own. */
export type { Grants, KernelCommand, Launcher } from "./host/Command.ts"
export { KernelRuntime, type KernelLimits, type KernelRuntimeOptions, type KernelState } from "./KernelRuntime.ts"
