/**
 * A program has one copy of Effect. A library that carries its own would bring a second; a command may carry one, and
 * the installed tree holds exactly one.
 */
import { globSync, readFileSync } from "node:fs"
import { within } from "../setup/Repository.mjs"
import type { Gate } from "./Gate.ts"
import { published, type Workspace } from "./Workspaces.ts"

export const oneEffect: Gate = {
  name: "one copy of effect",
  run: async () => {
    const bundles = published.flatMap(bundlesOf)
    return {
      detail: `${bundles.length} files`,
      problems: [
        ...published.filter(({ folder }) => !bundles.some(({ file }) => file.startsWith(`${folder}/`)))
          .map(({ label }) => `${label} is not built: npm run build`),
        ...bundles.flatMap(({ file, limit }) => judgeBundle(file, readFileSync(within(file), "utf8"), limit)),
        ...judgeInstalled(readFileSync(within("package-lock.json"), "utf8"))
      ]
    }
  }
}

/** Bundlers head each module that they inline with its path; the folders before `effect/` tell the copies apart. */
export const judgeBundle = (file: string, text: string, limit: number): ReadonlyArray<string> => {
  const copies = new Set([...text.matchAll(/^\/\/ (.*node_modules\/effect)\//gm)].map(([, folder]) => folder))
  if (copies.size <= limit) return []
  return [`${file} carries ${copies.size} copies of effect, ${limit} allowed; keep it external`]
}

/** What the lock file would install. */
export const judgeInstalled = (lock: string): ReadonlyArray<string> => {
  const packages: Record<string, unknown> = JSON.parse(lock).packages
  const copies = Object.keys(packages).filter((path) => path.endsWith("node_modules/effect"))
  return copies.length === 1 ? [] : [`the lock file installs effect ${copies.length} times: ${copies.join(", ")}`]
}

/** The built files of a package, and how many copies each may carry. */
const bundlesOf = ({ folder, manifest }: Workspace) => {
  const hasCommand = manifest.bin !== undefined
  return globSync(`${folder}/dist/**/*.js`, { cwd: within() }).map((file) => ({
    file,
    // What a command is split into is its own as well.
    limit: hasCommand && (file === `${folder}/dist/main.js` || /\/chunk-/.test(file)) ? 1 : 0
  }))
}
