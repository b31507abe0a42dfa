/** Every dependency is worth a line in the README that says what it is for, and nothing else has one. */
import { readFileSync } from "node:fs"
import { within } from "../setup/Repository.mjs"
import type { Gate } from "./Gate.ts"
import { rootManifest, scope, workspaces } from "./Workspaces.ts"

export const dependencyTable: Gate = {
  name: "table of dependencies",
  run: async () => {
    const used = dependenciesInUse()
    const readme = readFileSync(within("README.md"), "utf8")
    return { detail: `${used.length} dependencies`, problems: judgeTable(readme, used) }
  }
}

/** Compares the table below the heading "Dependencies" with the dependencies in use. */
export const judgeTable = (readme: string, used: ReadonlyArray<string>): ReadonlyArray<string> => {
  const section = /^(#+) Dependencies\s*$([\s\S]*?)(?=^#{1,6} |$(?![\s\S]))/im.exec(readme)?.[2]
  if (section === undefined) return ['README.md has no section "Dependencies" with a table: name, what it is for']
  const rows = [...section.matchAll(/^\|(.*?)\|(.*?)\|/gm)].flatMap(([, names = "", why = ""]) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => ({ name, why: why.trim() }))
  )
  const listed = new Set(rows.map((row) => row.name))
  return [
    ...used.filter((name) => !listed.has(name)).map((name) => `README.md does not say what ${name} is for`),
    ...rows.filter((row) => row.why === "").map(({ name }) => `README.md lists ${name} without saying what it is for`),
    ...rows.filter((row) => !used.includes(row.name)).map(({ name }) => `README.md lists ${name}, which nothing needs`)
  ]
}

const dependenciesInUse = () => {
  const manifests = [rootManifest, ...workspaces.map(({ manifest }) => manifest)]
  const groups = manifests.flatMap((
    manifest
  ) => [manifest.dependencies, manifest.devDependencies, manifest.peerDependencies])
  const names = groups.flatMap((group) => Object.keys(group ?? {}))
  return [...new Set(names)].filter((name) => !name.startsWith(scope)).toSorted()
}
