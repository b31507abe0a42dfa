import { assert, describe, it } from "@effect/vitest"
import { hintFor, hints, type Scene } from "../../src/node/Hints.ts"
import { failureOf } from "../../src/node/Problem.ts"
import { CellStopped } from "../../src/node/CellRun.ts"

const values: Record<string, unknown> = {
  orders: [{ id: 1 }],
  db: { query() {}, rows: 3 },
  later: Promise.resolve(1)
}
const scene: Scene = {
  code: "",
  names: ["orders", "db", "later", "search"],
  lost: new Set(["before"]),
  readonly: new Set(["search"]),
  lookup: (name) => values[name],
  asynchronous: new Set(["search", "db.find"])
}

const refusal = (tag: string, more: object = {}) =>
  Object.assign(new Error("refused"), { _tag: "HostCallError", path: "pay", reason: { _tag: tag, ...more } })

/** One error for each kind in the table. */
const errors: Record<keyof typeof hints, readonly [error: unknown, hint: string]> = {
  timeout: [
    new CellStopped("timeout", "the code ran for more than 10 ms without yielding"),
    "a loop that does not end"
  ],
  memory: [new RangeError("Invalid string length"), "memory"],
  recursion: [new RangeError("Maximum call stack size exceeded"), "calls itself"],
  deniedCall: [refusal("Denied", { by: "policy", why: "no" }), "pay did nothing"],
  expiredCall: [refusal("Expired"), "nobody answered"],
  budget: [refusal("OverBudget", { unit: "hostCalls" }), "finish with what you have"],
  badArguments: [refusal("InvalidArguments", { problem: "x" }), "compare the arguments"],
  badResult: [refusal("InvalidResult", { problem: "x" }), "the fault is in the application"],
  unknownOutcome: [refusal("UnknownOutcome", { key: "k" }), "find out whether pay took effect"],
  lostReference: [refusal("ReferenceLost", { type: "Pool" }), "the Pool is gone"],
  childFailed: [Object.assign(new Error("child"), { _tag: "OutcomeError" }), "error.outcome"],
  wrongName: [new ReferenceError("ordres is not defined"), "did you mean orders?"],
  absentModule: [new Error("Cannot find module 'x'"), "granted"],
  notIterable: [new TypeError("later is not iterable"), "put await before it"],
  notAFunction: [new TypeError("db.qurey is not a function"), "did you mean db.query?"],
  notAConstructor: [new TypeError("db is not a constructor"), "without new"],
  emptyValue: [new TypeError("Cannot read properties of undefined (reading 'x')"), "undefined"],
  destructured: [new TypeError("Cannot destructure property 'a' of 'row' as it is undefined."), "row is empty"],
  readOnlyName: [
    new TypeError("Cannot assign to read only property 'search' of object '#<Object>'"),
    "belongs to the application"
  ],
  readOnlyBinding: [new TypeError("Cannot declare 'search': it is read-only"), "belongs to the application"],
  constant: [new TypeError("Assignment to constant variable."), "let"],
  frozen: [new TypeError("Cannot add property x, object is not extensible"), "changed copy"],
  onlyGetter: [new TypeError("Cannot set property on of #<Lamp> which has only a getter"), "on can only be read"],
  json: [new SyntaxError("Unexpected token '<', \"<html>\" is not valid JSON"), "no JSON"],
  circular: [new TypeError("Converting circular structure to JSON\n --> x"), "pick the fields"],
  bigint: [new TypeError("Cannot mix BigInt and other types, use explicit conversions"), "Number(x)"],
  invalidDate: [new RangeError("Invalid time value"), "could not be parsed"],
  regularExpression: [new SyntaxError("Invalid regular expression: /(/: Unterminated group"), "escape"]
}

describe("hints", () => {
  for (const kind of Object.keys(hints)) {
    it(`for ${kind}`, () => {
      const [error, hint] = errors[kind]!
      assert.include(hintFor(failureOf(error), scene) ?? "", hint)
    })
  }

  it("says nothing of what it does not know", () => {
    assert.isUndefined(hintFor(failureOf(new Error("the server is on fire")), scene))
    assert.isUndefined(hintFor(failureOf("just a text"), scene))
  })

  it("knows a call that gives a promise", () => {
    assert.include(
      hintFor(failureOf(new TypeError("search(...).map is not a function")), scene) ?? "",
      "(await search(...)).map(...)"
    )
    assert.include(
      hintFor(failureOf(new TypeError("db.find(...) is not iterable")), scene) ?? "",
      "put await before it"
    )
  })

  it("survives an error that throws when it is looked at", () => {
    const hostile = Object.defineProperty(new Error("x"), "_tag", {
      get() {
        throw new Error("trap")
      }
    })
    assert.isUndefined(hintFor(failureOf(hostile), scene))
  })
})
