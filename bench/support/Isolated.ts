/**
 * Measurements in a process of their own: what one has compiled, optimised and left on the heap does not touch another.
 */
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"

/** What a module in a process of its own exports. */
export interface Isolated<A> {
  readonly measure: () => Promise<A> | A
}

const worker = fileURLToPath(new URL("./Worker.ts", import.meta.url))

/** Runs `measure` of a module in a fresh process. What it gives crosses by structured clone. */
export const isolated = <A>(module: URL, flags: ReadonlyArray<string> = ["--expose-gc"]): Promise<A> =>
  new Promise((resolve, reject) => {
    const child = fork(worker, [module.href], { execArgv: [...flags], serialization: "advanced" })
    let result: { readonly value: A } | undefined
    child.on("message", (message) => {
      result = message as { readonly value: A }
    })
    child.on("error", reject)
    child.on("exit", (code, signal) => {
      if (result !== undefined && code === 0) resolve(result.value)
      else reject(new Error(`${module.pathname} ended with ${signal ?? `exit code ${code}`}; its own output says why.`))
    })
  })
