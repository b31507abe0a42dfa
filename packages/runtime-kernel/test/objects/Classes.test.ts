import { Binding, type Bound } from "@daylight/core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openSession, type Session } from "../support/session.ts"

class Account {
  static #made = 0
  static readonly limits = { daily: 100 }
  static of(owner: string): Account {
    return new Account(owner)
  }
  static get made(): number {
    return Account.#made
  }
  readonly owner: string
  #balance = 0
  readonly log: Array<string> = []
  constructor(owner: string) {
    Account.#made++
    this.owner = owner
  }
  get balance(): number {
    return this.#balance
  }
  set balance(value: number) {
    if (value < 0) throw new RangeError("no debt")
    this.#balance = value
  }
  deposit(amount: number): this {
    this.#balance += amount
    return this
  }
  async withdraw(amount: number): Promise<this> {
    await Promise.resolve()
    this.balance -= amount
    return this
  }
  #secret(): string {
    return `secret of ${this.owner}`
  }
  reveal(): string {
    return this.#secret()
  }
  static isAccount(value: object): boolean {
    return #balance in value
  }
  async *statements(n: number) {
    try {
      for (let i = 0; i < n; i++) yield { i, account: this }
    } finally {
      this.log.push("closed")
    }
  }
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve()
    this.log.push("disposed")
  }
}

class Savings extends Account {
  rate = 0.5
  override reveal(): string {
    return `${super.reveal()}, saved`
  }
  interest(): number {
    return this.balance * this.rate
  }
}

const accounts = () => new Map<string, Account>([["ada", new Account("ada")], ["bob", new Savings("bob")]])

describe("a map of class instances", () => {
  /** Of the host alone: plain data crosses by copy. */
  const register = accounts()
  const ada = register.get("ada")!
  const written: Array<string> = []
  let session: Session
  beforeAll(async () => {
    session = await openSession({
      bindings: [
        Binding.variable("accounts", accounts()) as Bound,
        Binding.variable("find", (name: string) => register.get(name)) as Bound,
        Binding.variable("put", (name: string, account: Account) => register.set(name, account).size) as Bound,
        Binding.type(Account) as Bound,
        Binding.type(Savings) as Bound,
        Binding.variable("counter", {
          [Symbol.iterator]: () => [1, 2][Symbol.iterator](),
          async *[Symbol.asyncIterator]() {
            yield "a"
          },
          [Symbol.dispose]: () => void written.push("released")
        }) as Bound,
        Binding.variable("streams", {
          numbers: (n: number) => ReadableStream.from(Array.from({ length: n }, (_, i) => i)),
          sink: () => new WritableStream<string>({ write: (chunk) => void written.push(chunk) }),
          upper: () =>
            new TransformStream<string, string>({
              transform: (chunk, controller) => controller.enqueue(chunk.toUpperCase())
            })
        }) as Bound
      ]
    })
  })
  afterAll(() => session?.close())

  const gives = (what: string, code: string, expected: unknown): void => {
    it(what, async () => assert.deepStrictEqual(await session.value(code), expected), 20_000)
  }

  gives(
    "is a map: read, written, iterated, counted",
    `accounts.set("eve", Account.of("eve")); accounts.delete("bob")
    ;[accounts.size, accounts.has("bob"), [...accounts.keys()], [...accounts.values()].map((a) => a.owner), accounts instanceof Map]`,
    [2, false, ["ada", "eve"], ["ada", "eve"], true]
  )
  gives(
    "has instances with getters, setters and private fields",
    `const a = accounts.get("ada"); a.balance = 10; let refused; try { a.balance = -1 } catch (error) { refused = [error.name, error.message] }
    ;[a.balance, refused, a.reveal(), Account.isAccount(a), a["#balance"]]`,
    [10, ["RangeError", "no debt"], "secret of ada", true, undefined]
  )
  gives(
    "has methods that give the instance itself",
    "[a.deposit(5) === a, a.deposit(1).deposit(1).balance, (await a.withdraw(7)) === a, a.balance]",
    [true, 17, true, 10]
  )
  gives(
    "has classes, with statics and heirs",
    `const s = new Savings("kim"); s.balance = 8
    ;[s instanceof Savings, s instanceof Account, s instanceof Map, a instanceof Savings, s.interest(), s.reveal(), Account.limits.daily, typeof Account.made, Object.getPrototypeOf(Savings.prototype) === Account.prototype, s.constructor.name]`,
    [true, true, false, false, 4, "secret of kim, saved", 100, "number", true, "Savings"]
  )
  gives(
    "has classes that a cell extends",
    `class Gold extends Account { perks = ["lounge"]; constructor(owner) { super(owner); this.balance = 1000 } get vip() { return this.balance >= 1000 } reveal() { return super.reveal() + " (gold)" } }
    const g = new Gold("zoe"); [g.vip, g.reveal(), g.perks[0], g instanceof Account, g instanceof Gold, g.deposit(1).balance, g.owner]`,
    [true, "secret of zoe (gold)", "lounge", true, true, 1001, "zoe"]
  )
  gives(
    "gives instances back to the host as themselves",
    `const mine = find("ada"); [mine === find("ada"), put("same", mine), find("same") === mine, put("new", new Account("new")), find("new").owner]`,
    [true, 3, true, 4, "new"]
  )
  it("gave the host the very same instance", () => {
    assert.strictEqual(register.get("same"), ada)
    assert.instanceOf(register.get("new"), Account)
  })
  gives(
    "has asynchronous generators, closed where they are left",
    `const seen = []; for await (const { i, account } of a.statements(1e9)) { seen.push(i, account === a); if (i === 1) break }
    ;[seen, a.log.at(-1)]`,
    [[0, true, 1, true], "closed"]
  )
  gives(
    "is disposed of at the end of a block, asynchronously too",
    "{ await using here = a; here.deposit(1) }\na.log.at(-1)",
    "disposed"
  )
  gives(
    "has streams to read from",
    `const total = []; for await (const n of streams.numbers(3)) total.push(n)
    const reader = streams.numbers(2).getReader(); const one = await reader.read(); await reader.cancel();
    [total, one, (await streams.numbers(5).values().next()).value]`,
    [[0, 1, 2], { done: false, value: 0 }, 0]
  )
  gives(
    "has streams to write to, through others",
    `const writer = streams.sink().getWriter(); await writer.write("plain"); await writer.close()
    const through = streams.upper(); const end = through.readable.pipeTo(streams.sink()); const up = through.writable.getWriter(); await up.write("loud"); await up.close(); await end; 1`,
    1
  )
  it("were written in the host", () => assert.deepStrictEqual(written, ["plain", "LOUD"]))
  gives(
    "is iterated and disposed of also where a record has the methods for it",
    "const got = [...counter]; for await (const item of counter) got.push(item)\n{ using here = counter }\ngot",
    [1, 2, "a"]
  )
  it("was disposed of in the host", () => assert.strictEqual(written.at(-1), "released"))
  gives(
    "has an order of keys, descriptors and symbols as the instance has",
    `[Object.keys(a), Object.getOwnPropertyDescriptor(a, "owner").enumerable, "deposit" in a, Object.hasOwn(a, "deposit"), typeof a[Symbol.asyncDispose], typeof a[Symbol.iterator], JSON.stringify(a)]`,
    [["owner", "log"], true, true, false, "function", "undefined", '{"owner":"ada","log":["closed","disposed"]}']
  )
})
