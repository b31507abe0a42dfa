import { Approvals, type Approvals as ApprovalsShape, Binding, type Event, type Live } from "@daylight/core"
import { z } from "zod"
import { type Options, scripted } from "../support.ts"

/** A function with an effect, and what it was called with. */
export const payer = (options: object = {}) => {
  const calls: Array<number> = []
  const pay = Binding.func((amount: number) => {
    calls.push(amount)
    return { paid: amount }
  }, { name: "pay", input: z.tuple([z.number().positive()]), approval: true, ...options })
  return { calls, pay }
}

/** An agent whose approvals wait in a queue, and whose events are kept. */
export const queued = (options: Omit<Options, "approvals"> & { readonly approvals?: ApprovalsShape }) => {
  const queue = Approvals.queue()
  const { agent, requests } = scripted({ approvals: queue, ...options })
  const events: Array<Event> = []
  /** Runs and records. */
  const run = async (prompt = "go", runOptions: object = {}) => {
    const stream = agent.stream(prompt, runOptions)
    for await (const live of stream) keep(live)
    return stream.outcome
  }
  const keep = (live: Live) => {
    if (live._tag === "Recorded" && live.recorded.event._tag !== "Unknown") events.push(live.recorded.event as Event)
  }
  return { agent, events, queue, requests, run }
}

export const allow = { _tag: "Allow", scope: "once" } as const
export const deny = (why: string) => ({ _tag: "Deny", why }) as const
