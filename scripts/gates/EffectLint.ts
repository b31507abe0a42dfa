/** Mistakes with Effect that types do not show: a floating effect, a failure without `return`, layers built twice. */
import { capture } from "../setup/Command.mjs"
import { root } from "../setup/Repository.mjs"
import type { Gate } from "./Gate.ts"
import { typedProjects } from "./Workspaces.ts"

/** The diagnostics of one project, nothing if there are none. A project in which no file was checked has a problem. */
export const diagnose = async (tsconfig: string): Promise<string | undefined> => {
  const { code, output } = await capture("effect-tsgo", [
    "diagnostics",
    "--strict",
    "--format",
    "text",
    "--project",
    tsconfig
  ])
  if (code !== 0) return output.replaceAll(root, "")
  const checked = /Checked (\d+) files/.exec(output)?.[1]
  return checked === undefined || checked === "0" ? `${tsconfig}: no file was checked\n${output}` : undefined
}

export const effectLint: Gate = {
  name: "effect lint",
  run: async (progress) => {
    const problems: Array<string> = []
    for (const project of typedProjects) {
      progress(project)
      const problem = await diagnose(`${project}/tsconfig.json`)
      if (problem !== undefined) problems.push(problem)
    }
    return { detail: `${typedProjects.length} projects, warnings count`, problems }
  }
}
