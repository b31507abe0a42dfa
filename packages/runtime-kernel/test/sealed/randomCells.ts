/**
 * Cells made at random from a seed: they await, race, sleep, throw, read the clock and randomness, use live objects
 * synchronously, step through streams and hand functions to the host. And the host that they use, which writes down
 * every effect.
 */
import { Binding, type Bound } from "@daylight/core"
import type { VirtualTime } from "../support/VirtualTime.ts"

/** Numbers from 0 up to 1, the same for the same seed. */
export const randomFrom = (seed: number): () => number => {
  let state = (seed * 0x9e3779b1) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let x = Math.imul(state ^ (state >>> 15), state | 1)
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61)
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32
  }
}

export interface World {
  readonly bindings: ReadonlyArray<Bound>
  /** In the order in which they happened. */
  readonly effects: ReadonlyArray<string>
}

export const makeWorld = (time: VirtualTime): World => {
  const effects: Array<string> = []
  const effect = (...parts: ReadonlyArray<unknown>): void =>
    void effects.push(parts.map((part) => hideTime(part)).join(" "))
  const delayOf = (...parts: ReadonlyArray<unknown>): number =>
    2 +
    [...parts.map((part) => typeof part === "number" && part > 1e11 ? "time" : String(part)).join()].reduce(
      (sum, c) => (sum * 31 + c.charCodeAt(0)) % 43,
      7
    )

  class Shelf {
    readonly label: string
    constructor(label: string) {
      this.label = label
    }
    take(n: number): number {
      effect("take", this.label, n)
      return n * 3
    }
    async weigh(): Promise<number> {
      await time.wait(delayOf("weigh", this.label))
      effect("weigh", this.label)
      return this.label.length
    }
  }
  class Store {
    readonly shelves = new Map([["left", new Shelf("left")], ["right", new Shelf("rightmost")]])
    #visits = 0
    get visits(): number {
      effect("visits")
      return ++this.#visits
    }
    *boxes(n: number) {
      for (let i = 0; i < n; i++) yield { box: i }
    }
    async *deliveries(n: number) {
      for (let i = 0; i < n; i++) {
        await time.wait(3 + ((i * 5) % 7))
        effect("delivery", i)
        yield `d${i}`
      }
    }
    async inTurn(work: (step: string) => unknown): Promise<unknown> {
      await time.wait(4)
      const first = await work("one")
      await time.wait(5)
      return [first, await work("two")]
    }
  }
  const call = (
    name: string,
    act: (...args: ReadonlyArray<any>) => unknown,
    kind: "none" | "idempotent" | "external"
  ): Bound =>
    Binding.func(async (...args: ReadonlyArray<unknown>) => {
      await time.wait(delayOf(name, ...args))
      return act(...args)
    }, { name, effect: kind }) as Bound

  return {
    effects,
    bindings: [
      call("look", (n: number) => ({ n, value: (n * 7) % 11 }), "none"),
      call("order", (what: string, n: unknown) => {
        effect("order", what, n)
        return `ordered ${what}`
      }, "external"),
      call("mark", (what: string, n: unknown) => {
        effect("mark", what, n)
        return what
      }, "idempotent"),
      call("risk", (n: number) => {
        effect("risk", n)
        if (n % 3 === 0) throw Object.assign(new RangeError(`risk ${n}`), { code: `R${n}` })
        return n
      }, "external"),
      Binding.variable("store", new Store()) as Bound
    ]
  }
}

/** The text of a cell. */
export const randomCell = (seed: number): string => {
  const random = randomFrom(seed)
  const int = (n: number): number => Math.floor(random() * n)
  const pick = <A>(items: ReadonlyArray<A>): A => items[int(items.length)]!
  let names = 0

  const number = (): string => pick([String(int(40)), "Math.floor(Math.random() * 50)", "Date.now()", "out.length"])
  const several = (depth: number): string => Array.from({ length: 2 + int(3) }, () => promise(depth + 1)).join(", ")
  const promise = (depth: number): string => {
    const simple = [
      () => `look(${int(30)})`,
      () => `order("o${names++}", ${number()})`,
      () => `mark("m${names++}", ${pick([number(), "crypto.randomUUID()"])})`,
      () => `sleep(${1 + int(40)})`,
      () => `risk(${int(9)}).catch((e) => e.code)`,
      () => `risk(${int(9)})`,
      () => `store.shelves.get("${pick(["left", "right"])}").weigh()`
    ]
    if (depth > 2) return pick(simple)()
    return pick([
      ...simple,
      () => `Promise.all([${several(depth)}])`,
      () => `Promise.race([${several(depth)}])`,
      () => `Promise.any([${several(depth)}])`,
      () => `Promise.allSettled([${several(depth)}]).then((all) => all.map(({ status }) => status))`,
      () => `(async () => { ${block(depth + 1)}; return ${int(9)} })()`,
      () =>
        `Promise.all([1, 2].map(async (i) => { const seen = await look(i + ${int(5)}); ${
          block(depth + 2)
        }; return seen.value }))`,
      () => `store.inTurn(async (step) => { out.push(step); ${block(depth + 2)}; return ${int(9)} })`
    ])()
  }
  const statement = (depth: number): string => {
    const simple = [
      () => "out.push(store.visits)",
      () => `out.push(store.shelves.get("${pick(["left", "right"])}").take(${int(9)}))`,
      () => "out.push(Math.random())",
      () => `{ const t = Date.now(); if (t < before) out.push("the clock ran backwards"); before = t }`,
      () => `queueMicrotask(() => out.push("micro ${int(99)}"))`,
      () => `for (let i = 0; i < ${10_000 * (1 + int(12))}; i++) sum += i`,
      () => `setTimeout(() => { out.push("late ${int(99)}", store.visits) }, ${int(30)})`,
      () => `out.push(await ${promise(depth + 1)})`
    ]
    if (depth > 2) return pick(simple)()
    return pick([
      ...simple,
      () =>
        `try { out.push(await ${
          promise(depth)
        }) } catch (e) { out.push("caught " + e.message) } finally { out.push("finally") }`,
      () => `for (let i = 0; i < ${1 + int(3)}; i++) { ${block(depth + 1)} }`,
      () => `if (Math.random() < 0.5) { ${block(depth + 1)} } else { ${block(depth + 1)} }`,
      () => `for (const { box } of store.boxes(${1 + int(3)})) { out.push(box); ${block(depth + 2)} }`,
      () =>
        `for await (const d of store.deliveries(${1 + int(3)})) { out.push(d); ${block(depth + 2)}; ${
          pick(["", "if (Math.random() < 0.4) break"])
        } }`,
      () => {
        const name = `p${names++}`
        return `const ${name} = ${promise(depth)}; ${name}.catch?.(() => {}); ${
          block(depth + 1)
        }; try { out.push(await ${name}) } catch (e) { out.push("later " + e.message) }`
      },
      () =>
        `{ let ticks = 0; const timer = setInterval(() => { out.push("tick"); if (++ticks > 2) clearInterval(timer) }, ${
          2 + int(8)
        }); await sleep(${8 + int(20)}); clearInterval(timer) }`
    ])()
  }
  const block = (depth: number): string =>
    Array.from({ length: 1 + int(depth > 1 ? 2 : 3) }, () => statement(depth)).join("; ")

  const steps = Array.from(
    { length: 3 + int(4) },
    () => `try { ${statement(0)} } catch (e) { out.push("failed " + e.message) }`
  )
  return [
    "const out = []; let sum = 0, before = 0; const sleep = (ms) => new Promise((done) => setTimeout(done, ms, 'slept ' + ms))",
    ...steps,
    "await sleep(60)",
    "out.slice()"
  ].join("\n")
}

/** The clock is another one in each run. */
export const hideTime = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => typeof part === "number" && part > 1e11 ? "time" : part) ?? "undefined"
