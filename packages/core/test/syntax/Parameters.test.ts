import { describe, expect, it } from "vitest"
import { parseFunctionParameters } from "../../src/syntax/index.ts"

class Account {
  #secret = 1
  constructor(readonly: string, limit = 3) {
    void [readonly, limit, this.#secret]
  }
  static open(name: string) {
    return name
  }
  async pay(amount: number, { currency = "EUR", to }: { currency?: string; to: string }) {
    return [amount, currency, to, this.#secret]
  }
  *history(...years: Array<number>) {
    yield* years
  }
  get balance() {
    return 1
  }
  ["computed name"](a: number) {
    return a
  }
}
class Savings extends Account {}

/** `name`, `name?` and `...name`, keys in braces. */
const shown = (source: unknown): string | undefined =>
  parseFunctionParameters(String(source))?.map(({ keys, name, optional, rest }) => {
    const inside = keys === undefined ? "" : `{${keys.map((key) => key.name + (key.optional ? "?" : "")).join()}}`
    return `${rest ? "..." : ""}${name}${optional ? "?" : ""}${inside}`
  }).join(" ")

describe("parameters of functions", () => {
  it.each<[unknown, string | undefined]>([
    [function(a: number, b = 1) {
      return [a, b]
    }, "a b?"],
    [(a: number) => a, "a"],
    ["a => a", "a"],
    ["async x => { await x }", "x"],
    ["async function* walk(root, { depth = 1, ...rest } = {}) {}", "root options?{depth?}"],
    ["(...args) => args", "...args?"],
    ["([a, b], [c]) => a", "items items2"],
    ["({ a }, { 'b-c': d }) => a", "options{a} options2{b-c}"],
    ["function () {}", ""],
    [Account, "readonly limit?"],
    [Savings, undefined],
    ["class {}", ""],
    [Account.open, "name"],
    [Account.prototype.pay, "amount options{currency?,to}"],
    [Account.prototype.history, "...years?"],
    [Account.prototype["computed name"], "a"],
    [Object.getOwnPropertyDescriptor(Account.prototype, "balance")!.get, ""],
    ["get(key) { return super.get(key) }", "key"],
    ["async(a) { }", "a"],
    ["static(a) { }", "a"],
    ["#hidden(a) { return this.#hidden(a) }", "a"],
    [Math.max, undefined],
    [Map, undefined],
    [shown.bind(null), undefined],
    ["not a function", undefined],
    ["1 + 1", undefined],
    ["", undefined]
  ])("%s", (source, expected) => {
    expect(shown(source)).toBe(expected)
  })
})
