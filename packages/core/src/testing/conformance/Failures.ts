import { Group } from "./Case.ts"
import { equal, excludes, includes, truthy } from "./Check.ts"

export const errors = new Group("errors")
  .problem("a wrong name", "const a = 1\nconst b = aa + 1", {
    name: "ReferenceError",
    message: "aa is not defined",
    line: 2
  })
  .problem("a wrong member", "const rows = []\nrows.fliter(Boolean)", {
    name: "TypeError",
    message: "rows.fliter is not a function",
    line: 2,
    column: 6
  })
  .problem("in a function of the same cell", "function f(x) {\n  return x.a.b\n}\nf({})", {
    name: "TypeError",
    line: 2
  })
  .problem("in a function of an earlier cell", ["function f(x) {\n\n  return x.a.b\n}", "\n\nf({})"], { line: 3 })
  .problem("in an async function", "const f = async (x) => {\n  await null\n  return x.a.b\n}\nawait f({})", {
    line: 3
  })
  .problem("after an await at the top", "await null\nnull.x", { line: 2 })
  .problem("a class of one's own", "class TooLate extends Error { name = 'TooLate' }\nthrow new TooLate('it is 9')", {
    name: "TooLate",
    message: "it is 9",
    line: 2
  })
  .problem("a thrown text", "throw 'plain words'", { message: "plain words" })
  .problem("a thrown object", "throw { code: 7 }", { message: "7" })
  .problem("thrown undefined", "throw undefined", { message: "undefined" })
  .problem(
    "an error whose getters throw",
    "throw Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('trap') } })",
    {}
  )
  .problem(
    "a proxy that throws at everything",
    "throw new Proxy({}, { get() { throw new Error('trap') }, getPrototypeOf() { throw new Error('trap') } })",
    {}
  )
  .problem("too deep a recursion", "const f = () => f() + 1\nf()", {
    name: "RangeError",
    message: "call stack",
    hint: "calls itself"
  })
  .problem("syntax", "const a = 1\nconst b = (a + ", { stage: "syntax", line: 2 })
  .problem("a name declared twice in one cell", "let dup = 1\nlet dup = 2", { stage: "syntax", line: 2 })
  .test("frames are those of cells only", async ({ problem, value }) => {
    await value("function inner(x) { return JSON.parse(x) }\nfunction outer(x) { return inner(x) }")
    const { frames } = await problem("outer('{')")
    equal(frames.length, 3, "frames")
    includes(frames[0]!, "inner (cell-1.ts:1)", "innermost frame")
    includes(frames[2]!, "cell-2.ts:1", "outermost frame")
  })
  .test("nothing of the host is in the text", async ({ problem }) => {
    const { frames, message } = await problem("new Map([[1]].map((x) => x.y.z))")
    for (const text of [message, ...frames]) excludes(text, "node_modules", "problem")
    for (const text of frames) excludes(text, "file:", "frame")
  })
  .test("what comes after the error does not run", async ({ problem, value }) => {
    await value("let reached = false")
    await problem("null.x; reached = true")
    equal(await value("reached"), false, "reached")
  })

export const failing = new Group("failing cells")
  .test("a declaration that never ran is taken back", async ({ problem, value }) => {
    await problem("const half = (() => { throw new Error('no') })()")
    equal(await value("typeof half"), "undefined", "type")
    const { message } = await problem("half")
    includes(message, "half is not defined", "message")
  })
  .test("declarations after the error are taken back", async ({ problem, variable }) => {
    await problem("const a = 1\nnull.x\nconst b = 2")
    truthy(await variable("a") !== undefined, "a was declared and assigned")
    truthy(await variable("b") === undefined, "b was never reached")
  })
  .test("a redeclaration that never ran leaves the old value", async ({ problem, value }) => {
    await value("let kept = 'old'")
    await problem("let kept = (() => { throw new Error('no') })()")
    equal(await value("kept"), "old", "kept")
  })
  .test("a redeclaration after the error leaves the old value", async ({ problem, value }) => {
    await value("let kept = 'old'")
    await problem("null.x\nlet kept = 'new'")
    equal(await value("kept"), "old", "kept")
  })
  .test("what was assigned before the error stays", async ({ problem, value }) => {
    await value("let n = 1")
    await problem("n = 2; null.x; n = 3")
    equal(await value("n"), 2, "n")
  })
  .test("output before the error is kept", async ({ run }) => {
    const { report } = await run("console.log('so far'); null.x")
    equal(report.stdout, "so far\n", "stdout")
  })
  .test("a cell with a syntax error runs nothing", async ({ problem, value }) => {
    await value("let ran = false")
    await problem("ran = true\nconst (")
    equal(await value("ran"), false, "ran")
  })
  .test("a hidden global comes back", async ({ problem, value }) => {
    await problem("const URL = (() => { throw new Error('no') })()")
    equal(await value("new URL('http://a/b').pathname"), "/b", "URL")
  })
  .test("the next cell works", async ({ problem, value }) => {
    for (const code of ["null.x", "throw 1", "await Promise.reject(2)", "const ("]) await problem(code)
    equal(await value("1 + 1"), 2, "value")
  })

export const hints = new Group("hints")
  .problem("wrong name", ["const customers = []", "custmers.length"], { hint: "did you mean customers?" })
  .problem("wrong name in another style", ["const total_price = 1", "totalPrice"], {
    hint: "did you mean total_price?"
  })
  .problem("wrong member", ["const orders = { byRegion() {} }", "orders.byRegoin()"], {
    hint: "did you mean orders.byRegion?"
  })
  .problem("wrong field on the way", ["const order = { customer: { name: 'a' } }", "order.custmer.name"], {
    hint: "did you mean order.customer?"
  })
  .problem("a promise not awaited", "const later = Promise.resolve([1])\nlater.map((x) => x)", {
    hint: "later is a promise: put await before it"
  })
  .problem("a promise iterated", "const later = Promise.resolve([1])\nfor (const x of later) x", {
    hint: "put await before it"
  })
  .problem("an object iterated", "const o = { a: 1 }\nfor (const x of o) x", { hint: "Object.entries" })
  .problem("no function", "const size = 3\nsize()", { hint: "size is a number" })
  .problem("no class", "const make = () => 1\nnew make()", { hint: "without new" })
  .problem("no JSON", "JSON.parse('<html>')", { name: "SyntaxError", hint: "no JSON" })
  .problem("no memory", "new Array(-1)", { hint: "memory" })
  .problem("a module that is absent", "import _ from 'lodash'", { hint: "granted" })
  .problem("fetch", "await fetch('http://example.com')", {
    name: "ReferenceError",
    hint: "function that the application provides"
  })
  .problem("require", "require('fs')", { hint: "import" })
  .problem("process", "process.env.HOME", { hint: "no process" })
  .problem("another language", "print('x')", { hint: "console.log" })
  .problem("a frozen object", "const o = Object.freeze({ a: 1 })\no.a = 2", { hint: "changed copy" })
  .problem("a circle as JSON", "const o = {}; o.o = o\nJSON.stringify(o)", { hint: "pick the fields" })
  .problem("a bigint among numbers", "1n + 1", { hint: "Number(x)" })
  .problem("an invalid date", "new Date('never').toISOString()", { hint: "could not be parsed" })
  .test("a name lost with a reset", async ({ problem, reset, value }) => {
    await value("const before = 1")
    await reset()
    includes((await problem("before")).hint ?? "", "lost", "hint")
  })
