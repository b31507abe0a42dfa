/** Runs vitest and reads its counts from its JSON report. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { capture } from "../setup/Command.mjs"
import { within } from "../setup/Repository.mjs"
import type { Counts } from "./Gate.ts"

export interface VitestRun {
  readonly counts: Counts
  /** Test files that ran. */
  readonly files: number
  /** What vitest and the tests printed. */
  readonly output: string
  /** The failures in detail, as vitest printed them. */
  readonly failures: string
  /** The full names of the tests that were skipped or are still to be written. */
  readonly skipped: ReadonlyArray<string>
}

interface Report {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly status: string
    readonly assertionResults: ReadonlyArray<{ readonly status: string; readonly fullName: string }>
  }>
}

/** Runs the tests that `args` choose, telling `progress` how far they are. */
export const runVitest = async (args: ReadonlyArray<string>, progress: (what: string) => void): Promise<VitestRun> => {
  const folder = mkdtempSync(join(tmpdir(), "daylight-tests-"))
  const reportFile = join(folder, "report.json")
  let files = 0
  try {
    const { code, output } = await capture(within("node_modules", ".bin", "vitest"), [
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${reportFile}`,
      ...args
    ], {
      onLine: (line) => {
        const file = /^\s*[✓❯×]\s+(\S+\.ts)\s/.exec(line)?.[1]
        if (file !== undefined) progress(`${++files} files, ${file}`)
      }
    })
    const report: Report = existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, "utf8")) : { testResults: [] }
    return summarise(report, code, output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const summarise = (report: Report, code: number, output: string): VitestRun => {
  const tests = report.testResults.flatMap((file) => file.assertionResults)
  const brokenFiles = report.testResults
    .filter((file) => file.status === "failed" && file.assertionResults.length === 0)
  const passed = tests.filter((test) => test.status === "passed").length
  const failed = tests.filter((test) => test.status === "failed").length + brokenFiles.length
  const skipped = tests.filter((test) => test.status !== "passed" && test.status !== "failed")
  return {
    // Vitest also fails for what no test is to blame for, such as a stray rejection.
    counts: { passed, failed: code !== 0 && failed === 0 ? 1 : failed, skipped: skipped.length },
    files: report.testResults.length,
    output,
    failures: failuresIn(output),
    skipped: skipped.map((test) => test.fullName)
  }
}

/** Without the list of what passed; all of it, if vitest did not come so far as to list anything. */
const failuresIn = (output: string) => {
  const start = output.search(/^.*(Failed Suites|Failed Tests|Unhandled Errors) \d*.*$/m)
  return start < 0 ? output : output.slice(start).replace(/^JSON report written to .*$/m, "")
}
