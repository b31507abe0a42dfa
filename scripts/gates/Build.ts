/** The packages can be built; what the later gates look at is what is built here. */
import { build as buildPackages } from "../setup/Build.mjs"
import type { Gate } from "./Gate.ts"

export const build: Gate = {
  name: "build",
  run: async (progress) => {
    const { ok, output, built, cached } = await buildPackages("./packages/*", progress)
    return { detail: `${built} built, ${cached} up to date`, problems: ok ? [] : [output] }
  }
}
