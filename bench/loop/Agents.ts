/** The agents that the loop is measured with: Daylight's own, and the same work for the AI SDK. */
import { Binding } from "@daylight/core"
import { type AgentHandle, createAgent } from "@daylight/core/promise"
import { type Reply, ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { isStepCount, tool, ToolLoopAgent } from "ai"
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test"
import { z } from "zod"

/** The one function that every contestant calls: cheap, and different for each argument. */
export const lookup = (id: number): { readonly id: number; readonly amount: number } => ({
  id,
  amount: (id * 37) % 101
})

/** An agent whose model acts in `steps` steps, as `act` says, and then answers. `mark` is called with each step. */
export const daylight = (
  action: "functions" | "tool",
  steps: number,
  act: (step: number) => Reply,
  mark: () => void
): AgentHandle =>
  createAgent({
    name: "worker",
    model: ScriptedModel.layer((_, step) => {
      mark()
      return step < steps ? act(step) : "done"
    }),
    runtime: VmRuntime.layer,
    action,
    limits: { steps: steps + 1 },
    bindings: [Binding.func(lookup, { description: "Looks a row up.", input: z.tuple([z.number()]) })]
  })

/** A step that calls the function with JSON arguments. */
export const functionCall = (step: number): Reply => ({ calls: [{ name: "lookup", input: { id: step } }] })

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 }
}
const calls = { unified: "tool-calls", raw: "tool_calls" } as const
const stops = { unified: "stop", raw: "stop" } as const

type Streamed = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part
  : never

const streamStart: Streamed = { type: "stream-start", warnings: [] }

const toolCall = (id: number) =>
  ({ type: "tool-call", toolCallId: `call-${id}`, toolName: "lookup", input: JSON.stringify({ id }) }) as const

const lastWords = () =>
  convertArrayToReadableStream<Streamed>([
    streamStart,
    { type: "text-start", id: "1" },
    { type: "text-delta", id: "1", delta: "done" },
    { type: "text-end", id: "1" },
    { type: "finish", finishReason: stops, usage }
  ])

/** The AI SDK's tool loop over its own mock model; `count` tells how often the function ran. */
export const aiSdk = (steps: number, mark: () => void) => {
  const count = { calls: 0 }
  let step = 0
  const model = new MockLanguageModelV4({
    doGenerate: async () => {
      mark()
      return step < steps
        ? { content: [toolCall(step++)], finishReason: calls, usage, warnings: [] }
        : { content: [{ type: "text", text: "done" }], finishReason: stops, usage, warnings: [] }
    },
    doStream: async () => {
      mark()
      if (step >= steps) return { stream: lastWords() }
      return {
        stream: convertArrayToReadableStream([streamStart, toolCall(step++), {
          type: "finish",
          finishReason: calls,
          usage
        }])
      }
    }
  })
  const agent = new ToolLoopAgent({
    model,
    tools: {
      lookup: tool({
        description: "Looks a row up.",
        inputSchema: z.object({ id: z.number() }),
        execute: async ({ id }) => {
          count.calls++
          return lookup(id)
        }
      })
    },
    stopWhen: isStepCount(steps + 1)
  })
  return { agent, count }
}
