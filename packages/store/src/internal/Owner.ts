/**
 * Who owns sessions: this process, by a name that people can read, and by what another process on this machine can
 * tell whether it still lives.
 */
import { readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import process from "node:process"

/** Where a process ran, to find out whether it is gone. */
export interface ProcessMark {
  /** One boot of one machine, as far as it can be told, and what separates process numbers on it. */
  readonly machine: string
  readonly pid: number
  /** Tells apart two processes that had the same number. Empty where it cannot be read. */
  readonly started: string
}

export interface Owner {
  readonly id: string
  readonly name: string
  readonly process: ProcessMark
}

/** A new one for each lease: an owner whose lease ran out never comes back. */
export const makeOwner = (): Owner => ({ id: globalThis.crypto.randomUUID(), name: ownName, process: ownMark })

/** True only where it is certain; a process of another machine may live for all we know. */
export const isGone = ({ machine, pid, started }: ProcessMark): boolean => {
  if (machine !== ownMark.machine) return false
  if (!exists(pid)) return true
  const current = startOf(pid)
  return started !== "" && current !== "" && started !== current
}

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // It is there, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Ticks between the start of the machine and that of the process: field 22, counted after the command in brackets. */
const startOf = (pid: number | "self"): string =>
  orEmpty(() => readFileSync(`/proc/${pid}/stat`, "utf8").replace(/^.*\)/s, "").trim().split(" ")[19] ?? "")

/** Not every system has these files; the lease decides there. */
const orEmpty = (read: () => string): string => {
  try {
    return read()
  } catch {
    return "" // nothing to compare with
  }
}

const machineOf = (): string =>
  [
    hostname(),
    orEmpty(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    orEmpty(() => readlinkSync("/proc/self/ns/pid"))
  ].join(" ")

const ownMark: ProcessMark = { machine: machineOf(), pid: process.pid, started: startOf("self") }
const ownName = `process ${process.pid} on ${hostname()}`
