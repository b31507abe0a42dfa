/**
 * What a trajectory of a Daylight session says beyond ATIF, under `extra.daylight`.
 */
import type { CellReport, OutcomeRecord } from "@daylight/core"
import type * as Schema from "effect/Schema"

/** Of these fields. */
export const daylightVersion = 1

export interface RootExtra {
  readonly v: number
  readonly session: string
  readonly agent: ReadonlyArray<string>
  readonly definition: string
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly status: "completed" | "failed" | "cancelled" | "limit" | "infra_error" | "running"
  readonly runs: ReadonlyArray<{ readonly run: number; readonly outcome?: OutcomeRecord | undefined }>
  /** The call of the parent's cell that this session served. */
  readonly parent?: { readonly session: string; readonly cell: number; readonly ordinal: number } | undefined
  readonly cassette?: { readonly path: string; readonly sha256: string } | undefined
  /** Texts that were too long to stand here; each is a file of its own in `blobs`, named by its hash. */
  readonly blobs?: ReadonlyArray<string> | undefined
}

export interface AttemptExtra {
  readonly error: Schema.Json
  readonly retryInMs?: number | undefined
}

export interface StepExtra {
  readonly run?: number | undefined
  readonly step?: number | undefined
  readonly startMs?: number | undefined
  readonly durationMs?: number | undefined
  readonly provider?: string | undefined
  readonly purpose?: string | undefined
  readonly finishReason?: string | undefined
  /** As the provider names its answer. */
  readonly responseId?: string | undefined
  /** Joins the step with an answer of the cassette. */
  readonly requestKey?: string | undefined
  readonly ordinal?: number | undefined
  readonly usage?: Schema.Json | undefined
  readonly attempts?: ReadonlyArray<AttemptExtra> | undefined
  readonly error?: Schema.Json | undefined
  readonly nudge?: string | undefined
  /** Parts at the end of a prompt that the engine added. */
  readonly added?: number | undefined
  /** The order of reasoning, text and actions, where it is not the usual one. */
  readonly content?: Schema.Json | undefined
  /** What happened to the session besides: skills, snapshots, compactions, limits, recoveries. */
  readonly events?: ReadonlyArray<Schema.Json> | undefined
}

export interface HostCallExtra {
  readonly ordinal: number
  readonly path: string
  readonly operation: string
  readonly args: Schema.Json
  readonly effect?: string | undefined
  readonly status: "completed" | "failed" | "unknown" | "refused" | "pending"
  readonly value?: Schema.Json | undefined
  readonly error?: Schema.Json | undefined
  readonly startMs?: number | undefined
  readonly durationMs?: number | undefined
  readonly child?: string | undefined
  readonly approval?: Schema.Json | undefined
}

export interface CallExtra {
  readonly status: "ok" | "error" | "denied" | "cancelled" | "timeout" | "pending" | "unparsed"
  readonly cell?: number | undefined
  readonly startMs?: number | undefined
  readonly durationMs?: number | undefined
  readonly rawArguments?: string | undefined
  readonly report?: CellReport | undefined
  readonly calls?: ReadonlyArray<HostCallExtra> | undefined
}

/** Own fields as an `extra`. They are plain data already, without members that are absent. */
export const extraOf = (daylight: object): { readonly daylight: Schema.Json } => ({ daylight: daylight as Schema.Json })

/** The own fields of anything that has an `extra`. */
export const daylightOf = <A>(
  holder: { readonly extra?: Readonly<Record<string, Schema.Json>> | undefined } | undefined
): Partial<A> => (holder?.extra?.["daylight"] ?? {}) as Partial<A>
