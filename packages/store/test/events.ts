import { Event, type SessionStore } from "@daylight/core"

type Of<Tag extends Event["_tag"]> = Extract<Event, { readonly _tag: Tag }>

export type Store = SessionStore["Service"]

export const opened = (more: Partial<Of<"SessionOpened">> = {}) =>
  Event.cases.SessionOpened.make({ agent: "analyst", definition: "d", workItem: "w", labels: {}, ...more })

export const warned = (used: number) => Event.cases.LimitWarned.make({ unit: "steps", used, limit: 100 })

export const runStarted = (text: string) =>
  Event.cases.RunStarted.make({ run: 1, prompt: { _tag: "User", content: [{ _tag: "Text", text }] } })

const call = { cell: 1, ordinal: 0 }

export const callStarted = (key: string) =>
  Event.cases.CallStarted.make({
    ...call,
    path: "pay",
    operation: "call",
    args: [],
    effect: "external",
    key,
    entropy: [],
    after: 0,
    callbacks: []
  })

export const callEnded = (status: "completed" | "unknown") =>
  Event.cases.CallEnded.make({ ...call, status, inPlace: false })
