/** Unit, conformance, example and documentation tests. */
import type { Gate } from "./Gate.ts"
import { runVitest } from "./Vitest.ts"

/** All tests, or those whose path contains one of the filters. */
export const unitTests = (filters: ReadonlyArray<string>): Gate => ({
  name: "tests",
  run: async (progress) => {
    const { counts, failures, files, skipped } = await runVitest(filters, progress)
    const detail = `${counts.passed} passed in ${files} files${skipped.length > 0 ? `, ${skipped.length} skipped` : ""}`
    for (const name of skipped) console.log(`  skipped: ${name}`)
    return { detail, counts, problems: counts.failed > 0 ? [failures] : [] }
  }
})
