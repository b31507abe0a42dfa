/** Spans of live runs: at the tracer, and at a collector on loopback. */
import { createAgent } from "@daylight/core/promise"
import { Recorder, Telemetry } from "@daylight/evals"
import { type OtelSpan, toOtel } from "@daylight/evals/trajectory"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import { ordersAgent } from "./support/Orders.ts"

const prompt = "Which region grew fastest?"

/** Each span with the names of those above it. */
const tree = (
  spans: ReadonlyArray<{ readonly name: string; readonly spanId: string; readonly parentSpanId?: string | undefined }>
) => {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const path = (span: (typeof spans)[number]): string => {
    const parent = span.parentSpanId === undefined ? undefined : byId.get(span.parentSpanId)
    return parent === undefined ? span.name : `${path(parent)} > ${span.name}`
  }
  return spans.map(path).toSorted()
}

const expected = [
  "invoke_agent analyst",
  ...Array.from({ length: 5 }, () => "invoke_agent analyst > chat scripted-1"),
  ...Array.from({ length: 4 }, () => "invoke_agent analyst > execute_tool run"),
  "invoke_agent analyst > execute_tool run > execute_tool checker.ask",
  "invoke_agent analyst > execute_tool run > execute_tool checker.ask > invoke_agent checker",
  ...Array.from(
    { length: 2 },
    () => "invoke_agent analyst > execute_tool run > execute_tool checker.ask > invoke_agent checker > chat scripted-1"
  ),
  "invoke_agent analyst > execute_tool run > execute_tool checker.ask > invoke_agent checker > execute_tool run",
  "invoke_agent analyst > execute_tool run > execute_tool exchange"
].toSorted()

const run = async (services: Layer.Layer<never>) => {
  await using agent = createAgent({ ...ordersAgent(), services })
  await agent.run(prompt)
}

const atTracer = async (content: boolean) => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  await run(Layer.provideMerge(Telemetry.layer({ content }), Layer.succeed(Tracer.Tracer, tracer)))
  return spans
}

describe("live spans", () => {
  it("go to the surrounding tracer, each closed, sub-agents inside of their calls", async () => {
    const spans = await atTracer(false)
    expect(
      tree(
        spans.map((span) => ({
          ...span,
          name: span.name,
          spanId: span.spanId,
          parentSpanId: Option.getOrUndefined(span.parent)?.spanId
        }))
      )
    ).toEqual(expected)
    expect(spans.every(({ status }) => status._tag === "Ended")).toBe(true)
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1)
    const failed = spans.filter((span) => span.attributes.has("error.type"))
    expect(failed.map((span) => span.attributes.get("error.type"))).toEqual(["ReferenceError"])
    const chat = spans.find(({ kind }) => kind === "client")!
    expect(chat.attributes.get("gen_ai.usage.input_tokens")).toBe(10)
    expect(chat.attributes.get("gen_ai.response.finish_reasons")).toEqual(["tool_call"])
  })

  it("hold no content unless it is asked for", async () => {
    const text = (spans: ReadonlyArray<Tracer.NativeSpan>) =>
      JSON.stringify(spans.map(({ attributes }) => [...attributes]))
    const without = text(await atTracer(false))
    for (const secret of [prompt, "nowhere.at.all", "EUR", "North grew"]) expect(without).not.toContain(secret)
    const with_ = text(await atTracer(true))
    for (const told of [prompt, "nowhere.at.all", "EUR", "North grew"]) expect(with_).toContain(told)
  })

  it("tell messages in the shape of the conventions, each once, as the spans of the trajectory do", async () => {
    const recorder = Recorder.make()
    await run(recorder.services)
    const told = (attributes: ReadonlyMap<string, unknown>) =>
      ["input", "output"].map((side) => JSON.parse(String(attributes.get(`gen_ai.${side}.messages`) ?? "[]")))
    const chats = (await atTracer(true)).filter(({ name }) => name.startsWith("chat")).map((span) =>
      told(span.attributes)
    )
    expect(chats[0]![0]).toMatchObject([{ role: "user", parts: [{ type: "text", content: prompt }, { type: "text" }] }])
    expect(chats[0]![1]).toEqual([{
      role: "assistant",
      parts: [
        { type: "reasoning", content: "I look first." },
        { type: "text", content: "Let me see." },
        { type: "tool_call", id: expect.any(String), name: "run", arguments: { code: expect.any(String) } }
      ],
      finish_reason: "tool_call"
    }])
    const id = chats[0]![1][0].parts[2].id
    expect(chats[1]![0]).toEqual([{
      role: "tool",
      parts: [{ type: "tool_call_response", id, response: expect.stringContaining("north: 70") }]
    }])
    const stored = toOtel(recorder.recording().trajectory, { content: true }).resourceSpans[0]!.scopeSpans[0]!.spans
      .filter(({ name }) => name.startsWith("chat"))
      .map(({ attributes }) =>
        told(new Map(attributes.map(({ key, value }) => [key, "stringValue" in value ? value.stringValue : ""])))
      )
    const outputs = (of: typeof chats) => of.map(([, output]) => output)
    expect(outputs(stored)).toHaveLength(chats.length)
    expect(outputs(stored)).toEqual(expect.arrayContaining(outputs(chats)))
  })

  it("reach a collector as OTLP", async () => {
    const bodies: Array<any> = []
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => body += chunk).on("end", () => {
        bodies.push({ path: request.url, key: request.headers["x-key"], ...JSON.parse(body) })
        response.end("{}")
      })
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/traces`
    await run(Telemetry.otlp({ url, headers: { "x-key": "k" }, serviceName: "orders" }))
    server.close()
    const spans = bodies.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap((of: any) => of.scopeSpans.flatMap((scope: any) => scope.spans))
    )
    expect(tree(spans)).toEqual(expected)
    expect(bodies[0]).toMatchObject({ path: "/v1/traces", key: "k" })
    expect(JSON.stringify(bodies[0].resourceSpans[0].resource)).toContain("orders")
  })
})

describe("spans of a trajectory", () => {
  it("are those of the live run, with ids that are always the same", async () => {
    const recorder = Recorder.make()
    await run(recorder.services)
    const { trajectory } = recorder.recording()
    const spansOf = (): ReadonlyArray<OtelSpan> => toOtel(trajectory).resourceSpans[0]!.scopeSpans[0]!.spans
    expect(tree(spansOf())).toEqual(expected)
    expect(spansOf()).toEqual(spansOf())
    for (const { endTimeUnixNano, spanId, startTimeUnixNano, traceId } of spansOf()) {
      expect(spanId).toMatch(/^[0-9a-f]{16}$/)
      expect(traceId).toMatch(/^[0-9a-f]{32}$/)
      expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true)
    }
    expect(JSON.stringify(toOtel(trajectory))).not.toContain(prompt)
    expect(JSON.stringify(toOtel(trajectory, { content: true }))).toContain(prompt)
  })
})
