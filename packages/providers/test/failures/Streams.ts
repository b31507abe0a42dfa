/** Answers that break in the middle, and what happens after their end. */
import { anthropic, type Api, type FailureRow, openai } from "./FailureRow.ts"

const middle = (
  api: Api,
  name: string,
  body: unknown,
  reason: FailureRow["reason"],
  rest: Partial<FailureRow> = {}
): FailureRow => ({
  api,
  name,
  phase: "middle",
  body,
  reason,
  retries: 0,
  text: "some ",
  ...rest
})
/** Each continuation breaks again, after some more text. */
const thrice = { retries: 3, text: "some some some some " } as const
const once = { retries: 1, passes: true, text: "some all of it" } as const

export const broken: ReadonlyArray<FailureRow> = [
  middle("chat", "server", openai("The server had an error", { type: "server_error" }), "Overloaded", thrice),
  middle(
    "chat",
    "OpenRouter: a code",
    { error: { code: 502, message: "Provider disconnected" } },
    "Overloaded",
    thrice
  ),
  middle("chat", "rate", openai("Rate limit reached", { code: "rate_limit_exceeded" }), "RateLimited", thrice),
  middle("chat", "quota", openai("You exceeded your current quota", { code: "insufficient_quota" }), "Billing"),
  middle("chat", "filter", openai("blocked", { code: "content_filter" }), "ContentFilter"),
  middle(
    "chat",
    "too long",
    openai("This model's maximum context length is 4096 tokens", { code: "context_length_exceeded" }),
    "ContextOverflow"
  ),
  middle("chat", "bad request", openai("bad input", { code: "invalid_request_error" }), "InvalidRequest"),
  middle("chat", "cut", undefined, "Connection", { stream: "cut", ...thrice }),
  middle("chat", "ends without a word", undefined, "Connection", { stream: "ends", ...thrice }),
  middle("chat", "garbage", undefined, "MalformedResponse", { stream: "garbage", ...thrice }),
  middle("responses", "server", { code: "server_error", message: "The server had an error" }, "Overloaded", thrice),
  middle("responses", "rate", { code: "rate_limit_exceeded", message: "Rate limit reached" }, "RateLimited", thrice),
  middle("responses", "quota", { code: "insufficient_quota", message: "You exceeded your current quota" }, "Billing"),
  middle("responses", "cut", undefined, "Connection", { stream: "cut", ...thrice }),
  middle("responses", "ends without a word", undefined, "Connection", { stream: "ends", ...thrice }),
  middle("responses", "garbage", undefined, "MalformedResponse", { stream: "garbage", ...thrice }),
  middle("messages", "overload", anthropic("overloaded_error", "Overloaded"), "Overloaded", thrice),
  middle("messages", "server", anthropic("api_error", "Internal server error"), "Overloaded", thrice),
  middle("messages", "rate", anthropic("rate_limit_error", "slow down"), "RateLimited", thrice),
  middle("messages", "bad request", anthropic("invalid_request_error", "no"), "InvalidRequest"),
  middle("messages", "cut", undefined, "Connection", { stream: "cut", ...thrice }),
  middle("messages", "ends without a word", undefined, "Connection", { stream: "ends", ...thrice }),
  middle("messages", "garbage", undefined, "MalformedResponse", { stream: "garbage", ...thrice }),
  middle("chat", "cut, then well", undefined, "fine", { stream: "cut", ...once }),
  middle("chat", "server, then well", openai("The server had an error", { type: "server_error" }), "fine", once),
  middle("responses", "cut, then well", undefined, "fine", { stream: "cut", ...once }),
  middle("messages", "overload, then well", anthropic("overloaded_error", "Overloaded"), "fine", once),
  middle("messages", "cut, then well", undefined, "fine", { stream: "cut", ...once })
]

const late = (api: Api, name: string, rest: Partial<FailureRow>): FailureRow => ({
  api,
  name,
  phase: "after",
  reason: "fine",
  retries: 0,
  text: "all of it",
  ...rest
})

/** What happens after the end of an answer changes nothing. */
export const ended: ReadonlyArray<FailureRow> = [
  late("chat", "cut", { stream: "cut" }),
  late("chat", "ends without its mark", { stream: "ends" }),
  late("chat", "garbage", { stream: "garbage" }),
  late("chat", "an error", { body: openai("The server had an error", { type: "server_error" }) }),
  late("responses", "cut", { stream: "cut" }),
  late("responses", "garbage", { stream: "garbage" }),
  late("responses", "an error", { body: { code: "server_error", message: "late" } }),
  late("messages", "cut", { stream: "cut" }),
  late("messages", "ends without its mark", { stream: "ends" }),
  late("messages", "garbage", { stream: "garbage" }),
  late("messages", "an error", { body: anthropic("overloaded_error", "Overloaded") })
]
