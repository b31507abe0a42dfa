/** Cells in this process: zero copy, direct references. */
export { VmRuntime, type VmRuntimeOptions } from "./VmRuntime.ts"
