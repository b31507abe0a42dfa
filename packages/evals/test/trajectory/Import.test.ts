/** Other tools' conversations as trajectories: what is kept, how, and what is said to be dropped. */
import { type Imported, importTrajectories, RecordingError, validateTrajectory } from "@daylight/evals/trajectory"
import { deflateRawSync, zstdCompressSync } from "node:zlib"
import { describe, expect, it } from "vitest"

const read = (json: unknown): Imported => {
  const [first, ...others] = importTrajectories(JSON.stringify(json), "a.json")
  expect(others).toEqual([])
  expect(validateTrajectory(first!.trajectory)).toEqual([])
  return first!
}

/** Source, text, calls and results of each step, in short. */
const told = ({ trajectory }: Imported) =>
  trajectory.steps.map((step) => [
    step.source,
    step.message,
    ...(step.reasoning_content === undefined ? [] : [`(${step.reasoning_content})`]),
    ...(step.tool_calls ?? []).map((call) =>
      `${call.function_name}${JSON.stringify(call.arguments)} ${(call.extra?.["daylight"] as any)?.status}`
    ),
    ...(step.observation?.results ?? []).map((result) => `= ${String(result.content)}`)
  ])

const expected = [
  ["system", "Be brief."],
  ["user", "Weather in Rome and Oslo?"],
  ["agent", "I look.", 'weather{"city":"Rome"} ok', 'weather{"city":"Oslo"} ok', "= 21", "= 4"],
  ["agent", "21 and 4."]
]

describe("the same conversation", () => {
  it("of OpenAI chat", () => {
    const found = read({
      model: "gpt-6",
      seed: 1,
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "Weather in Rome and Oslo?" }] },
        {
          role: "assistant",
          content: "I look.",
          tool_calls: ["Rome", "Oslo"].map((city, n) => ({
            id: `c${n}`,
            type: "function",
            function: { name: "weather", arguments: JSON.stringify({ city }) }
          }))
        },
        { role: "tool", tool_call_id: "c0", content: "21" },
        { role: "tool", tool_call_id: "c1", content: "4" }
      ],
      choices: [{ message: { role: "assistant", content: "21 and 4." }, finish_reason: "stop" }],
      usage: { prompt_tokens: 50, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 20 } }
    })
    expect(found.format).toBe("openai-chat")
    expect(told(found)).toEqual(expected)
    expect(found.trajectory.steps[3]?.metrics).toEqual({ prompt_tokens: 50, completion_tokens: 5, cached_tokens: 20 })
    expect(found.lost).toEqual(["seed"])
  })

  it("of OpenAI Responses", () => {
    const found = read({
      instructions: "Be brief.",
      input: [
        { role: "user", content: "Weather in Rome and Oslo?" },
        { type: "reasoning", summary: [], encrypted_content: "gAAAA" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "I look." }] },
        ...["Rome", "Oslo"].map((city, n) => ({
          type: "function_call",
          call_id: `c${n}`,
          name: "weather",
          arguments: JSON.stringify({ city })
        })),
        { type: "function_call_output", call_id: "c0", output: "21" },
        { type: "function_call_output", call_id: "c1", output: "4" }
      ],
      model: "gpt-6",
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "21 and 4." }] }],
      usage: { input_tokens: 50, output_tokens: 5, input_tokens_details: { cached_tokens: 20 } }
    })
    expect(found.format).toBe("openai-responses")
    expect(told(found)).toEqual(expected)
    expect(found.lost).toEqual(["encrypted reasoning"])
  })

  it("of Anthropic, whose counts leave cached tokens out", () => {
    const found = read({
      system: "Be brief.",
      messages: [
        { role: "user", content: "Weather in Rome and Oslo?" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "I look." },
            ...["Rome", "Oslo"].map((city, n) => ({ type: "tool_use", id: `c${n}`, name: "weather", input: { city } }))
          ]
        },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "c0", content: [{ type: "text", text: "21" }] }, {
            type: "tool_result",
            tool_use_id: "c1",
            content: "4"
          }]
        }
      ],
      response: {
        model: "claude",
        content: [{ type: "text", text: "21 and 4." }],
        stop_reason: "end_turn",
        usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 30, cache_creation_input_tokens: 7 }
      }
    })
    expect(found.format).toBe("anthropic-messages")
    expect(told(found)).toEqual(expected)
    expect(found.trajectory.steps[3]?.metrics).toEqual({ prompt_tokens: 47, completion_tokens: 5, cached_tokens: 30 })
  })

  it("of the AI SDK, as steps", () => {
    const found = read({
      system: "Be brief.",
      prompt: "Weather in Rome and Oslo?",
      steps: [
        {
          content: [
            { type: "text", text: "I look." },
            ...["Rome", "Oslo"].map((city, n) => ({
              type: "tool-call",
              toolCallId: `c${n}`,
              toolName: "weather",
              input: { city }
            })),
            { type: "tool-result", toolCallId: "c0", output: 21 },
            { type: "tool-result", toolCallId: "c1", output: { type: "text", value: "4" } }
          ],
          finishReason: "tool-calls",
          usage: { inputTokens: 40, outputTokens: 9 }
        },
        { content: [{ type: "text", text: "21 and 4." }], finishReason: "stop" }
      ]
    })
    expect(found.format).toBe("ai-sdk")
    expect(told(found)).toEqual(expected)
  })

  it("of the AI SDK, as messages of its interface", () => {
    const found = read([
      { role: "system", parts: [{ type: "text", text: "Be brief." }] },
      { role: "user", parts: [{ type: "text", text: "Weather in Rome and Oslo?" }] },
      {
        role: "assistant",
        parts: [
          { type: "step-start" },
          { type: "text", text: "I look." },
          ...["Rome", "Oslo"].map((city, n) => ({
            type: "tool-weather",
            toolCallId: `c${n}`,
            state: "output-available",
            input: { city },
            output: n === 0 ? 21 : 4
          })),
          { type: "step-start" },
          { type: "text", text: "21 and 4." }
        ]
      }
    ])
    expect(told(found)).toEqual(expected)
  })
})

describe("runs of agents", () => {
  it("of SWE-agent", () => {
    const found = read({
      environment: "main",
      trajectory: [{
        thought: "Look.",
        action: "ls",
        observation: "a.py",
        state: { open_file: "n/a" },
        execution_time: 0.2
      }, { thought: "Done.", action: "submit", observation: "diff" }],
      history: [{ role: "system", content: "You program." }, { role: "user", content: "Fix it." }, {
        role: "assistant",
        content: "Look."
      }],
      info: { exit_status: "submitted", submission: "diff", model_stats: { tokens_sent: 7, tokens_received: 3 } }
    })
    expect(told(found)).toEqual([
      ["system", "You program."],
      ["user", "Fix it."],
      ["agent", "Look.", 'shell{"command":"ls"} ok', "= a.py"],
      ["agent", "Done.", 'shell{"command":"submit"} ok', "= diff"]
    ])
    expect(found.lost).toEqual([
      "step.state",
      "step.execution_time",
      "environment",
      "tokens and costs, which are known for the whole only"
    ])
  })

  it("of OpenHands, both versions", () => {
    const old = read([
      { id: 0, source: "user", action: "message", args: { content: "Build it." } },
      { id: 1, source: "environment", observation: "agent_state_changed", content: "" },
      {
        id: 2,
        source: "agent",
        action: "run",
        args: { command: "make", thought: "I build." },
        tool_call_metadata: {
          function_name: "execute_bash",
          tool_call_id: "t1",
          model_response: { model: "m", usage: { prompt_tokens: 3, completion_tokens: 1 } }
        }
      },
      {
        id: 3,
        source: "agent",
        observation: "run",
        cause: 2,
        content: "failed",
        extras: { metadata: { exit_code: 2 } }
      }
    ])
    expect(told(old)).toEqual([["user", "Build it."], [
      "agent",
      "I build.",
      'execute_bash{"command":"make"} error',
      "= failed"
    ]])
    const events = [
      { kind: "SystemPromptEvent", source: "agent", system_prompt: { text: "You build." } },
      {
        kind: "MessageEvent",
        source: "user",
        llm_message: { role: "user", content: [{ type: "text", text: "Build it." }] }
      },
      {
        kind: "ActionEvent",
        source: "agent",
        thought: [{ type: "text", text: "I build." }],
        tool_name: "bash",
        tool_call_id: "t1",
        tool_call: { arguments: '{"command":"make"}' }
      },
      {
        kind: "ObservationEvent",
        source: "environment",
        tool_call_id: "t1",
        observation: { content: [{ type: "text", text: "ok" }] }
      }
    ]
    const [lines] = importTrajectories(events.map((event) => JSON.stringify(event)).join("\n"), "events.jsonl")
    expect(told(lines!)).toEqual([["system", "You build."], ["user", "Build it."], [
      "agent",
      "I build.",
      'bash{"command":"make"} ok',
      "= ok"
    ]])
  })

  const sample = {
    id: 1,
    epoch: 2,
    input: "?",
    target: "yes",
    messages: [
      { role: "user", content: "attachment://abc" },
      {
        role: "assistant",
        content: [{ type: "reasoning", reasoning: "Hm." }, { type: "text", text: "I check." }],
        tool_calls: [{ id: "1", function: "bash", arguments: { cmd: "ls" } }]
      },
      {
        role: "tool",
        tool_call_id: "1",
        function: "bash",
        content: "",
        error: { type: "timeout", message: "too slow" }
      },
      { role: "tool", tool_call_id: "9", function: "python", content: "orphan" }
    ],
    attachments: { abc: "A long question" },
    scores: { match: { value: "C" } }
  }

  it("of Inspect, as JSON and zipped", () => {
    const log = { version: 2, status: "success", eval: { task: "t", run_id: "r" }, samples: [sample] }
    const [found] = importTrajectories(JSON.stringify(log), "log.json")
    expect(told(found!)).toEqual([
      ["user", "A long question"],
      ["agent", "I check.", "(Hm.)", 'bash{"cmd":"ls"} error', "= too slow"],
      ["agent", "", "python{} ok", "= orphan"]
    ])
    expect(found!.trajectory.steps[2]?.llm_call_count).toBe(0)
    for (const method of [0, 8, 93] as const) {
      const zipped = zip({
        "header.json": JSON.stringify({ eval: log.eval }),
        "samples/1_epoch_2.json": JSON.stringify(sample)
      }, method)
      expect(told(importTrajectories(zipped, "log.eval")[0]!)).toEqual(told(found!))
      expect(() => importTrajectories(zipped.subarray(0, zipped.length - 30), "log.eval")).toThrow(
        /log\.eval: is a damaged zip file/
      )
    }
  })

  it("of tau-bench", () => {
    const [first] = importTrajectories(
      JSON.stringify([{
        task_id: 3,
        trial: 1,
        reward: 1,
        info: {},
        traj: [{ role: "user", content: "Cancel." }, {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "1", function: { name: "cancel", arguments: "{}" } }]
        }, { role: "tool", tool_call_id: "1", content: "done" }]
      }]),
      "results.json"
    )
    expect(told(first!)).toEqual([["user", "Cancel."], ["agent", "", "cancel{} ok", "= done"]])
    expect(first!.trajectory.trajectory_id).toBe("task-3/trial-1")
    const lines = ["user: Hi", "and hello.", "assistant: None", "tool: Error: no user", "assistant: Sorry."].join("\n")
    const display = read({ messages_display: lines })
    expect(told(display)).toEqual([["user", "Hi\nand hello."], ["agent", "", "unknown{} error", "= Error: no user"], [
      "agent",
      "Sorry."
    ]])
    expect(display.lost).toEqual(["names and arguments of calls, which the text does not hold"])
  })

  it("of CodeActInstruct, and of MINT as text", () => {
    const conversation = {
      id: "x",
      conversations: [
        { role: "system", content: "You code." },
        { role: "user", content: "Sum?" },
        { role: "assistant", content: "<thought>Add.</thought>\n<execute>\nprint(1+1)\n</execute>" },
        { role: "user", content: "Observation:\n2" },
        { role: "assistant", content: "It is 2." }
      ]
    }
    expect(told(read(conversation))).toEqual([
      ["system", "You code."],
      ["user", "Sum?"],
      ["agent", "", "(Add.)", 'execute{"code":"print(1+1)"} ok', "= 2"],
      ["agent", "It is 2."]
    ])
    const text =
      "Task:\nSum?\n\nAssistant:\n<thought> Add. </thought>\n<execute>\nprint(1+x)\n</execute>\n\nObservation:\nNameError: x\n\nAssistant:\nNo."
    expect(told(importTrajectories(text, "mint.txt")[0]!)).toEqual([
      ["user", "Sum?"],
      ["agent", "", "(Add.)", 'execute{"code":"print(1+x)"} error', "= NameError: x"],
      ["agent", "No."]
    ])
  })
})

describe("what is odd", () => {
  const chat = (...calls: ReadonlyArray<object>) => ({
    messages: [{ role: "user", content: "?" }, { role: "assistant", content: null, tool_calls: calls }]
  })

  it("keeps arguments that nobody can read as they were written, and takes none for an empty object", () => {
    const found = read(
      chat({ id: "1", function: { name: "f", arguments: '{"a":' } }, {
        id: "2",
        function: { name: "f", arguments: "" }
      }, { id: "3", function: { name: "f", arguments: "[1]" } })
    )
    expect(found.trajectory.steps[1]?.tool_calls?.map((call) => [call.arguments, call.extra?.["daylight"]])).toEqual([
      [{}, { rawArguments: '{"a":', status: "unparsed" }],
      [{}, { status: "pending" }],
      [{}, { rawArguments: "[1]", status: "unparsed" }]
    ])
  })

  it("tells calls apart that have one id", () => {
    const found = read(
      chat({ id: "1", function: { name: "f", arguments: "{}" } }, { id: "1", function: { name: "g", arguments: "{}" } })
    )
    expect(found.trajectory.steps[1]?.tool_calls?.map((call) => call.tool_call_id)).toEqual(["1", "1#2"])
  })

  it("names a result whose call is missing", () => {
    const { lost } = read({
      messages: [{ role: "user", content: "?" }, { role: "tool", tool_call_id: "9", content: "x" }]
    })
    expect(lost).toEqual(["a result whose call is not in the conversation"])
  })

  it("keeps images, and names what has no place", () => {
    const found = read({
      messages: [{
        role: "user",
        content: [
          { type: "text", text: "See" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AA" } },
          { type: "input_audio", input_audio: {} }
        ]
      }, { role: "tool", content: "" }]
    })
    expect(found.trajectory.steps[0]?.message).toEqual([{ type: "text", text: "See" }, {
      type: "image",
      source: { media_type: "image/png", path: "data:image/png;base64,AA" }
    }])
    expect(found.lost).toContain("content of type input_audio")
  })

  it.each([["prose", "Dear diary"], ["JSON of another kind", '{"a":1}'], ["nothing", ""]])(
    "refuses %s with the formats it knows",
    (_, text) => {
      expect(() => importTrajectories(text, "b.txt")).toThrow(RecordingError)
      expect(() => importTrajectories(text, "b.txt")).toThrow(/^b\.txt/)
    }
  )

  it("names the line of a damaged file of lines", () => {
    expect(() => importTrajectories('{"messages":[]}\n{"mess', "b.jsonl")).toThrow(/^b\.jsonl:2: is no JSON/)
  })
})

/** A zip file with these entries. */
const zip = (files: Record<string, string>, method: 0 | 8 | 93): Buffer => {
  const locals: Array<Buffer> = []
  const central: Array<Buffer> = []
  let offset = 0
  for (const [name, text] of Object.entries(files)) {
    const data = method === 0 ? Buffer.from(text) : method === 8 ? deflateRawSync(text) : zstdCompressSync(text)
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.writeUInt32LE(0x02014b50, 0)
    entry.writeUInt16LE(method, 10)
    entry.writeUInt32LE(data.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, Buffer.from(name), data)
    central.push(entry, Buffer.from(name))
    offset += 30 + name.length + data.length
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

describe("a file of several", () => {
  const talk = JSON.stringify({ messages: [{ role: "user", content: "Hi" }, { role: "assistant", content: "Ho" }] })

  it("names what of it is no trajectory", () => {
    const found = importTrajectories([talk, '{"colour":"red"}', talk].join("\n"), "several.jsonl")
    expect(found.map(({ lost }) => lost)).toEqual([["1 of 3 entries, which hold no steps"], []])
    const list = importTrajectories(`[${talk},{"colour":"red"}]`, "several.json")
    expect(list.map(({ lost }) => lost)).toEqual([["1 of 2 entries, which hold no steps"]])
  })

  it.each(["cassette", "session"])("of Daylight is told: a %s", (kind) => {
    const lines = [{ daylight: kind, version: 1 }, { type: "message", value: { role: "user", content: "Hi" } }]
    expect(() => importTrajectories(lines.map((line) => JSON.stringify(line)).join("\n"), "a.jsonl")).toThrow(
      new RegExp(`a.jsonl: is no trajectory, but a ${kind} of Daylight`)
    )
  })
})
