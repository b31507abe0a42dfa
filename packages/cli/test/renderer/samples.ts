/** One event of every kind, with what the engine would put into it. */
import { Event, type Live, type OutcomeReason } from "@daylight/core"
import { json, report, Teller, usage, user } from "./story.ts"

type Tag = Event["_tag"]
type Samples = { readonly [T in Tag]: ReadonlyArray<Extract<Event, { readonly _tag: T }>> }

const call = { cell: 1, ordinal: 0 }
const step = { run: 1, step: 1 }
const failing = "const total = orders.map((order) => order.price)\nconst sum = totl.reduce((a, b) => a + b, 0)\nsum"

const samples: Samples = {
  SessionOpened: [{
    _tag: "SessionOpened",
    agent: "analyst",
    definition: "d",
    workItem: "w",
    labels: {},
    forkedFrom: { session: "s0" as never, seq: 12 }
  }],
  RunStarted: [
    { _tag: "RunStarted", run: 1, prompt: user("Which region grew fastest?\nAnswer in one word.") },
    {
      _tag: "RunStarted",
      run: 1,
      prompt: {
        _tag: "User",
        content: [{ _tag: "Text", text: "What is this?" }, {
          _tag: "Media",
          blob: { hash: "sha256:0", bytes: 9, mediaType: "image/png" }
        }]
      }
    }
  ],
  ModelCalled: [{
    _tag: "ModelCalled",
    ...step,
    attempt: 1,
    purpose: "answer",
    provider: "scripted",
    model: "script",
    digest: "d"
  }],
  ModelAnswered: [{
    _tag: "ModelAnswered",
    ...step,
    finish: "stop",
    usage,
    message: {
      _tag: "Assistant",
      content: [{ _tag: "Reasoning", text: "Let me think." }, { _tag: "Text", text: "It is **north**." }]
    }
  }],
  ModelFailed: [
    {
      _tag: "ModelFailed",
      ...step,
      reason: { _tag: "RateLimited", status: 429, detail: "too many requests", retryAfterMs: 2000 },
      usage,
      retryInMs: 2000
    },
    { _tag: "ModelFailed", ...step, reason: { _tag: "Billing", detail: "no credit left" }, usage }
  ],
  Nudged: (["repair", "near-miss", "empty", "stuck", "wrap-up", "invalid-answer"] as const).map((why) => ({
    _tag: "Nudged",
    ...step,
    why,
    message: user("Use the run tool.")
  })),
  CellStarted: [{ _tag: "CellStarted", ...step, cell: 1, action: "a1", code: failing, seed: "s" }],
  CellEnded: [
    { _tag: "CellEnded", cell: 1, report: report(), entropy: [] },
    {
      _tag: "CellEnded",
      cell: 2,
      report: report({ preview: "42", stdout: "one\ntwo\n", stderr: "careful\n", stored: ["_output_1"] }),
      entropy: []
    },
    ...(["syntax", "security", "types", "run", "timeout", "limit", "crash", "interrupted"] as const).map((
      stage,
      index
    ) => ({
      _tag: "CellEnded" as const,
      cell: 3 + index,
      entropy: [],
      report: report({
        problem: {
          stage,
          name: "ReferenceError",
          message: "totl is not defined",
          line: 2,
          column: 13,
          frames: ["at cell 1:2:13"],
          hint: "Did you mean total?"
        }
      })
    })),
    {
      _tag: "CellEnded",
      cell: 20,
      entropy: [],
      report: report({
        namespace: {
          added: Array.from(
            { length: 10 },
            (_, index) => ({ name: `v${index}`, type: "number", sample: String(index) })
          ),
          changed: [{
            name: "rows",
            type: "Row[]",
            shape: "3 items",
            bytes: 2_000_000,
            sample: "{ id: 1 }\n{ id: 2 }"
          }],
          removed: ["a", "b"],
          lost: [{ name: "db", path: "db", reason: "a live object that cannot be copied" }, {
            name: "x",
            path: "x.y",
            reason: "a function"
          }]
        }
      })
    }
  ],
  ActionsAnswered: [{
    _tag: "ActionsAnswered",
    ...step,
    message: {
      _tag: "Result",
      content: [
        { _tag: "Feedback", id: "a8", ok: true, content: [{ _tag: "Text", text: "fine" }] },
        { _tag: "Feedback", id: "a9", ok: false, content: [{ _tag: "Text", text: "not run: one action at a time" }] }
      ]
    }
  }],
  CallRefused: ([
    { _tag: "InvalidArguments", problem: "argument 1 must be a string" },
    { _tag: "InvalidResult", problem: "expected an array" },
    { _tag: "Denied", by: "policy", why: "mail is off" },
    { _tag: "Expired" },
    { _tag: "OverBudget", unit: "hostCalls" },
    { _tag: "UnknownOutcome", key: "k" }
  ] as const).map((reason) => ({
    _tag: "CallRefused",
    ...call,
    path: "mail.send",
    args: [json({ to: "a@b.c" })],
    reason,
    by: "policy"
  })),
  CallStarted: (["call", "construct", "get", "set"] as const).map((operation, ordinal) => ({
    _tag: "CallStarted",
    cell: 1,
    ordinal,
    path: "db.rows",
    operation,
    args: operation === "get" ? [] : [json(["a", 1])],
    effect: "none",
    key: "k",
    entropy: [],
    after: 0,
    callbacks: []
  })),
  CallEnded: [
    { _tag: "CallEnded", ...call, status: "completed", inPlace: false, value: json({ id: 7 }) },
    {
      _tag: "CallEnded",
      ...call,
      status: "completed",
      inPlace: false,
      value: { _tag: "Devalue", text: '[["Date","1970-01-01T00:00:00.000Z"]]' }
    },
    {
      _tag: "CallEnded",
      ...call,
      status: "completed",
      inPlace: false,
      value: { _tag: "Blob", blob: { hash: "sha256:1", bytes: 1_500_000, mediaType: "image/png" } }
    },
    {
      _tag: "CallEnded",
      ...call,
      status: "completed",
      inPlace: false,
      value: { _tag: "Ref", type: "Database", id: 1 }
    },
    { _tag: "CallEnded", ...call, status: "completed", inPlace: false, value: { _tag: "Secret", name: "TOKEN" } },
    {
      _tag: "CallEnded",
      ...call,
      status: "failed",
      inPlace: false,
      error: { name: "TypeError", message: "no such table" }
    },
    { _tag: "CallEnded", ...call, status: "unknown", inPlace: false }
  ],
  TimerFired: [{ _tag: "TimerFired", ...call }],
  CallbackCalled: [{ _tag: "CallbackCalled", cell: 1, callback: 0, args: [] }],
  VariableSet: [{ _tag: "VariableSet", name: "rows", value: json([1, 2, 3]) }],
  ApprovalAsked: [{
    _tag: "ApprovalAsked",
    ...call,
    path: "mail.send",
    args: [json("a@b.c")],
    key: "k1",
    why: "declared so",
    after: 0,
    entropy: [],
    role: "manager"
  }],
  ApprovalDecided: [
    { _tag: "ApprovalDecided", key: "k1", by: "terminal", decision: { _tag: "Allow", scope: "once" } },
    {
      _tag: "ApprovalDecided",
      key: "k1",
      by: "dashboard",
      decision: { _tag: "Allow", scope: "session", args: [json("c@d.e")] }
    },
    { _tag: "ApprovalDecided", key: "k1", by: "terminal", decision: { _tag: "Deny", why: "not this one" } },
    { _tag: "ApprovalDecided", key: "k1", by: "terminal", decision: { _tag: "Answer", value: json("blue") } }
  ],
  EffectSettled: [
    { _tag: "EffectSettled", key: "k1", happened: true, value: json("sent"), by: "operator" },
    { _tag: "EffectSettled", key: "k1", happened: false, by: "operator" }
  ],
  NamespaceSaved: [{
    _tag: "NamespaceSaved",
    cell: 3,
    asOf: 12,
    clean: true,
    snapshot: {
      v: 1,
      data: { hash: "sha256:2", bytes: 10, mediaType: "text/plain" },
      sources: [],
      lost: [],
      clock: 0,
      timers: 0,
      callbacks: {}
    }
  }],
  SkillActivated: [{ _tag: "SkillActivated", skill: "pdf" }],
  Compacted: (["clear", "summarise", "trim"] as const).map((tier) => ({
    _tag: "Compacted",
    tier,
    keepFrom: 3,
    cleared: [],
    before: 120_000,
    after: 30_000
  })),
  LimitWarned: [{ _tag: "LimitWarned", unit: "tokens", used: 80_000, limit: 100_000 }],
  RunEnded: [],
  RunContinued: [{ _tag: "RunContinued", run: 1 }],
  Recovered: [
    {
      _tag: "Recovered",
      restored: { added: [{ name: "a", type: "number", sample: "1" }], changed: [], removed: [], lost: [] },
      reexecuted: [],
      unknown: []
    },
    {
      _tag: "Recovered",
      restored: { added: [], changed: [], removed: [], lost: [{ name: "db", path: "db", reason: "live" }] },
      reexecuted: [4, 5],
      unknown: ["k1"]
    }
  ]
}

const reasons: ReadonlyArray<OutcomeReason> = [
  "completed",
  "refused",
  "invalid_answer",
  "stuck",
  "limit",
  "cancelled",
  "waiting",
  "model_error",
  "runtime_error",
  "internal_error"
]

/** A run that ended for this reason. */
export const endings = (teller: Teller): ReadonlyArray<readonly [OutcomeReason, Live]> =>
  reasons.map((reason) => [
    reason,
    teller.runEnded({
      reason,
      ...(reason === "limit" ? { limit: "steps" } : {}),
      ...(reason === "completed" ? { answer: json({ region: "north" }), usd: 1.5 } : {}),
      ...(reason.endsWith("_error")
        ? { error: { name: "Overloaded", message: "the server is busy" }, usage: { ...usage, estimated: true } }
        : {})
    })
  ])

/** Every kind of event, each with a cell before it where it belongs into one. */
export const scenes = (): ReadonlyArray<readonly [string, ReadonlyArray<Live>]> =>
  Object.keys(Event.cases).map((tag) => {
    const teller = new Teller("analyst")
    if (tag === "RunEnded") return [tag, endings(teller).map(([, live]) => live)] as const
    const inCell = /^(Call[RSE]|Approval|CellEnded)/.test(tag)
    const live = samples[tag as Tag].flatMap((event) => {
      const cell = "cell" in event ? event.cell : 1
      const before = tag === "CallEnded" ? [teller.callStarted(0, "db.query", ["select 1"])] : []
      return [...(inCell ? [teller.cellStarted(cell, failing), ...before] : []), teller.event(event, 3)]
    })
    return [tag, live] as const
  })
