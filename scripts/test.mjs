/**
 * `npm test`: every gate, then the total. `npm test -- --only types,lint` runs some of them, `npm test -- FILTER` the
 * tests whose path contains FILTER, `npm run test:ui` opens the tests in a browser, `npm run test:recordings` replays
 * recorded provider traffic.
 */
import process from "node:process"
import { handOver } from "./setup/Command.mjs"
import { ensureInstalled } from "./setup/Install.mjs"

const args = process.argv.slice(2)

await ensureInstalled()
if (args.includes("--ui")) await handOver(["node_modules/vitest/vitest.mjs", ...args])
await handOver(["scripts/gates/main.ts", ...args])
