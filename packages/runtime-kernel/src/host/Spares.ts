/**
 * A process that is kept ready for the next one that dies, shared by all kernels with the same command line. It ends
 * with the last of them.
 */
import type { SpawnOptions } from "./Command.ts"
import { KernelProcess } from "./KernelProcess.ts"

/** A kernel's share. */
export interface Spare {
  /** Gives the process, if one is ready, and makes the next. */
  readonly adopt: () => KernelProcess | undefined
  readonly leave: () => void
}

interface Pool {
  users: number
  process: KernelProcess | undefined
  timer: NodeJS.Timeout | undefined
}

const pools = new Map<string, Pool>()
const launchers = new WeakMap<object, number>()
let lastLauncher = 0

/** Milliseconds after which a spare is made: a program that ends soon needs none. */
const delay = 300

export const takeSpare = (options: SpawnOptions): Spare => {
  const key = keyOf(options)
  let pool = pools.get(key)
  if (pool === undefined) pools.set(key, pool = { users: 0, process: undefined, timer: undefined })
  pool.users++
  const mine = pool
  return {
    adopt: () => {
      const { process } = mine
      mine.process = undefined
      prepare(mine, options)
      return process?.over === false ? process : undefined
    },
    leave: () => {
      if (--mine.users > 0) return
      clearTimeout(mine.timer)
      mine.process?.kill("closed")
      pools.delete(key)
    }
  }
}

const prepare = (pool: Pool, options: SpawnOptions): void => {
  if (pool.timer !== undefined) return
  pool.timer = setTimeout(() => {
    pool.timer = undefined
    if (pool.process?.over === false) return
    const process = pool.process = new KernelProcess(options)
    process.ready.then(
      () => {
        process.send({ t: "init", key: "" })
        process.send({ t: "warm" })
      },
      () => {} // the next start says why it cannot
    )
  }, delay)
  pool.timer.unref()
}

const keyOf = ({ heapBytes, launcher, node, program }: SpawnOptions): string => {
  let number = 0
  if (launcher !== undefined) {
    number = launchers.get(launcher) ?? ++lastLauncher
    launchers.set(launcher, number)
  }
  return JSON.stringify([node, program, heapBytes, number])
}
