/** `npm start`: runs the pipeline example, after installing and building what is missing. Arguments pass through. */
import process from "node:process"
import { ensureBuilt } from "./setup/Build.mjs"
import { handOver } from "./setup/Command.mjs"
import { ensureInstalled } from "./setup/Install.mjs"

await ensureInstalled()
await ensureBuilt("@daylight/examples^...")
await handOver(["apps/examples/pipeline/main.ts", ...process.argv.slice(2)])
