/**
 * What an operation of a cell is, as far as the boundary is concerned.
 */
import { type Contract, type HostCall, HostCallError } from "@daylight/core"
import * as Cause from "effect/Cause"
import type { OperationMessage } from "../wire/Messages.ts"
import { type HostObject, isSynchronous, pathOf } from "./HostObjects.ts"

export const operations = {
  call: "call",
  construct: "construct",
  get: "get",
  set: "set",
  has: "get",
  own: "get",
  keys: "get",
  next: "call",
  stop: "call"
} as const satisfies Record<OperationMessage["op"], HostCall["operation"]>

export const bare: Contract = Object.freeze({ effect: "none" })

/** What has no contract is harmless as far as the boundary is concerned: it is recorded, and never asked about. */
export const contractOf = (entry: HostObject, { key, op, sync }: OperationMessage): Contract => {
  const contract = op === "call" || op === "construct"
    ? key === undefined ? entry.contract : entry.methods?.[key]
    : undefined
  if (contract === undefined) return bare
  if (sync && !isSynchronous(contract)) {
    throw new HostCallError({
      path: pathOf(entry, key),
      reason: { _tag: "Denied", by: "runtime", why: "it cannot be waited for" }
    })
  }
  return contract
}

export const failureOf = (cause: Cause.Cause<unknown>): unknown =>
  Cause.hasInterruptsOnly(cause)
    ? Object.assign(new Error("the call was interrupted"), { name: "Interrupted" })
    : Cause.squash(cause)

export const diverged = (ordinal: number): HostCallError =>
  new HostCallError({ path: "call", reason: { _tag: "Diverged", ordinal } })
