/**
 * Runs a cell while its process is killed at chosen instants, and goes on from its middle each time.
 */
import * as Effect from "effect/Effect"
import { makeLayer } from "../../src/KernelRuntime.ts"
import { program as kernelProgram, withSession } from "../support/session.ts"
import { VirtualTime } from "../support/VirtualTime.ts"
import { hideTime, makeWorld, randomCell } from "./randomCells.ts"

export interface Outcome {
  readonly value: string
  readonly effects: ReadonlyArray<string>
  readonly kills: number
  /** What became of the further attempts. */
  readonly verdicts: ReadonlyArray<string>
  readonly problem: string | undefined
  readonly ms: number
}

export const runDisturbed = async (
  seed: number,
  kills: ReadonlyArray<number>,
  options: { readonly program?: string | undefined; readonly spare?: boolean | undefined } = {}
): Promise<Outcome> => {
  const time = new VirtualTime()
  const world = makeWorld(time)
  const layer = makeLayer({ program: options.program ?? kernelProgram, spare: options.spare ?? false }, time)
  return withSession({ layer, bindings: world.bindings }, async (session) => {
    await session.run("const warm = 1", { cell: 1 })
    const began = performance.now()
    let killed = 0
    const timers = kills.map((ms) =>
      setTimeout(() => {
        const { pid } = session.state()
        if (pid === undefined) return
        time.hold()
        killed++
        process.kill(pid, "SIGKILL")
      }, ms)
    )
    const verdicts: Array<string> = []
    const attempt = () => session.run(randomCell(seed), { cell: 2, seed: `seed ${seed}`, time: "30 seconds" })
    let ran = await attempt()
    while (ran.report.problem?.name === "Crash" && verdicts.length < kills.length) {
      const verdict = Effect.runPromise(Effect.orElseSucceed(session.runtime.replay!([]), () => "lost again" as const))
        .then((verdict) => {
          if (verdict !== "lost again") time.release()
          verdicts.push(typeof verdict === "string" ? verdict : verdict._tag)
        })
      ran = await attempt()
      await verdict
    }
    for (const timer of timers) clearTimeout(timer)
    const { problem } = ran.report
    return {
      value: hideTime(ran.value),
      effects: [...world.effects],
      kills: killed,
      verdicts,
      problem: problem && `${problem.name}: ${problem.message}`,
      ms: performance.now() - began
    }
  })
}
