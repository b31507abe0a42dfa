/** Each gate can fail: it is shown something wrong, and has to say what. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { judge } from "../gates/Arrows.ts"
import { compare } from "../gates/BundleSize.ts"
import { findCycles } from "../gates/Cycles.ts"
import { judgeTable } from "../gates/DependencyTable.ts"
import { diagnose } from "../gates/EffectLint.ts"
import { add, countsOf, none, total } from "../gates/Gate.ts"
import type { Import } from "../gates/Imports.ts"
import { judgeBundle, judgeInstalled } from "../gates/OneEffect.ts"
import { judgeText } from "../gates/Style.ts"
import { readManifest } from "../gates/Workspaces.ts"
import { capture } from "../setup/Command.mjs"
import { root } from "../setup/Repository.mjs"

describe("effect lint", () => {
  it("fails on a file that compiles and is wrong", async () => {
    const project = "scripts/test/fixtures/effect-lint/tsconfig.json"
    assert.strictEqual((await capture("tsc", ["--project", project])).code, 0)
    const problems = await diagnose(project) ?? ""
    assert.include(problems, "floatingEffect")
    assert.include(problems, "missingReturnYieldStar")
  }, 60_000)
})

describe("lint", () => {
  it("fails on a file with mistakes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "daylight-lint-"))
    const mistakes = ["export const same = (a: unknown, b: string) => {", "  debugger", "  return a == b", "}", ""]
    writeFileSync(join(folder, "mistakes.ts"), mistakes.join("\n"))
    const { code, output } = await capture("oxlint", ["--config", ".oxlintrc.json", folder])
    rmSync(folder, { recursive: true })
    assert.notStrictEqual(code, 0, output)
    assert.include(output, "no-debugger")
    assert.include(output, "eqeqeq")
  })
})

describe("arrows between packages", () => {
  const item = (file: string, specifier: string, target?: string): Import => ({
    file,
    line: 3,
    specifier,
    target,
    typeOnly: false,
    lazy: false
  })

  const wrong: ReadonlyArray<readonly [file: string, specifier: string, problem: string]> = [
    ["packages/core/src/Agent.ts", "@daylight/runtime-vm", "core may import no other package"],
    ["packages/runtime-vm/src/index.ts", "@daylight/providers", "runtime-vm may import only core"],
    ["packages/runtime-vm/src/index.ts", "@daylight/core/internal/Loop", "not one of the public entries of core"],
    ["packages/runtime-vm/src/index.ts", "@daylight/runtime-vm", "inside a package, imports are relative"],
    ["packages/core/src/Agent.ts", "node:fs", "Node only under core/src/node"],
    ["packages/core/src/Agent.ts", "zod", "core knows only effect and acorn"],
    ["packages/core/src/node/Notebook.ts", "fs", "write node:fs"],
    ["packages/core/src/node/Notebook.ts", "zod", "core knows only effect and acorn"],
    ["packages/runtime-vm/src/index.ts", "effect", "import the module itself"],
    ["packages/runtime-vm/src/index.ts", "zod", "not in the package.json of runtime-vm"],
    ["packages/cli/src/main.ts", "@daylight/core/src/Agent", "not one of the public entries of core"]
  ]
  for (const [file, specifier, problem] of wrong) {
    it(`refuses ${specifier} in ${file}`, () => {
      assert.include(judgeIn(file, item(file, specifier)) ?? "nothing", problem)
    })
  }

  it("refuses a relative import into another package", () => {
    const file = "packages/runtime-vm/src/index.ts"
    const found = judgeIn(file, item(file, "../../core/src/Agent.ts", "packages/core/src/Agent.ts"))
    assert.include(found ?? "nothing", "packages/runtime-vm/src/index.ts:3 imports ../../core/src/Agent.ts")
  })

  const right: ReadonlyArray<readonly [file: string, specifier: string]> = [
    ["packages/core/src/Agent.ts", "effect/Effect"],
    ["packages/core/src/syntax/Parse.ts", "acorn"],
    ["packages/core/src/node/Notebook.ts", "node:vm"],
    ["packages/runtime-vm/src/index.ts", "@daylight/core/node"],
    ["packages/cli/src/main.ts", "@daylight/core/promise"]
  ]
  for (const [file, specifier] of right) {
    it(`allows ${specifier} in ${file}`, () => assert.isUndefined(judgeIn(file, item(file, specifier))))
  }

  const judgeIn = (file: string, imported: Import) => {
    const [, label = ""] = file.split("/")
    return judge(label, readManifest(`packages/${label}`), imported)
  }
})

describe("circular imports", () => {
  it("finds every circle, and none where there is none", () => {
    const graph = new Map([["a", ["b"]], ["b", ["c", "d"]], ["c", ["a"]], ["d", ["d"]], ["e", ["a"]]])
    assert.deepStrictEqual(findCycles(graph), [["a", "b", "c", "a"], ["d", "d"]])
    assert.deepStrictEqual(findCycles(new Map([["a", ["b", "c"]], ["b", ["c"]], ["c", []]])), [])
  })
})

describe("bundle size", () => {
  it("refuses what grew beyond its budget, and what has none", () => {
    assert.lengthOf(compare("x", { initial: 10, total: 20 }, { initial: 10, total: 20 }), 0)
    assert.include(compare("x", { initial: 11, total: 20 }, { initial: 10, total: 20 }).join(), "initial size is 11")
    assert.include(compare("x", { initial: 10, total: 21 }, { initial: 10, total: 20 }).join(), "total size is 21")
    assert.include(compare("x", { initial: 1, total: 1 }, undefined).join(), "has no budget")
  })
})

describe("one copy of effect", () => {
  const inlined = "// ../../node_modules/effect/dist/Effect.js\nvar a\n"

  it("refuses a library that carries it, and a command that carries two", () => {
    assert.lengthOf(judgeBundle("a.js", 'import * as Effect from "effect/Effect"', 0), 0)
    assert.lengthOf(judgeBundle("a.js", inlined, 0), 1)
    assert.lengthOf(judgeBundle("a.js", inlined, 1), 0)
    assert.lengthOf(judgeBundle("a.js", `${inlined}// node_modules/x/node_modules/effect/dist/Effect.js\n`, 1), 1)
  })

  it("refuses a lock file that installs it twice", () => {
    const lock = (...paths: ReadonlyArray<string>) =>
      JSON.stringify({ packages: Object.fromEntries(paths.map((path) => [path, {}])) })
    assert.lengthOf(judgeInstalled(lock("node_modules/effect", "node_modules/@effect/vitest")), 0)
    assert.lengthOf(judgeInstalled(lock("node_modules/effect", "node_modules/x/node_modules/effect")), 1)
  })
})

describe("table of dependencies", () => {
  const table = (...rows: ReadonlyArray<string>) =>
    ["# A", "", "## Dependencies", "", "| name | what for |", "|---|---|", ...rows, "", "## B", "| `x` | |"].join("\n")

  it("refuses what is missing, unexplained or unused", () => {
    assert.deepStrictEqual(judgeTable(table("| `a`, [`b`](https://b) | to have it |"), ["a", "b"]), [])
    assert.deepStrictEqual(judgeTable(table("| `a` | why |"), ["a", "b"]), ["README.md does not say what b is for"])
    assert.deepStrictEqual(judgeTable(table("| `a` | |"), ["a"]), ["README.md lists a without saying what it is for"])
    assert.deepStrictEqual(judgeTable(table("| `a` | why |"), []), ["README.md lists a, which nothing needs"])
    assert.lengthOf(judgeTable("# Daylight", ["a"]), 1)
  })
})

describe("style", () => {
  it("refuses long comments, unexplained casts and paths of this machine", () => {
    const file = "packages/core/src/A.ts"
    assert.deepStrictEqual(judgeText(file, `// ${"x".repeat(117)}`), [])
    assert.lengthOf(judgeText(file, `// ${"x".repeat(118)}`), 1)
    assert.lengthOf(judgeText(file, `const a = 1 // ${"x".repeat(118)}`), 1)
    assert.lengthOf(judgeText(file, "const a = b as any"), 1)
    assert.deepStrictEqual(judgeText(file, "// the seam between a and b\nconst a = b as any"), [])
    assert.lengthOf(judgeText("README.md", `see ${root}out`), 1)
  })
})

describe("the total", () => {
  it("adds up, and a gate without counts is one test", () => {
    assert.strictEqual(total(none), "0 passed, 0 failed")
    assert.strictEqual(total({ passed: 2, failed: 1, skipped: 3 }), "2 passed, 1 failed, 3 skipped")
    assert.deepStrictEqual(countsOf({ detail: "", problems: [] }), { passed: 1, failed: 0, skipped: 0 })
    assert.deepStrictEqual(countsOf({ detail: "", problems: ["x", "y"] }), { passed: 0, failed: 1, skipped: 0 })
    assert.deepStrictEqual(add({ passed: 1, failed: 2, skipped: 3 }, { passed: 1, failed: 1, skipped: 1 }), {
      passed: 2,
      failed: 3,
      skipped: 4
    })
  })
})
