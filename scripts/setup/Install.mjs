/**
 * Installs the dependencies when they are absent or differ from the lock file. A stamp under `node_modules` holds the
 * hash of the lock file that was installed, so the usual answer costs a millisecond; without a stamp, npm's own record
 * of what is on disk decides, so that an `npm ci` by hand is recognised.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import process from "node:process"
import { capture } from "./Command.mjs"
import { node, outerEnvironment, within } from "./Repository.mjs"
import { paint, StatusLine } from "./StatusLine.mjs"

const oldestNode = 20
const lockFile = within("package-lock.json")
const stampFile = within("node_modules", ".daylight-install")

export const ensureInstalled = async () => {
  requireNode()
  const stamp = lockStamp()
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stamp && existsSync(node)) return
  if (!matchesLock() || !nodeRuns()) await install()
  writeFileSync(stampFile, stamp)
}

const requireNode = () => {
  if (Number.parseInt(process.versions.node, 10) >= oldestNode) return
  stop(`Daylight needs Node ${oldestNode} or newer to install itself; this is ${process.versions.node}.`)
}

/** The hash of the lock file, and the machine that it was installed for. */
const lockStamp = () =>
  `${createHash("sha256").update(readFileSync(lockFile)).digest("hex")} ${process.platform}-${process.arch}\n`

/** Whether every package of the lock file is on disk in its version. */
const matchesLock = () => {
  const record = within("node_modules", ".package-lock.json")
  if (!existsSync(record)) return false
  const wanted = JSON.parse(readFileSync(lockFile, "utf8")).packages
  const present = JSON.parse(readFileSync(record, "utf8")).packages
  return Object.entries(wanted).every(([path, entry]) =>
    path === "" || entry.optional || entry.link || present[path]?.version === entry.version
  )
}

const nodeRuns = () => existsSync(node) && spawnSync(node, ["--version"]).status === 0

const install = async () => {
  console.log("Installing dependencies (npm ci): needed once, takes about a minute.")
  const status = new StatusLine("installing")
  const { code, output } = await capture("npm", ["ci", "--no-audit", "--no-fund"], {
    env: outerEnvironment(),
    onLine: (line) => status.update(line)
  })
  status.stop()
  if (code !== 0) {
    console.error(output)
    stop("npm ci failed; its output is above. Check the network and the registry of npm, then run this again.")
  }
  if (!nodeRuns()) {
    stop(
      "npm ci ran, but the `node` package did not install its program. If install scripts are switched off " +
        "(npm config get ignore-scripts), switch them on, remove node_modules and run this again."
    )
  }
  console.log(`${paint("green", "✓")} installed in ${status.elapsed}`)
}

/** @returns {never} */
const stop = (/** @type {string} */ message) => {
  console.error(message)
  process.exit(1)
}
