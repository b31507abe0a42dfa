/**
 * What Postgres says, as a `StoreError`. The codes are its SQLSTATEs.
 */
import { StoreError } from "@daylight/core"
import type { SqlError } from "effect/sql/SqlError"

/** A restart, a lost connection, a lock: it may go better in a moment. */
export const isPassing = (error: SqlError): boolean =>
  error.isRetryable || error.reason._tag === "ConnectionError" ||
  /^(08|57P0|53300|40001|40P01|55P03)/.test(stateOf(error))

export const isTaken = (error: SqlError): boolean => stateOf(error) === "23505"

export const toStoreError = (error: SqlError): StoreError => new StoreError({ reason: reasonOf(error) })

const reasonOf = (error: SqlError): StoreError["reason"] => {
  const state = stateOf(error)
  const detail = [state, messageOf(error)].filter((part) => part !== "").join(" ")
  if (state.startsWith("XX00")) {
    return { _tag: "Corrupt", seq: 0, detail: `${detail}: bring back the database from a copy` }
  }
  if (state === "53100") return { _tag: "Full", detail: `${detail}: make room on the server's disk` }
  if (state === "54000") return { _tag: "Invalid", detail }
  if (isPassing(error)) {
    return { _tag: "Unavailable", detail: `${detail}: does the server run, and is the address right?` }
  }
  return { _tag: "Unavailable", detail }
}

const stateOf = ({ reason }: SqlError): string => {
  const { cause } = reason
  return typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string"
    ? cause.code
    : ""
}

const messageOf = ({ message, reason }: SqlError): string => {
  const { cause } = reason
  const inner = cause instanceof Error ? cause.message : ""
  return inner === "" || message.includes(inner) ? message : `${message}: ${inner}`
}
