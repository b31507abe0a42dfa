/** The process that `isolated` starts: measures, sends what came out, and ends. */
import type { Isolated } from "./Isolated.ts"

const { measure }: Isolated<unknown> = await import(process.argv[2]!)
const value = await measure()
process.send!({ value }, () => process.exit(0))
