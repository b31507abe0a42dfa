/** Models of the AI SDK, through any of its provider packages. */
export * as AiSdk from "./ai-sdk/AiSdk.ts"
