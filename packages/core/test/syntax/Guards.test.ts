/**
 * Whatever runs on and on passes a guard.
 */
import { describe, expect, it } from "vitest"
import { Notebook } from "./Notebook.ts"

const endless = [
  "while (true) {}",
  "while (true);",
  "for (;;) {}",
  "for (;;);",
  "do {} while (true)",
  "do ; while (true)",
  "let i = 0; while (true) i++",
  "let i = 0\nfor (;;) if (i) i++; else i--",
  "for (const x of (function* () { while (true) yield 1 })()) {}",
  "for (const k in new Proxy({}, { ownKeys: () => { for (;;) ; } })) {}",
  "const fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2); fib(200)",
  "function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }\nfib(200)",
  "[...{ [Symbol.iterator]() { return this }, next() { return { done: false } } }]",
  "new Set({ [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) })",
  "class A { get v() { for (;;) {} } }\nnew A().v",
  "class A { static { for (;;) {} } }",
  "class A { x = (() => { for (;;) {} })() }\nnew A()",
  "lab: for (;;) { continue lab }",
  "await 1; for (;;) {}",
  "for await (const x of (async function* () { while (true) yield 1 })()) {}",
  "await (async function again() { await null; return again() })()",
  "const again = async () => again(await null); await again()",
  "await new Promise((_, fail) => { const step = () => Promise.resolve().then(step).catch(fail); step() })",
  "Array.from({ length: 1e9 }, (_, i) => i * i)",
  "for (var i = 0; ; i++) var j = i"
]

describe("guards", () => {
  for (const code of endless) {
    it(`stop ${JSON.stringify(code)}`, async () => {
      await expect(new Notebook().run(code, 5)).rejects.toThrow("stopped by a guard")
    })
  }

  it("let finite work through", async () => {
    const code = "let sum = 0\nfor (let i = 0; i < 5000; i++) if (i % 2) sum += i; else sum -= 1\nsum"
    await expect(new Notebook().run(code, 10)).resolves.toBe(6247500)
  })

  it("keep what a function returns, also an object", async () => {
    await expect(new Notebook().run("[1].map((a) => ({ a }))[0].a + [2].map((b) => (1, b))[0]")).resolves.toBe(3)
  })

  it("keep the this, name and laziness of functions", async () => {
    const code =
      "const f = (a) => (b) => a + b\nconst o = { v: 1, m() { return (() => this.v)() } }\n;[f.name, f(1)(2), o.m()].join()"
    await expect(new Notebook().run(code)).resolves.toBe("f,3,1")
  })
})
