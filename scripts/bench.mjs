/**
 * `npm run bench -- NAME`: runs `bench/NAME.ts` on the built packages; every measurement, one after another, if none is
 * named.
 */
import { existsSync, readdirSync } from "node:fs"
import process from "node:process"
import { ensureBuilt } from "./setup/Build.mjs"
import { inherit } from "./setup/Command.mjs"
import { ensureInstalled } from "./setup/Install.mjs"
import { node, within } from "./setup/Repository.mjs"

/** Programs are in lower case; modules that they share are named after their concept, in PascalCase. */
const programs = readdirSync(within("bench"))
  .filter((file) => /^[a-z][\w-]*\.ts$/.test(file))
  .map((file) => file.replace(/\.ts$/, ""))

const [name, ...rest] = process.argv.slice(2)
const chosen = name === undefined ? programs : [name]

const unknown = chosen.filter((program) => !existsSync(within("bench", `${program}.ts`)))
if (unknown.length > 0) {
  console.error(`There is no measurement named ${unknown[0]}. There are: ${programs.join(", ")}.`)
  process.exit(1)
}

await ensureInstalled()
await ensureBuilt("./packages/*")

let code = 0
for (const program of chosen) {
  if (chosen.length > 1) console.log(`\n${program}`)
  code = Math.max(code, await inherit(node, ["--expose-gc", `bench/${program}.ts`, ...rest]))
}
process.exit(code)
