import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, describe, it } from "vitest"
import { readTranscript } from "../support/Transcript.ts"

/** What each agent's runtime holds, as the type checker is to see it. */
const SURROUNDINGS = {
  orchestrator: `
    type Handle = { readonly vars: Record<string, any>; ask(prompt: string): Promise<string> }
    declare const db: import("node:sqlite").DatabaseSync, usStates: object, cleaner: Handle, analyst: Handle, finish: (value: unknown) => void`,
  cleaner: `
    declare const strikes: RawStrike[], airports: Airport[], departures: Map<string, number>
    declare const recordIssue: (issue: { issue: string; rows: number; unit?: "rows" | "names"; decision: string }) => Promise<void>`,
  analyst: "declare const strikes: Strike[], airports: Airport[]"
}

const REDECLARED = "TS2451"
/** The mistakes that the stories are about; what a checker cannot see (a missing airport) is not among them. */
const MISTAKES = [
  "TS2339: Property 'query' does not exist on type 'DatabaseSync'.",
  "TS2531: Object is possibly 'null'."
]

describe("the code in the transcripts", () => {
  const folder = mkdtempSync(join(tmpdir(), "cells-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  it("is strict TypeScript, but for the mistakes that it then corrects", () => {
    const tables = fileURLToPath(new URL("../pipeline/Tables.ts", import.meta.url))
    for (const [agent, surroundings] of Object.entries(SURROUNDINGS)) {
      const cells = readTranscript(new URL(`../pipeline/transcripts/${agent}.md`, import.meta.url)).map(({ code }) =>
        code ?? ""
      )
      const imports = `import type { RawStrike, Strike, Airport, Rate, Season, Species } from ${JSON.stringify(tables)}`
      writeFileSync(join(folder, `${agent}.ts`), [imports, surroundings, ...cells].join("\n"))
    }
    const packageOf = (name: string) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))
    const compilerOptions = {
      noEmit: true,
      strict: true,
      target: "esnext",
      module: "preserve",
      skipLibCheck: true,
      allowImportingTsExtensions: true,
      types: ["node"],
      typeRoots: [dirname(packageOf("@types/node"))]
    }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }))

    const tsc = join(packageOf("typescript"), "bin", "tsc")
    const { stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" })
    const problems = stdout.split("\n").filter((line) => line.includes("error TS") && !line.includes(REDECLARED)).map((
      line
    ) => line.replace(/^.*?error /, ""))
    assert.sameMembers(problems, MISTAKES)
  }, 30_000)
})
