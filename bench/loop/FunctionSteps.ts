/**
 * Rows 1 and 2: a step in which the model calls one function with JSON arguments, against the AI SDK's tool loop.
 * Both begin with a new agent in each round; in row 2 every event is taken.
 */
import type { Line } from "../support/Figure.ts"
import { apart } from "../support/Isolated.ts"
import { several } from "../support/Rounds.ts"
import { ratioOf, summaryOf } from "../support/Samples.ts"
import { aiSdk, daylight, functionCall } from "./Agents.ts"

const steps = 100

const run = async (mark: () => void) => {
  await using agent = daylight("functions", steps, functionCall, mark)
  const outcome = await agent.run("go")
  if (outcome.text !== "done" || outcome.steps !== steps + 1) {
    throw new Error(`wrong outcome: ${JSON.stringify(outcome)}`)
  }
}

const stream = async (mark: () => void) => {
  await using agent = daylight("functions", steps, functionCall, mark)
  let calls = 0
  for await (const event of agent.stream("go")) {
    if (event._tag === "Recorded" && event.recorded.event._tag === "CallEnded") calls++
  }
  if (calls !== steps) throw new Error(`saw ${calls} calls of ${steps}`)
}

const generateByAiSdk = async (mark: () => void) => {
  const { agent, count } = aiSdk(steps, mark)
  const { text } = await agent.generate({ prompt: "go" })
  if (text !== "done" || count.calls !== steps) throw new Error(`AI SDK: ${text} after ${count.calls} calls`)
}

const streamByAiSdk = async (mark: () => void) => {
  const { agent, count } = aiSdk(steps, mark)
  const { fullStream } = await agent.stream({ prompt: "go" })
  let results = 0
  for await (const part of fullStream) if (part.type === "tool-result") results++
  if (results !== steps || count.calls !== steps) throw new Error(`AI SDK: ${results} results of ${count.calls} calls`)
}

export const contestants = {
  run: several(5, { units: steps, run }),
  ai: several(5, { units: steps, run: generateByAiSdk }),
  stream: several(5, { units: steps, run: stream }),
  aiStream: several(5, { units: steps, run: streamByAiSdk })
}

export const measure = async (): Promise<ReadonlyArray<Line>> => {
  const samples = await apart(import.meta.url, { contestants }, { rounds: 15, warmUp: 4 })
  return [
    { what: "function step", unit: "us", ...summaryOf(samples.run) },
    { what: "  AI SDK tool loop", unit: "us", ...summaryOf(samples.ai) },
    { row: 1, what: "  ratio", unit: "x", bar: 0.5, ...ratioOf(samples.run, samples.ai) },
    { what: "function step, every event taken", unit: "us", ...summaryOf(samples.stream) },
    { what: "  AI SDK stream", unit: "us", ...summaryOf(samples.aiStream) },
    { row: 2, what: "  ratio", unit: "x", bar: 0.2, ...ratioOf(samples.stream, samples.aiStream) }
  ]
}
