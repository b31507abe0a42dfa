/** Models of Anthropic, through the optional peer `@anthropic-ai/sdk`. */
export * as Anthropic from "./anthropic/Anthropic.ts"
