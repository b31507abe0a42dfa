/**
 * Which part of the history is sent.
 */
import * as Context from "effect/Context"
import type { Message } from "./Message.ts"

/**
 * What is sent of a history: all of it by default. Pure and cheap; it may select, never rewrite, so that wire caches
 * hold.
 */
export interface Prompt {
  readonly project: (history: ReadonlyArray<Message>) => ReadonlyArray<Message>
}
export const Prompt: Context.Reference<Prompt> = Context.Reference<Prompt>("@daylight/core/Prompt", {
  defaultValue: () => ({ project: (history) => history })
})
