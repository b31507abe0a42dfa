/**
 * The arrows between packages point one way: who may import whom, and what `core` may know of the outside. Only the
 * public entries of another package may be imported, and everything that is imported is a declared dependency.
 */
import { isBuiltin } from "node:module"
import { join } from "node:path"
import type { Gate } from "./Gate.ts"
import { type Import, importsOf } from "./Imports.ts"
import { type Manifest, readManifest, scope, sources, workspaces } from "./Workspaces.ts"

const anything = "*"

/** What the source of each package may import of the others; `evals/*` is every entry below `evals`. */
const allowed: Readonly<Record<string, ReadonlyArray<string>>> = {
  core: [],
  "runtime-vm": ["core"],
  "runtime-kernel": ["core"],
  providers: ["core"],
  skills: ["core"],
  store: ["core"],
  evals: ["core"],
  dashboard: ["core", "store", "evals/trajectory", "evals/cassette"],
  cli: [anything],
  examples: [anything],
  bench: [anything]
}

/** The folders of `core` that may know more than `effect` and `acorn`, which are the other things it may import. */
const coreFolders: Readonly<Record<string, (specifier: string) => boolean>> = {
  "packages/core/src/node/": isBuiltin,
  "packages/core/src/typescript/": (specifier) => isBuiltin(specifier) || packageOf(specifier) === "typescript"
}

const coreImports: ReadonlyArray<string> = ["effect", "acorn"]

/** What is wrong with one import of a package's source, if anything. */
export const judge = (owner: string, manifest: Manifest, item: Import): string | undefined => {
  const at = `${item.file}:${item.line} imports ${item.specifier}`
  if (item.target !== undefined) {
    const home = homeOf(item.file)
    return item.target.startsWith(home) ? undefined : `${at}: that is another package; import it by its name`
  }
  if (item.specifier.startsWith(scope)) return judgeOwnPackage(owner, manifest, item.specifier, at)
  if (owner === "core") {
    const known = coreImports.includes(packageOf(item.specifier)) ||
      Object.entries(coreFolders).some(([folder, knows]) => item.file.startsWith(folder) && knows(item.specifier))
    if (!known) return `${at}: core knows only ${coreImports.join(" and ")}, and Node only under core/src/node`
  }
  if (item.specifier === "effect" && item.file.startsWith("packages/")) {
    return `${at}: import the module itself ("effect/Effect"), the barrel costs start-up time`
  }
  if (isBuiltin(item.specifier)) {
    return item.specifier.startsWith("node:") ? undefined : `${at}: write node:${item.specifier}`
  }
  return declares(manifest, packageOf(item.specifier)) ? undefined : `${at}: it is not in the package.json of ${owner}`
}

const judgeOwnPackage = (owner: string, manifest: Manifest, specifier: string, at: string): string | undefined => {
  const entry = specifier.slice(scope.length)
  const [label = ""] = entry.split("/")
  if (label === owner) return `${at}: inside a package, imports are relative`
  const may = allowed[owner] ?? []
  if (!may.some((pattern) => pattern === anything || pattern === entry || pattern === label)) {
    return `${at}: ${owner} may import ${may.length === 0 ? "no other package" : `only ${may.join(", ")}`}`
  }
  if (!isPublicEntry(label, entry)) return `${at}: that is not one of the public entries of ${label}`
  return declares(manifest, scope + label) ? undefined : `${at}: it is not in the package.json of ${owner}`
}

const isPublicEntry = (label: string, entry: string) => {
  const owner = workspaces.find((workspace) => workspace.label === label)
  const subpath = `.${entry.slice(label.length)}`
  return owner !== undefined && Object.hasOwn(readManifest(owner.folder).exports ?? {}, subpath)
}

const declares = (manifest: Manifest, name: string) =>
  [manifest.dependencies, manifest.peerDependencies].some((group) => Object.hasOwn(group ?? {}, name))

/** `@scope/name/deep` and `name/deep` without what is deep. */
const packageOf = (specifier: string) => specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/")

/** `packages/core/` of `packages/core/src/Agent.ts`. */
const homeOf = (file: string) => {
  const owner = workspaces.find(({ folder }) => file.startsWith(`${folder}/`))
  return `${owner?.folder ?? "."}/`
}

export const arrows: Gate = {
  name: "arrows between packages",
  run: async () => {
    const packages = workspaces.filter(({ folder }) => folder.startsWith("packages/"))
    const missing = packages.filter(({ label }) => allowed[label] === undefined)
      .map(({ label }) => `${label} is not in the table of scripts/gates/Arrows.ts: add what it may import`)
    const imports = packages.flatMap(({ folder, label, manifest }) =>
      sources(join(folder, "src")).flatMap((file) => importsOf(file).map((item) => ({ item, label, manifest })))
    )
    const problems = imports.flatMap(({ item, label, manifest }) => judge(label, manifest, item) ?? [])
    return { detail: `${imports.length} imports`, problems: [...missing, ...problems] }
  }
}
