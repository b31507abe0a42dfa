/** The packages of the repository, as their `package.json` files describe them. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname } from "node:path"
import { root, within } from "../setup/Repository.mjs"

export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly workspaces?: ReadonlyArray<string>
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin?: Readonly<Record<string, string>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

export interface Workspace {
  /** `core` for `@daylight/core`. */
  readonly label: string
  /** Relative to the repository's root: `packages/core`. */
  readonly folder: string
  readonly manifest: Manifest
}

export const scope = "@daylight/"

export const readManifest = (folder: string): Manifest =>
  JSON.parse(readFileSync(within(folder, "package.json"), "utf8"))

export const rootManifest = readManifest(".")

export const workspaces: ReadonlyArray<Workspace> = (rootManifest.workspaces ?? [])
  .flatMap((pattern) => globSync(`${pattern}/package.json`, { cwd: root }).toSorted())
  .map((file) => {
    const manifest = readManifest(dirname(file))
    return { label: manifest.name.replace(scope, ""), folder: dirname(file), manifest }
  })

/** The libraries: everything under `packages/` that has source. */
export const libraries = workspaces.filter(({ folder }) =>
  folder.startsWith("packages/") && existsSync(within(folder, "src"))
)

/** What people can install. */
export const published = libraries.filter(({ manifest }) => manifest.private !== true)

/** The folders with a `tsconfig.json`, the root among them. */
export const typedProjects: ReadonlyArray<string> = [".", ...workspaces.map(({ folder }) => folder)]
  .filter((folder) => existsSync(within(folder, "tsconfig.json")))

/** The TypeScript files below a folder, in order. */
export const sources = (folder: string): ReadonlyArray<string> =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: root, exclude: ["**/node_modules/**", "**/dist/**"] }).toSorted()
