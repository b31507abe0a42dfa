/** Code is laid out as `npm run format` would. */
import { format, formattedFiles } from "../format/Files.ts"
import type { Gate } from "./Gate.ts"

export const formatting: Gate = {
  name: "formatting",
  run: async () => {
    const files = formattedFiles()
    const problems = files.flatMap(judgeLayout)
    return {
      detail: `${files.length} files`,
      problems: problems.length === 0 ? [] : [...problems, "npm run format puts right what it can read"]
    }
  }
}

const judgeLayout = (file: string): ReadonlyArray<string> => {
  try {
    return format(file, { write: false }) ? [file] : []
  } catch (error) {
    return [`${file} cannot be read: ${error instanceof Error ? error.message.split("\n")[0] : String(error)}`]
  }
}
