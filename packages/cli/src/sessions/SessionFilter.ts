/** What `sessions list` and `sessions prune` can be narrowed by. */
import type { OutcomeReason, SessionQuery } from "@daylight/core"
import * as ExitCode from "../ExitCode.ts"
import { Problem } from "../Problem.ts"
import { type OpenStore } from "../StoreAccess.ts"
import { parseMoment } from "./Moment.ts"
import { chosenSession } from "./SessionChoice.ts"

export interface SessionFilter {
  readonly agent: string | undefined
  readonly status: SessionQuery["status"] | undefined
  /** Each as `KEY=VALUE`. */
  readonly label: ReadonlyArray<string>
  readonly text: string | undefined
  readonly outcome: OutcomeReason | undefined
  readonly parent: string | undefined
  readonly minUsd: number | undefined
  /** Only sessions with cells that failed. */
  readonly failed: boolean
  readonly since: string | undefined
}

/** @throws Problem where a label, a time or a parent is none. */
export const queryOf = async (
  opened: OpenStore,
  { agent, failed, label, minUsd, outcome, parent, since, status, text }: SessionFilter
): Promise<SessionQuery> => ({
  agent,
  status,
  text,
  minUsd,
  reason: outcome,
  labels: labelsOf(label),
  failed: failed ? true : undefined,
  since: since === undefined ? undefined : parseMoment("--since", since),
  parent: parent === undefined ? undefined : await chosenSession(opened, parent)
})

const labelsOf = (labels: ReadonlyArray<string>): Readonly<Record<string, string>> =>
  Object.fromEntries(labels.map((label) => {
    const at = label.indexOf("=")
    if (at > 0) return [label.slice(0, at), label.slice(at + 1)]
    throw new Problem(
      `--label ${label}`,
      "has no value",
      "Write it as KEY=VALUE, such as --label team=ops.",
      ExitCode.usage
    )
  }))
