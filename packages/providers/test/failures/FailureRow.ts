/** A row of the failure table, and the shapes that errors of providers have. */
import type { ModelFailure } from "@daylight/core"

export type Api = "chat" | "responses" | "messages"

export interface FailureRow {
  readonly api: Api
  readonly name: string
  /** `before` the first byte of an answer, in the `middle` of it after some text, or `after` its end. */
  readonly phase: "before" | "middle" | "after"
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The body of an error; in a stream the data of an error event. */
  readonly body?: unknown
  /** What the stream does instead of sending an error: it is cut, or sends what is no event. */
  readonly stream?: "cut" | "garbage" | "ends"
  /** Whether the trouble passes: the second request is answered well. Default: it stays. */
  readonly passes?: boolean
  /** `fine`: the answer is complete. */
  readonly reason: ModelFailure["_tag"] | "fine"
  /** Repetitions and continuations. */
  readonly retries: number
  /** All text that a reader is left with. */
  readonly text: string
}

export const openai = (message: string, fields: object = {}) => ({
  error: { message, type: "invalid_request_error", param: null, code: null, ...fields }
})
export const anthropic = (type: string, message: string) => ({ type: "error", error: { type, message } })
export const google = (code: number, status: string, message: string, details: ReadonlyArray<object> = []) => ({
  error: { code, message, status, details }
})

type Rest = Partial<Pick<FailureRow, "headers" | "passes" | "text" | "retries">>

export const before = (
  api: Api,
  status: number,
  name: string,
  body: unknown,
  reason: FailureRow["reason"],
  rest: Rest = {}
): FailureRow => ({
  api,
  name,
  phase: "before",
  status,
  body,
  reason,
  retries: 0,
  text: reason === "fine" ? "all of it" : "",
  ...rest
})

export const stays = { retries: 5 } as const
export const passes = { retries: 1, passes: true } as const
