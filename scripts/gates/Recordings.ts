/**
 * Replays recorded provider traffic, which is too large for the repository: `DAYLIGHT_RECORDINGS` says where it lies.
 * The tests are the files `*.recordings.ts` below `test/recordings`; each says how many recordings it replayed by
 * printing `N recordings replayed`.
 */
import process from "node:process"
import { type Gate, none } from "./Gate.ts"
import { runVitest } from "./Vitest.ts"

export const recordings: Gate = {
  name: "recordings",
  run: async (progress) => {
    if (!process.env["DAYLIGHT_RECORDINGS"]) {
      return { detail: "none replayed: DAYLIGHT_RECORDINGS is not set", problems: [], counts: none }
    }
    const { counts, failures, files, output, skipped } = await runVitest(
      ["--config", "vitest.recordings.config.ts"],
      progress
    )
    const replayed = [...output.matchAll(/(\d+) recordings replayed/g)].reduce((sum, [, n]) => sum + Number(n), 0)
    for (const name of skipped) console.log(`  skipped: ${name}`)
    return {
      detail: `${replayed} recordings replayed by ${counts.passed} tests in ${files} files`,
      counts,
      problems: counts.failed > 0 ? [failures] : []
    }
  }
}
