/** The general lint, configured in `.oxlintrc.json`. */
import { capture } from "../setup/Command.mjs"
import type { Gate } from "./Gate.ts"

export const lint: Gate = {
  name: "lint",
  run: async () => {
    const { code, output } = await capture("oxlint", ["--deny-warnings", "--report-unused-disable-directives"])
    const files = /on (\d+) files/.exec(output)?.[1] ?? "no"
    return { detail: `${files} files`, problems: code === 0 ? [] : [output] }
  }
}
