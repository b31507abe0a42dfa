import { assert, describe, it } from "vitest"
import { main as functions } from "../functions.ts"
import { main as hello } from "../hello.ts"
import { main as multiTurn } from "../multi-turn.ts"
import { Lamp, main as statefulObjects } from "../stateful-objects.ts"
import { main as streaming } from "../streaming.ts"
import { Collector } from "./Collector.ts"

/** No key, whatever the machine has: examples under test never leave it. */
const scripted = () => ({ env: {}, output: new Collector() })

describe("hello", () => {
  it("reads the secret, and does not show it to the model", async () => {
    const options = scripted()
    assert.strictEqual(await hello(options), "Agents work on real objects, not on their shadows")
    assert.include(options.output.text, "come from a script")
  })
})

describe("stateful objects", () => {
  it("changes the objects of the application, also those of a cell that failed later", async () => {
    const { bedside, lamp, thermostat } = await statefulObjects(scripted())
    assert.strictEqual(lamp.brightness, 10)
    assert.strictEqual(thermostat.target, 18)
    assert.deepEqual(thermostat.history, [21])
    assert.instanceOf(bedside, Lamp)
    assert.strictEqual(bedside.brightness, 5)
    assert.strictEqual(bedside.room, "bedroom")
  })
})

describe("multi-turn", () => {
  it("answers later questions from the variables of earlier ones", async () => {
    const { dearest, names, nights, perNight } = await multiTurn(scripted())
    assert.strictEqual(dearest, "Oslo")
    assert.approximately(perNight["Lisbon"]!, (612.4 + 905.1) / 8, 1e-9)
    assert.deepEqual(nights, { Lisbon: 4, Oslo: 2, Vienna: 4 })
    assert.includeMembers([...names], ["trips", "perNight", "dearest", "budget", "sum"])
  })
})

describe("streaming", () => {
  it("gives the text in pieces and the facts in order", async () => {
    const options = scripted()
    const { facts, outcome, primes, text } = await streaming(options)
    assert.strictEqual(outcome.reason, "completed")
    assert.strictEqual(primes.length, 168)
    assert.strictEqual(primes.at(-1), 997)
    assert.include(text, "A sieve")
    assert.include(options.output.text, "168 primes, the largest is 997")
    assert.strictEqual(facts.at(0), "RunStarted")
    assert.strictEqual(facts.at(-1), "RunEnded")
    assert.isBelow(facts.indexOf("CellStarted"), facts.indexOf("CellEnded"))
  })
})

describe("functions", () => {
  for (const action of ["tool", "functions"] as const) {
    it(`as ${action}: a bad call has no effect and is corrected`, async () => {
      const options = scripted()
      const { bank, refused } = await functions({ ...options, action })
      assert.deepEqual(bank.transfers, [
        { from: "checking", to: "rent", amount: 1240.5 },
        { from: "checking", to: "power", amount: 88.2 }
      ])
      assert.approximately(bank.balance("checking"), 2000 - 1240.5 - 88.2, 1e-9)
      assert.deepEqual(refused, ["transfer: InvalidArguments"])
    })
  }
})
