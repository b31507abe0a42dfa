/**
 * Agents act on the application's own objects: a cell changes a lamp and a thermostat through their properties and
 * methods, and the application sees the change at once, because nothing was copied.
 *
 *     node apps/examples/stateful-objects.ts
 */
import { Binding } from "@daylight/core"
import { createAgent } from "@daylight/core/promise"
import { VmRuntime } from "@daylight/runtime-vm"
import { chooseModel, type ExampleOptions } from "./support/Example.ts"
import { runMain } from "./support/runMain.ts"

export class Lamp {
  #brightness = 0
  readonly room: string

  constructor(room: string) {
    this.room = room
  }
  /** Percent. 0 is off. */
  get brightness(): number {
    return this.#brightness
  }
  /** Throws a RangeError outside of 0 to 100. */
  dim(percent: number): void {
    if (!(percent >= 0 && percent <= 100)) throw new RangeError(`brightness is 0 to 100, got ${percent}`)
    this.#brightness = percent
  }
}

export class Thermostat {
  /** Degrees Celsius. */
  target = 21
  readonly history: Array<number> = []

  set(celsius: number): void {
    this.history.push(this.target)
    this.target = celsius
  }
}

export const main = async (options: ExampleOptions = {}) => {
  const output = options.output ?? process.stdout
  const model = await chooseModel(options)
  output.write(`${model.notice}\n`)

  const lamp = new Lamp("living room")
  const thermostat = new Thermostat()
  await using agent = createAgent({
    name: "house",
    instructions: "You look after a house. Leave a lamp for the bedroom in `bedside`.",
    model: model.replying(REPLIES),
    runtime: VmRuntime.layer,
    bindings: [
      Binding.variable("lamp", lamp, { description: "The lamp of the living room; brightness in percent" }),
      Binding.variable("thermostat", thermostat, { description: "The heating; degrees Celsius" }),
      Binding.type(Lamp)
    ]
  })
  const outcome = await agent.run(
    "It is bedtime: dim the lamp to 10%, lower the heating by three degrees, and put a lamp at 5% into the bedroom.",
    { signal: options.signal }
  )
  if (outcome.reason !== "completed") {
    throw new Error(`The house is not ready: ${outcome.reason} ${outcome.error?.message ?? ""}`)
  }
  const bedside = await agent.retrieve<Lamp>("bedside")

  output.write(`${outcome.text}\n`)
  output.write(
    `The lamp in the ${lamp.room} is at ${lamp.brightness}%, the thermostat at ${thermostat.target} degrees.\n`
  )
  output.write(
    `The lamp in the ${bedside.room} is at ${bedside.brightness}%, and it is a ${bedside.constructor.name}.\n`
  )
  return { lamp, thermostat, bedside }
}

const REPLIES = [
  {
    text: "The heating first, then the lamp of the living room.",
    code: `thermostat.set(thermostat.target - 3)
lamp.dim(10)
({ target: thermostat.target, brightness: lamp.brightness })`
  },
  {
    text: "Both changes were made, only my last two lines were read as one call. I name the result instead.",
    code: `const bedside = new Lamp("bedroom")
bedside.dim(5)
const state = { heating: thermostat.target, lamp: lamp.brightness, bedside: bedside.brightness }
state`
  },
  "The house is ready for the night."
]

if (import.meta.main) await runMain(main)
