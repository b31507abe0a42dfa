/**
 * Texts that are too long to stand in a trajectory are files of their own, named by their hash, so that the same text
 * is kept once. What is left in their place says how much there is, and where.
 */
import type * as Schema from "effect/Schema"
import { hashOf } from "../internal/Canonical.ts"
import { daylightOf, type RootExtra } from "./Daylight.ts"
import type { Trajectory } from "./Trajectory.ts"

/** Characters that a text may have. */
const most = 100_000

/** Characters of a long text that stay, so that people see what it is. */
const head = 2_000

export interface Lightened {
  readonly trajectory: Trajectory
  /** Texts by their hash (`sha256:...`). */
  readonly blobs: ReadonlyMap<string, string>
}

/** The same trajectory where no text is longer than `limit` characters (default 100,000). */
export const withoutLargeTexts = (trajectory: Trajectory, limit = most): Lightened => {
  const blobs = new Map<string, string>()
  const light = lighten(trajectory, limit, blobs) as Trajectory
  if (blobs.size === 0) return { trajectory, blobs }
  const daylight = { ...daylightOf<RootExtra>(light), blobs: [...blobs.keys()] } as Schema.Json
  return { trajectory: { ...light, extra: { ...light.extra, daylight } }, blobs }
}

const lighten = (value: unknown, limit: number, blobs: Map<string, string>): unknown => {
  if (typeof value === "string") {
    if (value.length <= limit) return value
    const hash = hashOf(value)
    blobs.set(hash, value)
    return `${value.slice(0, Math.min(head, limit)).toWellFormed()}\n… [${value.length} characters, ${hash}]`
  }
  if (Array.isArray(value)) return value.map((item) => lighten(item, limit, blobs))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, lighten(member, limit, blobs)]))
}
