/**
 * Events that cases write, with nothing in them that a case is not about.
 */
import { Event } from "../../Event.ts"
import { type OutcomeReason } from "../../Outcome.ts"
import { noUsage, type Usage } from "../../Usage.ts"

type Of<Tag extends Event["_tag"]> = Extract<Event, { readonly _tag: Tag }>

export const opened = (more: Partial<Of<"SessionOpened">> = {}): Of<"SessionOpened"> =>
  Event.cases.SessionOpened.make({ agent: "analyst", definition: "d1", workItem: "w1", labels: {}, ...more })

export const runStarted = (text = "How many?", run = 1): Of<"RunStarted"> =>
  Event.cases.RunStarted.make({ run, prompt: { _tag: "User", content: [{ _tag: "Text", text }] } })

export const runEnded = (reason: OutcomeReason = "completed", text = "Three.", run = 1): Of<"RunEnded"> =>
  Event.cases.RunEnded.make({
    run,
    outcome: { reason, text, steps: 1, cells: 1, usage: noUsage, durationMs: 5 }
  })

export const runContinued = (run = 1): Of<"RunContinued"> => Event.cases.RunContinued.make({ run })

export const warned = (used: number): Of<"LimitWarned"> =>
  Event.cases.LimitWarned.make({ unit: "steps", used, limit: 100 })

export const answered = (usage: Partial<Usage>, usd?: number): Of<"ModelAnswered"> =>
  Event.cases.ModelAnswered.make({
    run: 1,
    step: 1,
    message: { _tag: "Assistant", content: [{ _tag: "Text", text: "Let me see." }] },
    finish: "stop",
    usage: { ...noUsage, ...usage },
    ...(usd !== undefined && { usd })
  })

const noChange = { added: [], changed: [], removed: [], lost: [] }

export const cellEnded = (cell: number, failed: boolean): Of<"CellEnded"> =>
  Event.cases.CellEnded.make({
    cell,
    entropy: [],
    report: {
      ...(failed && { problem: { stage: "run", name: "TypeError", message: "no", frames: [] } }),
      preview: "1",
      stdout: "",
      stderr: "",
      stored: [],
      namespace: noChange,
      durationMs: 1
    }
  })

const call = { cell: 1, ordinal: 0 }

export const asked = (key: string, path = "pay"): Of<"ApprovalAsked"> =>
  Event.cases.ApprovalAsked.make({
    ...call,
    path,
    args: [{ _tag: "Json", value: ["Which one?", { options: ["a", "b"] }] }],
    key,
    why: "it costs money",
    after: 0,
    entropy: []
  })

export const decided = (key: string): Of<"ApprovalDecided"> =>
  Event.cases.ApprovalDecided.make({ key, decision: { _tag: "Allow", scope: "once" }, by: "ann" })

export const callStarted = (key: string, more: Partial<Of<"CallStarted">> = {}): Of<"CallStarted"> =>
  Event.cases.CallStarted.make({
    ...call,
    path: "pay",
    operation: "call",
    args: [],
    effect: "external",
    key,
    entropy: [],
    after: 0,
    callbacks: [],
    ...more
  })

export const callEnded = (status: Of<"CallEnded">["status"], more: Partial<Of<"CallEnded">> = {}): Of<"CallEnded"> =>
  Event.cases.CallEnded.make({ ...call, status, inPlace: false, ...more })

export const settled = (key: string): Of<"EffectSettled"> =>
  Event.cases.EffectSettled.make({ key, happened: true, by: "ann" })

export const recovered = (unknown: ReadonlyArray<string>): Of<"Recovered"> =>
  Event.cases.Recovered.make({ restored: noChange, reexecuted: [], unknown })
