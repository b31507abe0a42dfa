/**
 * What SQLite says, as a `StoreError`. The numbers are its primary result codes.
 */
import { StoreError } from "@daylight/core"

export const isBusy = (error: unknown): boolean => [5, 6].includes(codeOf(error))

export const toStoreError = (error: unknown): StoreError =>
  error instanceof StoreError ? error : new StoreError({ reason: reasonOf(error) })

/** The message of SQLite's own, with what to do about it. */
const reasonOf = (error: unknown): StoreError["reason"] => {
  const detail = error instanceof Error ? error.message : String(error)
  switch (codeOf(error)) {
    case 5:
    case 6:
      return {
        _tag: "Unavailable",
        detail: `another process keeps it locked (${detail}): try again, or be more patient`
      }
    case 8:
      return { _tag: "Unavailable", detail: `it was opened read-only (${detail}): open it for writing` }
    case 11:
    case 26:
      return { _tag: "Corrupt", seq: 0, detail: `${detail}: bring back the file from a copy` }
    case 13:
      return { _tag: "Full", detail: `${detail}: make room, or raise maxBytes` }
    case 14:
      return { _tag: "Unavailable", detail: `${detail}: does the file exist, and may it be read?` }
    case 18:
      return { _tag: "Invalid", detail: `${detail}: SQLite takes at most 1,000,000,000 bytes` }
    default:
      return { _tag: "Unavailable", detail }
  }
}

/** 0 for what is no error of SQLite. Extended codes keep the primary one in their lowest byte. */
const codeOf = (error: unknown): number =>
  error instanceof Error && "errcode" in error && typeof error.errcode === "number" ? error.errcode & 0xff : 0
