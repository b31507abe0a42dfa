/**
 * `npm run format`: lays out the code of the repository, or of the files and folders that are named. `--check` changes
 * nothing and names what would change.
 */
import process from "node:process"
import { format, formattedFiles } from "./format/Files.ts"

const args = process.argv.slice(2)
const check = args.includes("--check")
const folders = args.filter((arg) => arg !== "--check").map((path) => path.replace(/^\.\/|\/$/g, ""))

const chosen = formattedFiles().filter((file) =>
  folders.length === 0 || folders.some((folder) => file === folder || file.startsWith(`${folder}/`))
)
const changed = chosen.filter((file) => format(file, { write: !check }))

for (const file of changed) console.log(`${check ? "to be formatted" : "formatted"}: ${file}`)
console.log(`${chosen.length} files, ${changed.length} ${check ? "to be formatted" : "formatted"}`)
process.exit(check && changed.length > 0 ? 1 : 0)
