/** Code is laid out as `npm run format` would. */
import { format, formattedFiles } from "../format/Files.ts"
import type { Gate } from "./Gate.ts"

export const formatting: Gate = {
  name: "formatting",
  run: async () => {
    const files = formattedFiles()
    const problems = files.filter((file) => format(file, { write: false }))
    return {
      detail: `${files.length} files`,
      problems: problems.length === 0 ? [] : [...problems, "npm run format puts this right"]
    }
  }
}
