/**
 * From a symptom to one of the failures of `ModelFailure`. Total: whatever was thrown has an answer. What a body says
 * weighs more than the status, since gateways put every kind of trouble under 400, 429 and 500.
 */
import { type ModelFailure } from "@daylight/core"
import { retryAfterMs } from "./RetryAfter.ts"
import { type Symptom, symptomOf } from "./Symptom.ts"

/** `now`: epoch milliseconds, for a `Retry-After` that is a date. */
export const classify = (thrown: unknown, now: number): ModelFailure => {
  const symptom = symptomOf(thrown)
  return fromBody(symptom, now) ?? fromStatus(symptom, now) ?? fromTransport(symptom)
}

const base = (symptom: Symptom) => ({
  ...(symptom.status === undefined ? undefined : { status: symptom.status }),
  detail: symptom.message
})

const waiting = (_tag: "RateLimited" | "Overloaded", symptom: Symptom, now: number): ModelFailure => {
  const ms = retryAfterMs(symptom.headers, symptom.text, now)
  return { _tag, ...base(symptom), ...(ms === undefined ? undefined : { retryAfterMs: ms }) }
}

const says = (symptom: Symptom, codes: ReadonlySet<string>, phrases: RegExp) =>
  symptom.codes.some((code) => codes.has(code)) || phrases.test(symptom.text)

const fromBody = (symptom: Symptom, now: number): ModelFailure | undefined => {
  if (isOverflow(symptom)) return { _tag: "ContextOverflow", ...base(symptom), ...tokenCounts(symptom.text) }
  if (isBilling(symptom, now)) return { _tag: "Billing", ...base(symptom) }
  if (says(symptom, filterCodes, filterPhrases)) return { _tag: "ContentFilter", ...base(symptom) }
  if (says(symptom, keyCodes, keyPhrases)) return { _tag: "Authentication", ...base(symptom) }
  // A 4xx that only mentions overload or rates in passing is still a bad request.
  if (symptom.status !== undefined && symptom.status < 500 && symptom.status !== 429 && symptom.status !== 408) {
    return undefined
  }
  if (says(symptom, rateCodes, ratePhrases)) return waiting("RateLimited", symptom, now)
  if (says(symptom, overloadCodes, overloadPhrases)) return waiting("Overloaded", symptom, now)
  if (says(symptom, timeoutCodes, timeoutPhrases)) return { _tag: "Timeout", ...base(symptom) }
  if (symptom.codes.some((code) => requestCodes.has(code))) return { _tag: "InvalidRequest", ...base(symptom) }
  return undefined
}

const fromStatus = (symptom: Symptom, now: number): ModelFailure | undefined => {
  const { status } = symptom
  if (status === undefined) return undefined
  if (status === 401 || status === 403 || status === 407) return { _tag: "Authentication", ...base(symptom) }
  if (status === 408 || status === 504 || status === 524 || status === 522) return { _tag: "Timeout", ...base(symptom) }
  if (status === 429) return waiting("RateLimited", symptom, now)
  if (status === 409 || status === 425) return waiting("Overloaded", symptom, now)
  if (status === 501 || status === 505 || status < 500) return { _tag: "InvalidRequest", ...base(symptom) }
  return waiting("Overloaded", symptom, now)
}

const fromTransport = (symptom: Symptom): ModelFailure => {
  const { codes, names, text } = symptom
  const has = (set: ReadonlySet<string>) =>
    codes.some((code) => set.has(code)) || names.some((name) => set.has(name.toLowerCase()))
  if (codes.some((code) => /^(cert_|err_tls|err_ssl|self_signed|depth_zero|unable_to_)/.test(code))) {
    return { _tag: "Unknown", ...base(symptom) }
  }
  if (has(timeoutNames)) return { _tag: "Timeout", ...base(symptom) }
  if (has(connectionNames)) return { _tag: "Connection", ...base(symptom) }
  if (has(malformedNames)) return { _tag: "MalformedResponse", ...base(symptom) }
  if (has(requestNames)) return { _tag: "InvalidRequest", ...base(symptom) }
  if (has(keyNames)) return { _tag: "Authentication", ...base(symptom) }
  const fetching = /^(fetch failed|terminated|network error|failed to fetch|other side closed)$/im.test(text)
  if (fetching) return { _tag: "Connection", ...base(symptom) }
  // A slip in a program may well speak of connections: by its class it is none.
  if (names.some((name) => slips.has(name))) return { _tag: "Unknown", ...base(symptom) }
  if (/\b(connection|socket|network)\b/i.test(text)) return { _tag: "Connection", ...base(symptom) }
  if (/\btimed? ?out\b/i.test(text)) return { _tag: "Timeout", ...base(symptom) }
  return { _tag: "Unknown", ...base(symptom) }
}

const slips = new Set(["TypeError", "RangeError", "ReferenceError", "EvalError", "URIError"])
const timeoutNames = new Set([
  "apiconnectiontimeouterror",
  "timeouterror",
  "etimedout",
  "esockettimedout",
  "und_err_headers_timeout",
  "und_err_body_timeout",
  "und_err_connect_timeout",
  "headerstimeouterror",
  "bodytimeouterror",
  "connecttimeouterror"
])
const connectionNames = new Set([
  "apiconnectionerror",
  "econnreset",
  "econnrefused",
  "econnaborted",
  "enotfound",
  "eai_again",
  "epipe",
  "ehostunreach",
  "enetunreach",
  "enetdown",
  "und_err_socket",
  "und_err_closed",
  "und_err_destroyed",
  "socketerror",
  "err_stream_premature_close",
  "und_err_aborted",
  "hpe_invalid_constant"
])
const malformedNames = new Set([
  "syntaxerror",
  "ai_jsonparseerror",
  "ai_typevalidationerror",
  "ai_invalidresponsedataerror",
  "ai_emptyresponsebodyerror",
  "ai_nooutputgeneratederror",
  "ai_nocontentgeneratederror"
])
const requestNames = new Set([
  "err_invalid_url",
  "ai_invalidargumenterror",
  "ai_invalidprompterror",
  "ai_unsupportedfunctionalityerror",
  "ai_nosuchmodelerror",
  "ai_unsupportedmodelversionerror",
  "ai_nosuchproviderreferenceerror",
  "ai_loadsettingerror"
])
const keyNames = new Set(["ai_loadapikeyerror", "credentialsprovidererror"])

const overflowCodes = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "model_context_window_exceeded",
  "exceed_context_size_error",
  "request_too_large",
  "prompt_too_long",
  "string_above_max_length",
  "tokens_limit_reached",
  "input_too_long"
])
const overflowPhrases = new RegExp(
  [
    "maximum context length",
    "context length exceeded",
    "exceeds? the (?:model'?s )?(?:available |maximum )?context",
    "exceeds? (?:the )?(?:max(?:imum)? )?context (?:length|window|size|limit)",
    "exceed context limit",
    "context window (?:is )?(?:exceeded|full)",
    "exceed(?:s|ed)? the context window",
    "prompt is too long",
    "prompt too long",
    "input is too long",
    "input too long",
    "too many input tokens",
    "maximum prompt length",
    "reduce the length of the (?:messages|prompt|input)",
    "input token count.{0,40}exceeds",
    "input length.{0,60}exceed",
    "prompt contains .{0,40}tokens.{0,80}maximum context",
    "inputs? tokens? \\+ max_new_tokens",
    "too many tokens.{0,60}prompt",
    "exceeded model token limit",
    "request too large for .{0,120}tokens per min",
    "larger than the (?:model'?s )?context",
    "上下文长度超",
    "超(?:出|过)(?:了)?(?:模型)?(?:的)?最大(?:上下文|输入|长度|token)",
    "输入(?:内容)?(?:长度)?(?:过长|超长|超出|超过)",
    "range of input length should be"
  ].join("|"),
  "i"
)
/** The wish for output was too large, not the prompt. */
const outputPhrases =
  /max(?:_completion|_output|imum_output)?_tokens.{0,40}(?:too large|must be|at least|at most|positive|greater|less|invalid|is required)|supports at most \d+ completion tokens/i

const isOverflow = (symptom: Symptom) => {
  if (symptom.status === 413 || symptom.codes.some((code) => overflowCodes.has(code))) return true
  if (symptom.status === 401 || symptom.status === 402 || symptom.status === 403) return false
  return overflowPhrases.test(symptom.text) && !(outputPhrases.test(symptom.text) && !/context/i.test(symptom.text))
}

/** Numbers as the messages of OpenAI, vLLM, Anthropic, Google, xAI and Mistral put them. */
const tokenCounts = (text: string) => {
  const number = (match: RegExpExecArray | null, group: number) => {
    const said = match?.[group]?.replaceAll(",", "")
    return said === undefined ? undefined : Number(said)
  }
  const pair = /([\d,]+) tokens? > ([\d,]+)/i.exec(text) ??
    /token count \(?([\d,]+)\)? exceeds .{0,60}?\(?([\d,]+)\)?[.\s"]/i.exec(text)
    ?? /contains ([\d,]+) tokens.{0,80}?([\d,]+) maximum context/i.exec(text)
  const window = number(pair, 2)
    ?? number(
      /(?:maximum (?:context|prompt|model) length (?:is|of)|available context size \(|context window of|Limit) ([\d,]+)/i
        .exec(text),
      1
    )
    ?? number(/context size \(([\d,]+)/i.exec(text), 1)
  const tokens = number(pair, 1)
    ?? number(
      /(?:resulted in|you requested|request contains|requested|contains|request \() ?(?:about )?([\d,]+)(?: tokens)?/i
        .exec(text),
      1
    )
  return { ...(tokens === undefined ? undefined : { tokens }), ...(window === undefined ? undefined : { window }) }
}

const billingCodes = new Set([
  "insufficient_quota",
  "billing_error",
  "billing_not_active",
  "billing_hard_limit_reached",
  "insufficient_balance",
  "arrearage",
  "payment_required",
  "insufficient_credits",
  "account_deactivated_for_billing"
])
const billingPhrases = new RegExp(
  [
    "insufficient (?:account )?(?:balance|credits?|funds|quota)",
    "credit balance is too low",
    "credit balance too low",
    "out of credits",
    "more credits",
    "no credits? (?:left|remaining)",
    "exceeded your current quota",
    "check your plan and billing",
    "billing (?:hard )?limit",
    "billing (?:is )?not (?:active|enabled)",
    "payment required",
    "requires? (?:a )?payment",
    "account is not in good standing",
    "overdue payment",
    "in arrears",
    "access denied.{0,40}good standing",
    "prepaid",
    "spending limit",
    "monthly (?:usage|spend(?:ing)?) limit",
    "quota exhausted",
    "balance is not enough",
    "purchase (?:more )?credits",
    "余额不足",
    "欠费"
  ].join("|"),
  "i"
)

/** A quota that comes with a time to wait is a rate: Google words both the same. */
const isBilling = (symptom: Symptom, now: number) => {
  if (symptom.status === 402 || symptom.codes.some((code) => billingCodes.has(code))) return true
  if (symptom.status !== undefined && symptom.status >= 500) return false
  return billingPhrases.test(symptom.text) && retryAfterMs(symptom.headers, symptom.text, now) === undefined
}

const filterCodes = new Set([
  "content_filter",
  "content_policy_violation",
  "content_moderation",
  "bio_policy",
  "misalignment_policy_violation",
  "image_content_policy_violation",
  "data_inspection_failed",
  "responsibleaipolicyviolation",
  "sensitive_words_detected"
])
const filterPhrases =
  /content (?:management|moderation) policy|content filter(?:ing)? policy|flagged as potentially violating|violat(?:es|ing|ed) (?:our|the) (?:usage|content|acceptable use) polic|your (?:input|prompt) was flagged|output blocked by content filtering|safety system|data may contain inappropriate content/i

const keyCodes = new Set([
  "invalid_api_key",
  "authentication_error",
  "permission_error",
  "permission_denied",
  "unauthenticated",
  "unauthorized",
  "invalid_authentication",
  "unsupported_country_region_territory",
  "accessdeniedexception",
  "unrecognizedclientexception",
  "expiredtokenexception",
  "invalidsignatureexception",
  "account_deactivated"
])
const keyPhrases =
  /api key not valid|incorrect api key|invalid (?:x-)?api[- ]key|invalid authentication|no auth credentials|missing (?:bearer|api key|authentication)/i

const rateCodes = new Set([
  "rate_limit_error",
  "rate_limit_exceeded",
  "rate_limit_reached",
  "too_many_requests",
  "throttlingexception",
  "throttling",
  "resource_exhausted",
  "requests",
  "tokens",
  "limit_requests",
  "limit_burst_rate",
  "slow_down"
])
const ratePhrases = /rate limit|too many requests|requests per (?:min|second|day)|tokens per (?:min|day)|throttl/i
const overloadCodes = new Set([
  "overloaded_error",
  "overloaded",
  "server_is_overloaded",
  "engine_overloaded",
  "engine_overloaded_error",
  "unavailable",
  "service_unavailable",
  "serviceunavailableexception",
  "server_error",
  "internal_server_error",
  "internal_error",
  "internal",
  "api_error",
  "modelnotreadyexception",
  "modelstreamerrorexception",
  "internalserverexception",
  "vector_store_timeout",
  "upstream_error",
  "provider_unavailable",
  "provider_overloaded"
])
const overloadPhrases =
  /overloaded|(?:at|over|insufficient|no) capacity|temporarily unavailable|service unavailable|server had an error|model is (?:currently )?loading|high demand/i
const timeoutCodes = new Set([
  "timeout_error",
  "timeout",
  "deadline_exceeded",
  "modeltimeoutexception",
  "request_timeout",
  "gateway_timeout"
])
const timeoutPhrases = /(?:request|gateway|upstream|response) (?:has )?tim(?:ed|e)[ -]?out|deadline exceeded/i
const requestCodes = new Set([
  "invalid_request_error",
  "invalid_prompt",
  "not_found_error",
  "model_not_found",
  "invalid_argument",
  "not_found",
  "validationexception",
  "unsupported_parameter",
  "unsupported_value",
  "invalid_request",
  "bad_request",
  "failed_precondition",
  "data_residency_mismatch",
  "invalid_image",
  "invalid_image_format",
  "invalid_base64_image",
  "invalid_image_url"
])
