/**
 * Measurements in processes of their own: what one has compiled, optimised and left on the heap does not touch another.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { type Contestant, inTurns, type Round, type RoundOptions } from "./Rounds.ts"
import type { Samples } from "./Samples.ts"

/** What a module exports that is measured as a whole. */
export interface Isolated<A> {
  readonly measure: () => Promise<A> | A
}

/** What a module exports whose contestants are rivals. */
export interface Rivals<Name extends string> {
  readonly contestants: Readonly<Record<Name, Contestant>>
}

const worker = fileURLToPath(new URL("./Worker.ts", import.meta.url))

/** Runs `measure` of a module in a fresh process. What it gives crosses by structured clone. */
export const isolated = async <A>(module: URL): Promise<A> => {
  const child = start(module.href)
  try {
    return await answerOf<A>(child)
  } finally {
    child.kill()
  }
}

/**
 * Each contestant of a module in a process of its own, all of them alive, one round at a time: nobody collects the
 * garbage of another, and nobody runs code that another made the engine give up optimising.
 */
export const apart = async <Name extends string>(
  module: string,
  { contestants }: Rivals<Name>,
  options?: RoundOptions
): Promise<Record<Name, Samples>> => {
  const names = Object.keys(contestants) as Array<Name>
  const children = new Map(names.map((name) => [name, start(module, name)]))
  try {
    const round = (name: Name): Promise<Round> => {
      const child = children.get(name)!
      const answer = answerOf<Round>(child)
      child.send("round")
      return answer
    }
    return await inTurns(names, round, options)
  } finally {
    for (const child of children.values()) child.kill()
  }
}

const start = (...args: ReadonlyArray<string>): ChildProcess =>
  fork(worker, args, { execArgv: ["--expose-gc"], serialization: "advanced" })

const answerOf = async <A>(child: ChildProcess): Promise<A> => {
  const done = new AbortController()
  const ended = async (): Promise<never> => {
    const [code, signal] = await once(child, "exit", { signal: done.signal })
    throw new Error(
      `${child.spawnargs.slice(-2).join(" ")} ended with ${signal ?? `exit code ${code}`}; its output says why.`
    )
  }
  const end = ended()
  end.catch(() => {}) // the loser of the race
  try {
    const [message] = await Promise.race([once(child, "message", { signal: done.signal }), end])
    return (message as { readonly value: A }).value
  } finally {
    done.abort()
  }
}
