/**
 * Garbage collection on demand, without a global function that cells would see.
 */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

let collect: (() => void) | undefined

export const collectGarbage = (): void => {
  if (collect === undefined) {
    setFlagsFromString("--expose-gc")
    collect = runInNewContext("gc") as () => void
    setFlagsFromString("--no-expose-gc")
  }
  collect()
}
