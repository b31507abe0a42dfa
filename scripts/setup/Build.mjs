/** Builds the packages with turbo, which skips what has not changed since the last time. */
import process from "node:process"
import { capture } from "./Command.mjs"
import { within } from "./Repository.mjs"
import { paint, StatusLine } from "./StatusLine.mjs"

/**
 * @typedef {object} BuildResult
 * @property {boolean} ok
 * @property {string} output what turbo and the compilers printed
 * @property {number} built packages that were built now
 * @property {number} cached packages that were up to date
 */

/**
 * Builds the packages that a filter of turbo selects.
 *
 * @param {string} filter
 * @param {(line: string) => void} [onLine]
 * @returns {Promise<BuildResult>}
 */
export const build = async (filter, onLine) => {
  const args = ["run", "build", `--filter=${filter}`, "--output-logs=new-only", "--log-order=grouped", "--no-color"]
  const { code, output } = await capture(within("node_modules", ".bin", "turbo"), args, { onLine })
  const [, cached = 0, total = 0] = /Cached:\s+(\d+) cached, (\d+) total/.exec(output)?.map(Number) ?? []
  return { ok: code === 0, output, built: total - cached, cached }
}

/** Builds, says so if there was something to build, and ends the program if that fails. */
export const ensureBuilt = async (/** @type {string} */ filter) => {
  const status = new StatusLine("building the packages")
  const { ok, output, built } = await build(filter, (line) => status.update(line))
  status.stop()
  if (!ok) {
    console.error(output)
    console.error("The packages could not be built; the output above says why.")
    process.exit(1)
  }
  const packages = built === 1 ? "1 package" : `${built} packages`
  if (built > 0) console.log(`${paint("green", "✓")} built ${packages} in ${status.elapsed}`)
}
