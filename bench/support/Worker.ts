/**
 * The process that `Isolated` starts: measures a whole module once, or one contestant whenever a round is asked for.
 */
import type { Isolated, Rivals } from "./Isolated.ts"
import { timed } from "./Rounds.ts"

const [module, name] = process.argv.slice(2)
const { contestants, measure }: Isolated<unknown> & Rivals<string> = await import(module!)
const send = (value: unknown): void => void process.send!({ value })

if (name === undefined) send(await measure())
else process.on("message", () => void timed(contestants[name]!).then(send))
