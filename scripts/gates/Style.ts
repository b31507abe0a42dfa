/**
 * What the linter has no rule for: lines that fit on a screen, no cast to `any` but at a seam that a comment names, and
 * a repository that speaks of the product alone, not of the machine that it was written on.
 */
import { globSync, readFileSync } from "node:fs"
import { root, within } from "../setup/Repository.mjs"
import type { Gate } from "./Gate.ts"

const longestLine = 120

interface Rule {
  readonly files: RegExp
  /** What is wrong with a line, if anything; `before` is the line above it. */
  readonly check: (line: string, before: string) => string | undefined
}

const rules: ReadonlyArray<Rule> = [
  {
    // Code is laid out by the formatter, which leaves long texts whole.
    files: /\.(ts|tsx|mjs)$/,
    check: (line) =>
      line.length > longestLine && /^\s*(\*|\/\*|\/\/)|\s\/\/ [^"'`]*$/.test(line)
        ? `a comment of ${line.length} characters; the limit is ${longestLine}`
        : undefined
  },
  {
    files: /\/src\/.*\.tsx?$/,
    check: (line, before) =>
      /\bas any\b/.test(line) && !/\/\/|\*/.test(line) && !/\/\/|\*\//.test(before)
        ? "a cast to any needs a comment that names the seam"
        : undefined
  },
  {
    files: /\.(ts|tsx|mjs|md|json|ya?ml)$/,
    check: (line) => line.includes(root) ? "the path of this very checkout; make it relative" : undefined
  }
]

/** What is wrong in one file, as `line: problem`. */
export const judgeText = (file: string, text: string): ReadonlyArray<string> => {
  const lines = text.split("\n")
  return rules.filter((rule) => rule.files.test(file)).flatMap((rule) =>
    lines.flatMap((line, index) => {
      const problem = rule.check(line, lines[index - 1] ?? "")
      return problem === undefined ? [] : [`${file}:${index + 1}: ${problem}`]
    })
  )
}

export const style: Gate = {
  name: "style",
  run: async () => {
    const files = written()
    return {
      detail: `${files.length} files`,
      problems: files.flatMap((file) => judgeText(file, readFileSync(within(file), "utf8")))
    }
  }
}

const written = (): ReadonlyArray<string> =>
  globSync("{*,{apps,bench,packages,scripts}/**/*}", {
    cwd: root,
    exclude: ["**/node_modules/**", "**/dist/**", "**/out/**", "**/fixtures/**", "**/__snapshots__/**"]
  }).filter((file) => file !== "package-lock.json" && rules.some((rule) => rule.files.test(file))).toSorted()
