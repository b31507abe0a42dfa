import { Binding, type Bound } from "@daylight/core"
import * as Effect from "effect/Effect"
import type { Plugin } from "esbuild"
import { readFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { bundleKernel } from "../support/program.ts"
import { pause, until, withSession } from "../support/session.ts"
import { type Outcome, runDisturbed } from "./disturbed.ts"
import { randomFrom } from "./randomCells.ts"

/** How many random cells are killed: 60, or as many as the environment says. */
const count = Number(process.env.DAYLIGHT_CRASH_CELLS ?? 60)
const inAGroup = 20

/** One undisturbed run, and one that is killed once or twice on its way. */
const both = async (seed: number, program?: string): Promise<readonly [Outcome, Outcome]> => {
  const undisturbed = await runDisturbed(seed, [], { program })
  assert.isUndefined(undisturbed.problem, `seed ${seed}`)
  const random = randomFrom(seed * 13 + 5)
  const first = random() * undisturbed.ms
  const kills = random() < 0.3 ? [first, first + 60 + random() * 200] : [first]
  return [undisturbed, await runDisturbed(seed, kills, { program })]
}

describe("a cell whose process is killed at a random instant", () => {
  for (let from = 1; from <= count; from += inAGroup) {
    const to = Math.min(from + inAGroup - 1, count)
    it(`goes on from its middle: cells ${from} to ${to}`, async () => {
      let kills = 0
      const compare = async (seed: number): Promise<void> => {
        const [undisturbed, disturbed] = await both(seed)
        assert.isUndefined(disturbed.problem, `seed ${seed}`)
        assert.strictEqual(disturbed.value, undisturbed.value, `value of seed ${seed}`)
        assert.deepStrictEqual(disturbed.effects, undisturbed.effects, `effects of seed ${seed}`)
        kills += disturbed.kills
      }
      // Most of their time they wait, so a few run side by side.
      for (let seed = from; seed <= to; seed += 4) {
        await Promise.all([seed, seed + 1, seed + 2, seed + 3].filter((seed) => seed <= to).map(compare))
      }
      assert.isAbove(kills, (to - from) / 2, "kills")
    }, 120_000)
  }
})

describe("the order of events", () => {
  it("matters: without a turn for each, runs differ", async () => {
    const hasty: Plugin = {
      name: "hasty",
      setup: (build) =>
        build.onLoad({ filter: /kernel\/(Turns|Breaking)\.ts$/ }, ({ path }) => {
          const source = readFileSync(path, "utf8")
          const contents = source
            .replace("this.#take(event)", "this.#take(event)\n    if (this.#queue.length > 0) this.#turn()")
            .replace("  drain()\n", "")
          assert.notStrictEqual(contents, source)
          return { contents, loader: "ts" }
        })
    }
    const program = await bundleKernel([hasty])
    let different = 0
    for (let seed = 1; seed <= 12; seed++) {
      const [undisturbed, disturbed] = await both(seed, program)
      const same = disturbed.value === undisturbed.value && disturbed.effects.join() === undisturbed.effects.join()
      if (!same) different++
    }
    assert.isAbove(different, 0)
  }, 120_000)
})

describe("work of a thread pool", () => {
  it("that ended in one order ends in the same order again", async () => {
    const told: Array<unknown> = []
    const tell = Binding.func(async (winner: string) => void told.push(winner), { name: "tell" }) as Bound
    const code =
      `const digest = (name, bytes) => crypto.subtle.digest("SHA-512", new Uint8Array(bytes)).then(() => name)
      const winners = []
      for (let i = 0; i < 5; i++) winners.push(await Promise.race([digest("a", 200_000), digest("b", 200_000), digest("c", 200_000)]))
      await tell(winners.join())
      await new Promise((done) => setTimeout(done, 100))
      winners.join()`
    await withSession({ bindings: [tell] }, async (session) => {
      await session.value("1")
      const first = session.run(code, { cell: 2 })
      await until(() => told.length === 1)
      await session.kill()
      assert.strictEqual((await first).report.problem?.name, "Crash")
      const verdict = Effect.runPromise(session.runtime.replay!([]))
      const { value } = await session.run(code, { cell: 2 })
      assert.strictEqual(await verdict, "live")
      assert.deepStrictEqual(told, [value])
    })
  })
})

describe("a record that is not followed", () => {
  it("ends the cell as interrupted, and does not go live", async () => {
    await withSession({}, async (session) => {
      await session.value("1")
      const first = session.start("await new Promise((done) => setTimeout(done, 30)); await new Promise(() => {})")
      await pause(60)
      await session.kill()
      await first.ran
      const verdict = Effect.runPromise(session.runtime.replay!([]))
      const { report } = await session.run("setTimeout(() => {}, 31); await new Promise(() => {})", {
        cell: 2,
        seed: "seed 2"
      })
      assert.deepStrictEqual([report.problem?.stage, report.problem?.name], ["interrupted", "Diverged"])
      assert.deepInclude(await verdict, { _tag: "Diverged", ordinal: 0 })
      assert.strictEqual(await session.value("1 + 1"), 2)
    })
  })

  it("is refused where there is none", async () => {
    await withSession({}, async (session) => {
      const failure = await Effect.runPromise(Effect.flip(session.runtime.replay!([])))
      assert.include(failure.message, "no record")
    })
  })
})

describe("what a cell sees of chance", () => {
  it("is the same for the same seed, and another one for another", async () => {
    const code = "[Math.random(), crypto.randomUUID(), ...crypto.getRandomValues(new Uint8Array(8))].join()"
    await withSession({}, async (session) => {
      const values = [
        await session.run(code, { cell: 1, seed: "a" }),
        await session.run(code, { cell: 2, seed: "a" }),
        await session.run(code, { cell: 3, seed: "b" })
      ].map(({ value }) => value)
      assert.strictEqual(values[0], values[1])
      assert.notStrictEqual(values[0], values[2])
    })
  })

  it("has one clock, however it is asked", async () => {
    await withSession({}, async (session) => {
      const value = await session.value(`
        const a = Date.now(), b = new Date().getTime(), c = new Date().constructor.now(), d = structuredClone(new Date(0)).constructor.now()
        const e = Math.round(performance.timeOrigin + performance.now());
        [b - a, c - a, d - a, e - a].every((ms) => ms >= 0 && ms < 200)`)
      assert.isTrue(value)
    })
  })
})
