/**
 * What is spoken with one server. Servers that claim to be compatible refuse fields of OpenAI's now and then; those
 * that change nothing in what is said are left out, or spelled otherwise, once a server has refused them.
 */

export interface Dialect {
  readonly provider: string
  readonly model: string
  readonly strictAlternation: boolean
  /** OpenAI calls it `max_completion_tokens`, nearly everybody else `max_tokens`. */
  maxTokensField: "max_completion_tokens" | "max_tokens"
  readonly refused: Set<string>
}

/** Sends, and sends again without what the server says it does not know. */
export const adapt = async <Body extends object, A>(
  dialect: Dialect,
  body: Body,
  send: (body: Body) => PromiseLike<A>
): Promise<A> => {
  for (let tries = 0;; tries++) {
    const spoken = inDialect(dialect, body)
    try {
      return await send(spoken)
    } catch (error) {
      const field = tries < harmless.length ? refusedField(error, spoken) : undefined
      if (field === undefined) throw error
      learn(dialect, field)
    }
  }
}

const harmless = ["stream_options", "parallel_tool_calls", "max_completion_tokens", "max_tokens", "include", "store"]

const inDialect = <Body extends object>(dialect: Dialect, body: Body): Body => {
  const out = { ...body } as Record<string, unknown>
  if (dialect.maxTokensField === "max_tokens" && "max_completion_tokens" in out) {
    out["max_tokens"] = out["max_completion_tokens"]
    delete out["max_completion_tokens"]
  }
  for (const field of dialect.refused) delete out[field]
  return out as Body
}

const refusedField = (error: unknown, body: object) => {
  const { message, param, status } = error as {
    readonly status?: unknown
    readonly param?: unknown
    readonly message?: unknown
  }
  const text = String(message)
  if (status !== 400 && status !== 422 || !unknownField.test(text)) return undefined
  return harmless.find((field) => field in body && (param === field || new RegExp(`\\b${field}\\b`).test(text)))
}

const unknownField = /unsupported|not supported|unknown|unrecogni[sz]ed|unexpected|not permitted|extra inputs/i

const learn = (dialect: Dialect, field: string) => {
  if (field === "max_tokens") dialect.maxTokensField = "max_completion_tokens"
  else if (field === "max_completion_tokens") dialect.maxTokensField = "max_tokens"
  else dialect.refused.add(field)
}
