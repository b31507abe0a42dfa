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

/** An agent whose model acts in `steps` steps, as `act` says, and then answers. */
export const daylight = (action: "functions" | "tool", steps: number, act: (step: number) => Reply): AgentHandle =>
  createAgent({
    name: "worker",
    model: ScriptedModel.layer((_, step) => step < steps ? act(step) : "done"),
    runtime: VmRuntime.layer,
    action,
    limits: { steps: steps + 1 },
    bindings: [Binding.func(lookup, { description: "Looks a row up.", input: z.tuple([z.number()]) })]
  })

/** A step that calls the function with JSON arguments. */
export const functionCall = (step: number): Reply => ({ calls: [{ name: "lookup", input: { id: step } }] })

/** The AI SDK's tool loop over its own mock model; `calls` counts how often the function ran. */
export const aiSdk = (steps: number) => {
  const count = { calls: 0 }
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 5, text: 5, reasoning: 0 }
  }
  let step = 0
  const toolCall = (id: number) =>
    ({ type: "tool-call", toolCallId: `call-${id}`, toolName: "lookup", input: JSON.stringify({ id }) }) as const
  const acted = { unified: "tool-calls", raw: "tool_calls" } as const
  const stopped = { unified: "stop", raw: "stop" } as const
  const model = new MockLanguageModelV4({
    doGenerate: async () =>
      step < steps
        ? { content: [toolCall(step++)], finishReason: acted, usage, warnings: [] }
        : { content: [{ type: "text", text: "done" }], finishReason: stopped, usage, warnings: [] },
    doStream: async () => ({
      stream: step < steps
        ? convertArrayToReadableStream([
          { type: "stream-start", warnings: [] },
          toolCall(step++),
          { type: "finish", finishReason: acted, usage }
        ])
        : convertArrayToReadableStream([
          { type: "stream-start", warnings: [] },
          { type: "text-start", id: "1" },
          { type: "text-delta", id: "1", delta: "done" },
          { type: "text-end", id: "1" },
          { type: "finish", finishReason: stopped, usage }
        ])
    })
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
