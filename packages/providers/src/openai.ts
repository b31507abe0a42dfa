/** Models of OpenAI and of compatible servers, through the optional peer `openai`. */
export * as OpenAi from "./openai/OpenAi.ts"
