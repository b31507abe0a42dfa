/** Every project type-checks: packages with their tests, applications, measurements, and these scripts. */
import { capture } from "../setup/Command.mjs"
import type { Gate } from "./Gate.ts"
import { typedProjects } from "./Workspaces.ts"

export const types: Gate = {
  name: "types",
  run: async (progress) => {
    const problems: Array<string> = []
    for (const project of typedProjects) {
      progress(project)
      const { code, output } = await capture("tsc", ["--project", `${project}/tsconfig.json`, "--pretty", "false"])
      if (code !== 0) problems.push(output)
    }
    return { detail: `${typedProjects.length} projects`, problems }
  }
}
