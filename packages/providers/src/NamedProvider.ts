/** Providers that a name of the form `provider:model` can begin with: where they are, and which key they want. */
export interface NamedProvider {
  readonly name: string
  /** Absent: the SDK knows it. */
  readonly baseUrl?: string | undefined
  /** The environment variable of the key. Absent for servers that run beside the program and want none. */
  readonly variable?: string | undefined
  /** In place of `variable`, where a key is not enough: any of these sets of environment variables will do. */
  readonly credentials?: ReadonlyArray<ReadonlyArray<string>> | undefined
}

/** All providers that have a name. */
export const providers: ReadonlyArray<NamedProvider> = [
  { name: "openai", variable: "OPENAI_API_KEY" },
  { name: "anthropic", variable: "ANTHROPIC_API_KEY" },
  {
    name: "bedrock",
    credentials: [
      ["AWS_REGION", "AWS_BEARER_TOKEN_BEDROCK"],
      ["AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
    ]
  },
  { name: "vertex", credentials: [["GOOGLE_VERTEX_API_KEY"], ["GOOGLE_VERTEX_PROJECT", "GOOGLE_VERTEX_LOCATION"]] },
  { name: "cerebras", baseUrl: "https://api.cerebras.ai/v1", variable: "CEREBRAS_API_KEY" },
  { name: "deepseek", baseUrl: "https://api.deepseek.com", variable: "DEEPSEEK_API_KEY" },
  { name: "fireworks", baseUrl: "https://api.fireworks.ai/inference/v1", variable: "FIREWORKS_API_KEY" },
  { name: "google", baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai", variable: "GEMINI_API_KEY" },
  { name: "groq", baseUrl: "https://api.groq.com/openai/v1", variable: "GROQ_API_KEY" },
  { name: "mistral", baseUrl: "https://api.mistral.ai/v1", variable: "MISTRAL_API_KEY" },
  { name: "moonshotai", baseUrl: "https://api.moonshot.ai/v1", variable: "MOONSHOT_API_KEY" },
  { name: "openrouter", baseUrl: "https://openrouter.ai/api/v1", variable: "OPENROUTER_API_KEY" },
  { name: "together", baseUrl: "https://api.together.xyz/v1", variable: "TOGETHER_API_KEY" },
  { name: "xai", baseUrl: "https://api.x.ai/v1", variable: "XAI_API_KEY" },
  { name: "zai", baseUrl: "https://api.z.ai/api/paas/v4", variable: "ZAI_API_KEY" },
  { name: "llamacpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { name: "lmstudio", baseUrl: "http://127.0.0.1:1234/v1" },
  { name: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { name: "vllm", baseUrl: "http://127.0.0.1:8000/v1" }
]
