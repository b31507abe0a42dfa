/** Requests that fail in a way that may pass: some stay so, some do not. */
import { anthropic, before, type FailureRow, google, openai, passes, stays } from "./FailureRow.ts"

/** Trouble that stays: five repetitions, then the error. */
export const staying: ReadonlyArray<FailureRow> = [
  before(
    "chat",
    429,
    "rate",
    openai("Rate limit reached for requests", { code: "rate_limit_exceeded", type: "requests" }),
    "RateLimited",
    stays
  ),
  before("chat", 429, "no body", "", "RateLimited", stays),
  before(
    "chat",
    429,
    "Gemini: a quota with a wait is a rate",
    google(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan and billing details.", [{
      "@type": "type.googleapis.com/google.rpc.RetryInfo",
      retryDelay: "0.002s"
    }]),
    "RateLimited",
    stays
  ),
  before(
    "chat",
    429,
    "seconds in the message",
    openai("Rate limit reached. Please try again in 2ms."),
    "RateLimited",
    stays
  ),
  before(
    "chat",
    500,
    "server",
    openai("The server had an error while processing your request.", { type: "server_error" }),
    "Overloaded",
    stays
  ),
  before("chat", 502, "gateway", "<html><body><h1>502 Bad Gateway</h1></body></html>", "Overloaded", stays),
  before(
    "chat",
    503,
    "a proxy's page",
    "<html><body>upstream connect error or disconnect/reset before headers</body></html>",
    "Overloaded",
    stays
  ),
  before("chat", 503, "no body", "", "Overloaded", stays),
  before("chat", 503, "model loads", openai("Model is loading", { type: "unavailable_error" }), "Overloaded", stays),
  before("chat", 504, "gateway", "upstream request timeout", "Timeout", stays),
  before("chat", 408, "request", openai("Request timed out."), "Timeout", stays),
  before("chat", 409, "locked", openai("Resource is locked"), "Overloaded", stays),
  before("chat", 520, "Cloudflare", "error code: 520", "Overloaded", stays),
  before("chat", 524, "Cloudflare", "error code: 524", "Timeout", stays),
  before("chat", 529, "overload", openai("overloaded"), "Overloaded", stays),
  before("responses", 429, "rate", openai("Rate limit reached", { code: "rate_limit_exceeded" }), "RateLimited", stays),
  before(
    "responses",
    500,
    "server",
    openai("An error occurred while processing your request.", { type: "server_error" }),
    "Overloaded",
    stays
  ),
  before(
    "messages",
    429,
    "rate",
    anthropic(
      "rate_limit_error",
      "This request would exceed your organization's rate limit of 40,000 input tokens per minute."
    ),
    "RateLimited",
    stays
  ),
  before("messages", 500, "server", anthropic("api_error", "Internal server error"), "Overloaded", stays),
  before("messages", 529, "overload", anthropic("overloaded_error", "Overloaded"), "Overloaded", stays),
  before("messages", 504, "time", anthropic("timeout_error", "Request timed out"), "Timeout", stays),
  { api: "chat", name: "cut before a byte", phase: "before", stream: "cut", reason: "Connection", text: "", ...stays },
  {
    api: "responses",
    name: "cut before a byte",
    phase: "before",
    stream: "cut",
    reason: "Connection",
    text: "",
    ...stays
  },
  {
    api: "messages",
    name: "cut before a byte",
    phase: "before",
    stream: "cut",
    reason: "Connection",
    text: "",
    ...stays
  },
  { api: "chat", name: "an empty stream", phase: "before", stream: "ends", reason: "Connection", text: "", ...stays },
  {
    api: "messages",
    name: "an empty stream",
    phase: "before",
    stream: "ends",
    reason: "Connection",
    text: "",
    ...stays
  },
  {
    api: "chat",
    name: "a page instead of a stream",
    phase: "before",
    status: 200,
    headers: { "content-type": "text/html" },
    body: "<html>Please log in</html>",
    reason: "MalformedResponse",
    text: "",
    ...stays
  },
  { api: "chat", name: "no JSON", phase: "before", stream: "garbage", reason: "MalformedResponse", text: "", ...stays },
  {
    api: "messages",
    name: "no JSON",
    phase: "before",
    stream: "garbage",
    reason: "MalformedResponse",
    text: "",
    ...stays
  }
]

/** Trouble that passes: one repetition, and the answer is whole. */
export const passing: ReadonlyArray<FailureRow> = [
  before("chat", 429, "rate, seconds to wait", openai("Rate limit reached"), "fine", {
    ...passes,
    headers: { "retry-after": "0" }
  }),
  before("chat", 429, "rate, milliseconds to wait", openai("Rate limit reached"), "fine", {
    ...passes,
    headers: { "retry-after-ms": "3" }
  }),
  before("chat", 429, "rate, a date that is past", openai("Rate limit reached"), "fine", {
    ...passes,
    headers: { "retry-after": "Wed, 21 Oct 2015 07:28:00 GMT" }
  }),
  before("chat", 429, "rate, nonsense to wait", openai("Rate limit reached"), "fine", {
    ...passes,
    headers: { "retry-after": "soon" }
  }),
  before("chat", 503, "overload", openai("The engine is currently overloaded"), "fine", passes),
  before("responses", 500, "server", openai("The server had an error"), "fine", passes),
  before("messages", 529, "overload", anthropic("overloaded_error", "Overloaded"), "fine", passes),
  before(
    "chat",
    400,
    "an option it does not know is left out",
    openai("Unrecognized request argument supplied: stream_options"),
    "fine",
    passes
  ),
  before(
    "chat",
    400,
    "another name for the limit",
    openai(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { param: "max_tokens", code: "unsupported_parameter" }
    ),
    "fine",
    passes
  ),
  {
    api: "chat",
    name: "cut before a byte",
    phase: "before",
    stream: "cut",
    reason: "fine",
    text: "all of it",
    ...passes
  },
  {
    api: "messages",
    name: "cut before a byte",
    phase: "before",
    stream: "cut",
    reason: "fine",
    text: "all of it",
    ...passes
  }
]
