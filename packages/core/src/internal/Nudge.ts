import type { Event } from "../Event.ts"
import type { Message } from "../Message.ts"
import type { Frame } from "./Frame.ts"
import { converse } from "./History.ts"
import type { Run } from "./Run.ts"

export type Why = Extract<Event, { readonly _tag: "Nudged" }>["why"]

/** What the loop itself says to the model. */
export const nudge = (frame: Frame, run: Run, why: Why, text: string): void => {
  const message: typeof Message.cases.User.Type = { _tag: "User", content: [{ _tag: "Text", text }] }
  run.nudged.add(why)
  converse(frame, { _tag: "Nudged", ...run.at, why, message })
}
