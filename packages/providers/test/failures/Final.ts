/** Requests that are refused, and no repetition would mend it. */
import { anthropic, before, type FailureRow, google, openai } from "./FailureRow.ts"

/** Nothing a repetition would mend. */
export const final: ReadonlyArray<FailureRow> = [
  // Keys and rights
  before(
    "chat",
    401,
    "wrong key",
    openai("Incorrect API key provided: sk-***.", { code: "invalid_api_key" }),
    "Authentication"
  ),
  before("chat", 401, "no body", "", "Authentication"),
  before(
    "chat",
    403,
    "country",
    openai("Country, region, or territory not supported", { code: "unsupported_country_region_territory" }),
    "Authentication"
  ),
  before(
    "chat",
    403,
    "project without access",
    openai("Project `p` does not have access to model `m`", { code: "model_not_found" }),
    "Authentication"
  ),
  before(
    "chat",
    400,
    "Google: wrong key",
    google(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    "Authentication"
  ),
  before("chat", 401, "proxy: no credentials", openai("No auth credentials found"), "Authentication"),
  before(
    "responses",
    401,
    "wrong key",
    openai("Incorrect API key provided", { code: "invalid_api_key" }),
    "Authentication"
  ),
  before("messages", 401, "wrong key", anthropic("authentication_error", "invalid x-api-key"), "Authentication"),
  before(
    "messages",
    403,
    "no right",
    anthropic("permission_error", "Your API key does not have permission to use the specified resource."),
    "Authentication"
  ),
  // Money
  before(
    "chat",
    429,
    "quota",
    openai("You exceeded your current quota, please check your plan and billing details.", {
      type: "insufficient_quota",
      code: "insufficient_quota"
    }),
    "Billing"
  ),
  before("chat", 402, "DeepSeek: balance", openai("Insufficient Balance", { type: "unknown_error" }), "Billing"),
  before(
    "chat",
    402,
    "OpenRouter: credits",
    openai("This request requires more credits, or fewer max_tokens.", { code: 402 }),
    "Billing"
  ),
  before("chat", 402, "no body", "", "Billing"),
  before(
    "chat",
    400,
    "DashScope: arrears",
    openai("Access denied, please make sure your account is in good standing.", { code: "Arrearage" }),
    "Billing"
  ),
  before(
    "chat",
    429,
    "hard limit",
    openai("Billing hard limit has been reached", { code: "billing_hard_limit_reached" }),
    "Billing"
  ),
  before(
    "chat",
    403,
    "xAI: no credits",
    openai("Your newly created team doesn't have any credits yet: purchase credits."),
    "Billing"
  ),
  before("chat", 429, "Chinese: balance", openai("账户余额不足"), "Billing"),
  before(
    "responses",
    429,
    "quota",
    openai("You exceeded your current quota", { code: "insufficient_quota" }),
    "Billing"
  ),
  before(
    "messages",
    400,
    "credit balance",
    anthropic("invalid_request_error", "Your credit balance is too low to access the Anthropic API."),
    "Billing"
  ),
  before("messages", 402, "billing", anthropic("billing_error", "There is an issue with your billing."), "Billing"),
  // Too long
  before(
    "chat",
    400,
    "window",
    openai("This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.", {
      code: "context_length_exceeded"
    }),
    "ContextOverflow"
  ),
  before(
    "chat",
    400,
    "vLLM",
    openai(
      "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion).",
      { type: "BadRequestError", code: 400 }
    ),
    "ContextOverflow"
  ),
  before("chat", 400, "llama.cpp", {
    error: {
      code: 400,
      message: "the request exceeds the available context size, try increasing it",
      type: "exceed_context_size_error",
      n_prompt_tokens: 5000,
      n_ctx: 4096
    }
  }, "ContextOverflow"),
  before("chat", 500, "llama.cpp, older", {
    error: {
      code: 500,
      message:
        "the request exceeds the available context size. try increasing the context size or enable context shift",
      type: "server_error"
    }
  }, "ContextOverflow"),
  before("chat", 400, "Ollama", openai("prompt too long; exceeded max context length by 12 tokens"), "ContextOverflow"),
  before("chat", 400, "LM Studio", {
    error:
      "The number of tokens to keep from the initial prompt is greater than the context length: the prompt is larger than the context"
  }, "ContextOverflow"),
  before(
    "chat",
    400,
    "Groq",
    openai("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" }),
    "ContextOverflow"
  ),
  before(
    "chat",
    413,
    "Groq: per minute",
    openai("Request too large for model `m` on tokens per minute (TPM): Limit 6000, Requested 9000", {
      code: "rate_limit_exceeded",
      type: "tokens"
    }),
    "ContextOverflow"
  ),
  before(
    "chat",
    429,
    "OpenAI: per minute",
    openai("Request too large for gpt-4o in organization org on tokens per min (TPM): Limit 30000, Requested 40000.", {
      code: "rate_limit_exceeded",
      type: "tokens"
    }),
    "ContextOverflow"
  ),
  before("chat", 400, "Mistral", {
    object: "error",
    message: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    type: "invalid_request_error"
  }, "ContextOverflow"),
  before(
    "chat",
    400,
    "xAI",
    openai("This model's maximum prompt length is 131072 but the request contains 200000 tokens."),
    "ContextOverflow"
  ),
  before(
    "chat",
    400,
    "Gemini",
    google(
      400,
      "INVALID_ARGUMENT",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."
    ),
    "ContextOverflow"
  ),
  before(
    "chat",
    400,
    "Moonshot",
    openai("Invalid request: Your request exceeded model token limit: 8192"),
    "ContextOverflow"
  ),
  before("chat", 400, "DashScope", openai("Range of input length should be [1, 30720]"), "ContextOverflow"),
  before("chat", 400, "Chinese: length", openai("输入长度超过最大限制"), "ContextOverflow"),
  before("chat", 400, "Chinese: context", openai("超过了模型的最大上下文长度"), "ContextOverflow"),
  before(
    "chat",
    413,
    "a proxy's limit",
    "<html><head><title>413 Request Entity Too Large</title></head></html>",
    "ContextOverflow"
  ),
  before(
    "responses",
    400,
    "window",
    openai("Your input exceeds the context window of this model.", { code: "context_length_exceeded" }),
    "ContextOverflow"
  ),
  before(
    "messages",
    400,
    "prompt",
    anthropic("invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    "ContextOverflow"
  ),
  before(
    "messages",
    400,
    "with the output",
    anthropic("invalid_request_error", "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"),
    "ContextOverflow"
  ),
  before(
    "messages",
    413,
    "bytes",
    anthropic("request_too_large", "Request exceeds the maximum size"),
    "ContextOverflow"
  ),
  before("messages", 400, "Bedrock", { message: "Input is too long for requested model." }, "ContextOverflow"),
  // Refused content
  before(
    "chat",
    400,
    "Azure: filter",
    openai("The response was filtered due to the prompt triggering Azure OpenAI's content management policy.", {
      code: "content_filter"
    }),
    "ContentFilter"
  ),
  before(
    "chat",
    400,
    "policy",
    openai("Invalid prompt: your prompt was flagged as potentially violating our usage policy.", {
      code: "invalid_prompt"
    }),
    "ContentFilter"
  ),
  before("chat", 403, "OpenRouter: moderation", {
    error: { code: 403, message: "Your input was flagged", metadata: { reasons: ["violence"] } }
  }, "ContentFilter"),
  before(
    "chat",
    400,
    "DashScope: inspection",
    openai("Input data may contain inappropriate content.", { code: "data_inspection_failed" }),
    "ContentFilter"
  ),
  before(
    "messages",
    400,
    "output blocked",
    anthropic("invalid_request_error", "Output blocked by content filtering policy"),
    "ContentFilter"
  ),
  // Mistakes in the request
  before(
    "chat",
    400,
    "field",
    openai("Unknown parameter: 'foo'.", { param: "foo", code: "unknown_parameter" }),
    "InvalidRequest"
  ),
  before(
    "chat",
    400,
    "output too large",
    openai("max_tokens is too large: 50000. This model supports at most 4096 completion tokens.", {
      param: "max_tokens"
    }),
    "InvalidRequest"
  ),
  before("chat", 400, "output not positive", openai("max_tokens must be positive"), "InvalidRequest"),
  before(
    "chat",
    400,
    "speaks of a timeout",
    openai("Invalid value for 'timeout': connection must be a string"),
    "InvalidRequest"
  ),
  before("chat", 400, "speaks of rates", openai("Invalid 'rate limit tier'"), "InvalidRequest"),
  before(
    "chat",
    404,
    "no such model",
    openai("The model `m` does not exist or you do not have access to it.", { code: "model_not_found" }),
    "InvalidRequest"
  ),
  before("chat", 404, "wrong address", "404 page not found", "InvalidRequest"),
  before("chat", 405, "wrong method", "Method Not Allowed", "InvalidRequest"),
  before("chat", 415, "wrong type", openai("Unsupported content type"), "InvalidRequest"),
  before("chat", 422, "FastAPI", {
    detail: [{ loc: ["body", "messages"], msg: "field required", type: "value_error.missing" }]
  }, "InvalidRequest"),
  before("chat", 400, "no body", "", "InvalidRequest"),
  before("chat", 501, "not built", "Not Implemented", "InvalidRequest"),
  before(
    "responses",
    400,
    "reasoning item",
    openai("Item 'rs_1' of type 'reasoning' was provided without its required following item."),
    "InvalidRequest"
  ),
  before(
    "responses",
    404,
    "no such model",
    openai("The requested model 'm' does not exist.", { code: "model_not_found" }),
    "InvalidRequest"
  ),
  before(
    "messages",
    400,
    "order of messages",
    anthropic("invalid_request_error", "messages: roles must alternate"),
    "InvalidRequest"
  ),
  before("messages", 404, "no such model", anthropic("not_found_error", "model: claude-9"), "InvalidRequest"),
  // Waits that nobody would sit through
  before("chat", 429, "a day to wait", openai("Rate limit reached", { code: "rate_limit_exceeded" }), "RateLimited", {
    headers: { "retry-after": "86400" }
  }),
  before("messages", 529, "a day to wait", anthropic("overloaded_error", "Overloaded"), "Overloaded", {
    headers: { "retry-after": "86400" }
  })
]
