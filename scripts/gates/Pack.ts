/** Packages as they would be published. */
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { capture } from "../setup/Command.mjs"
import { outerEnvironment, within } from "../setup/Repository.mjs"
import type { Workspace } from "./Workspaces.ts"

/** Writes the package's archive into a folder, and gives its path. The package must have been built. */
export const pack = async ({ folder, label }: Workspace, destination: string): Promise<string> => {
  mkdirSync(destination, { recursive: true })
  const { code, output, stdout } = await capture("npm", ["pack", "--json", "--pack-destination", destination], {
    cwd: within(folder),
    env: outerEnvironment()
  })
  if (code !== 0) throw new Error(`npm pack of ${label} failed:\n${output}`)
  const described: unknown = JSON.parse(stdout)
  const [file] = Object.values(described as Record<string, { readonly filename: string }>)
  if (file === undefined) throw new Error(`npm pack of ${label} named no archive:\n${stdout}`)
  return join(destination, file.filename)
}
