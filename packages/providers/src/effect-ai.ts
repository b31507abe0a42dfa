/** Models of `effect/ai`. */
export * as EffectAi from "./effect-ai/EffectAi.ts"
