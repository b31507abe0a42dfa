/**
 * Cells in a process of their own. A crash, an exhausted memory or an endless loop ends that process, never this one;
 * data crosses by copy, and everything else stays here and is used from there, as if it were there.
 */
import { type Runtime, RuntimeFactory } from "@daylight/core"
import type { Modules } from "@daylight/core/node"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import process from "node:process"
import type { Launcher } from "./host/Command.ts"
import { grantedBindings, type Grants, letsTheWorldIn } from "./host/Grants.ts"
import { HostNamespace } from "./host/HostNamespace.ts"
import { Kernel, type KernelOptions } from "./host/Kernel.ts"
import { realTime, type Scheduler } from "./host/Scheduler.ts"
import { residentBytes } from "./host/Watch.ts"

/** What a process may use. Times and output of a cell are limits of the agent. */
export interface KernelLimits {
  /** Bytes of JavaScript heap. Default 512 MiB. */
  readonly heapBytes?: number | undefined
  /** Bytes of memory in all, watched from outside where the system tells. Default 1 GiB. */
  readonly residentBytes?: number | undefined
  /** Objects of this process that the kernel may hold at once. Default 100,000. */
  readonly references?: number | undefined
  /** Calls that a namespace may wait for at once. Default 10,000. */
  readonly pendingCalls?: number | undefined
  /** Timers that a namespace may have armed at once. Default 10,000. */
  readonly timers?: number | undefined
  /** Bytes of oversized outputs that are kept as variables. Default 32 MiB. */
  readonly storedBytes?: number | undefined
  /**
   * Bytes of a namespace that are kept for the case that its process dies. Default 64 MiB, or an eighth of the heap.
   */
  readonly snapshotBytes?: number | undefined
}

export interface KernelRuntimeOptions {
  readonly limits?: KernelLimits | undefined
  /** What of the world is open to cells. Default: nothing, and only then the runtime is sealed. */
  readonly grants?: Grants | undefined
  /** Puts the process into something stronger. See `bubblewrap`. */
  readonly launcher?: Launcher | undefined
  /** What cells may import, by specifier. Modules stay in this process, as other live objects do. Default: none. */
  readonly modules?: Modules | undefined
  /** Keep a second process ready for the case that the first one dies. Default true. */
  readonly spare?: boolean | undefined
  /** The Node to run. Default: the one that runs this. */
  readonly node?: string | undefined
  /** Where the kernel's program is, for a host that was bundled into one file. Default: beside this module. */
  readonly program?: string | undefined
}

/** How a namespace's process is doing. */
export interface KernelState {
  /** Nothing while none runs. */
  readonly pid: number | undefined
  /** Processes so far. */
  readonly starts: number
  /** Objects of this process that the kernel holds. */
  readonly references: number
  /** Calls and timers that have not ended. */
  readonly pending: number
  /** 0 where the system does not tell. */
  readonly residentBytes: number
}

const mebibyte = 2 ** 20

const kernelOptions = (
  { launcher, limits = {}, node, program, spare = true }: KernelRuntimeOptions,
  scheduler: Scheduler
): KernelOptions => ({
  spawn: { heapBytes: limits.heapBytes ?? 512 * mebibyte, launcher, node: node ?? process.execPath, program },
  namespace: {
    storedBytes: limits.storedBytes ?? 32 * mebibyte,
    timers: limits.timers ?? 10_000,
    pendingCalls: limits.pendingCalls ?? 10_000,
    snapshotBytes: limits.snapshotBytes ?? Math.min(64 * mebibyte, (limits.heapBytes ?? 512 * mebibyte) / 8),
    modules: []
  },
  references: limits.references ?? 100_000,
  residentBytes: limits.residentBytes ?? 1_024 * mebibyte,
  spare,
  scheduler
})

const isSealed = ({ grants = {}, modules = {} }: KernelRuntimeOptions): boolean =>
  !letsTheWorldIn(grants) && Object.keys(modules).length === 0

/** `scheduler`: of timers; a test may have a clock of its own. */
export const makeLayer = (
  options: KernelRuntimeOptions,
  scheduler: Scheduler = realTime
): Layer.Layer<RuntimeFactory> =>
  Layer.succeed(
    RuntimeFactory,
    RuntimeFactory.of({
      open: ({ boundary, near, output }) =>
        Effect.acquireRelease(
          Effect.sync(() => {
            const kernel = near instanceof HostNamespace ? near.kernel : new Kernel(kernelOptions(options, scheduler))
            let namespace!: HostNamespace
            kernel.join((id) =>
              namespace = new HostNamespace(id, kernel, boundary, {
                modules: options.modules ?? {},
                granted: grantedBindings(options.grants ?? {}),
                sealed: isSealed(options),
                output
              })
            )
            return namespace
          }),
          (namespace) => Effect.promise(() => namespace.close())
        )
    })
  )

/** `undefined` for a runtime of another kind. */
const inspect = (runtime: Runtime): KernelState | undefined => {
  if (!(runtime instanceof HostNamespace)) return undefined
  const state = runtime.inspect()
  return { ...state, residentBytes: state.pid === undefined ? 0 : residentBytes(state.pid) }
}

/**
 * The runtime that runs cells in a process of their own.
 *
 * ```ts
 * import { KernelRuntime } from "@daylight/runtime-kernel"
 *
 * const runtime = KernelRuntime.layer({ limits: { heapBytes: 256 * 2 ** 20 } })
 * ```
 */
export const KernelRuntime = {
  /** Nothing is granted, limits as documented, unless the options say something else. */
  layer: (options: KernelRuntimeOptions = {}): Layer.Layer<RuntimeFactory> => makeLayer(options),
  inspect
}
