/**
 * What a user gets: the packages as they would be published, installed into an empty project, where the first example
 * of the README type-checks and runs on the oldest Node that is supported and on the newest.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { examplesOf } from "../docs/Example.ts"
import { fencesOf } from "../docs/Fences.ts"
import { importsIn } from "../gates/Imports.ts"
import { pack } from "../gates/Pack.ts"
import { published, rootManifest, workspaces } from "../gates/Workspaces.ts"
import { build } from "../setup/Build.mjs"
import { capture } from "../setup/Command.mjs"
import { environment, node, outerEnvironment, within } from "../setup/Repository.mjs"

const oldestNode = "22.19.0"
const patience = 180_000

/** Loads every entry; what is missing may only be a peer that is optional. */
const loadAll = `
  for (const { entry, optional } of JSON.parse(process.argv[2])) {
    await import(entry).catch((error) => {
      const missing = error.code === "ERR_MODULE_NOT_FOUND" && optional.some((peer) => error.message.includes("'" + peer + "'"))
      if (!missing) throw error
    })
  }
`

const project = mkdtempSync(join(tmpdir(), "daylight-user-"))
const inProject = (...parts: ReadonlyArray<string>) => join(project, ...parts)
const runs = [
  // The engine of Node 22 does not know `using`.
  {
    name: `Node ${oldestNode}`,
    program: inProject("node_modules", ".bin", "node"),
    lacks: ["using disposes at the end of the cell"]
  },
  { name: `Node ${rootManifest.devDependencies?.["node"]}`, program: node, lacks: [] }
]

/** The conformance suite as a program: prints what fails, and what is said to be lacking and is not. */
const conformance = `
  import { runCase, runtimeCases } from "@daylight/core/testing"
  import { VmRuntime } from "@daylight/runtime-vm"

  const lacks = JSON.parse(process.argv[2])
  const problems = []
  for (const test of runtimeCases) {
    const failure = await runCase(test, VmRuntime.layer).then(() => undefined, (error) => error)
    const expected = lacks.includes(test.name)
    if (failure && !expected) problems.push(test.name + ": " + failure.message)
    if (!failure && expected) problems.push(test.name + " works; it is not lacking any more")
  }
  for (const problem of problems) console.log(problem)
  process.exit(problems.length === 0 && runtimeCases.length > 100 ? 0 : 1)
`

beforeAll(async () => {
  const { ok, output } = await build("./packages/*")
  assert.isTrue(ok, output)
  const code = firstExample()
  writeFileSync(inProject("example.ts"), code)
  writeFileSync(
    inProject("package.json"),
    JSON.stringify({
      type: "module",
      private: true,
      dependencies: { ...await archives(), ...versions([...importsIn(code), "effect"]), node: oldestNode },
      allowScripts: { node: true }
    })
  )
  const install = ["install", "--no-audit", "--no-fund"]
  const installed = await capture("npm", install, { cwd: project, env: outerEnvironment() })
  assert.strictEqual(installed.code, 0, installed.output)
}, patience)

afterAll(() => rmSync(project, { recursive: true, force: true }), patience)

describe("the published packages in an empty project", () => {
  it("have types that the first example of the README agrees with", { timeout: patience }, async () => {
    writeFileSync(
      inProject("tsconfig.json"),
      JSON.stringify({
        compilerOptions: { strict: true, module: "nodenext", target: "es2024", noEmit: true, types: [] },
        files: ["example.ts"]
      })
    )
    const { code, output } = await capture(within("node_modules", ".bin", "tsc"), ["--project", "tsconfig.json"], {
      cwd: project
    })
    assert.strictEqual(code, 0, output)
  })

  for (const { lacks, name, program } of runs) {
    it(`run the first example of the README on ${name}`, { timeout: patience }, async () => {
      const version = await capture(program, ["--version"], { cwd: project })
      assert.strictEqual(version.output.trim(), name.replace("Node ", "v"))
      const { code, output } = await capture(program, ["example.ts"], { cwd: project, env: cleanEnvironment() })
      assert.strictEqual(code, 0, output)
      assert.notStrictEqual(output.trim(), "", "the first example of the README prints nothing")
      assert.notInclude(output, "Warning:")
    })

    it(`behave as every runtime has to on ${name}`, { timeout: patience }, async () => {
      writeFileSync(inProject("conformance.mjs"), conformance)
      const { code, output } = await capture(program, ["conformance.mjs", JSON.stringify(lacks)], { cwd: project })
      assert.strictEqual(code, 0, output)
    })

    it(`load every entry on ${name}`, { timeout: patience }, async () => {
      writeFileSync(inProject("load.mjs"), loadAll)
      const { code, output } = await capture(program, ["load.mjs", JSON.stringify(entries())], { cwd: project })
      assert.strictEqual(code, 0, output)
    })
  }

  for (const [command, file] of commands()) {
    it(`run ${command} --version`, { timeout: patience }, async () => {
      const program = inProject("node_modules", ".bin", command)
      const { code, output } = await capture(program, ["--version"], { cwd: project })
      assert.strictEqual(code, 0, `${file}: ${output}`)
      assert.match(output, /\d+\.\d+\.\d+/)
    })
  }
})

/** Without the keys of the machine that runs the tests: the example has to do without. */
function cleanEnvironment() {
  return Object.fromEntries(Object.entries(environment()).filter(([name]) => !name.endsWith("_API_KEY")))
}

function firstExample(): string {
  const [example] = examplesOf(fencesOf("README.md", readFileSync(within("README.md"), "utf8")))
  assert.isDefined(example, "README.md has no TypeScript example")
  return example.fence.code
}

async function archives(): Promise<Record<string, string>> {
  const packed: Record<string, string> = {}
  for (const workspace of published) packed[workspace.manifest.name] = `file:${await pack(workspace, project)}`
  return packed
}

/** The versions in which the repository itself uses what the example imports. */
function versions(specifiers: ReadonlyArray<string>): Record<string, string> {
  const manifests = workspaces.map(({ manifest }) => manifest.dependencies)
  const known = Object.assign({}, ...manifests, rootManifest.devDependencies)
  const names = specifiers.filter((name) => !name.startsWith("@daylight/") && known[name] !== undefined)
  return Object.fromEntries(names.map((name) => [name, known[name]]))
}

/** Every entry that can be imported, with the peers that it may miss. */
function entries(): ReadonlyArray<{ readonly entry: string; readonly optional: ReadonlyArray<string> }> {
  return published.flatMap(({ manifest }) =>
    Object.keys(manifest.exports ?? {}).filter((subpath) => !subpath.endsWith(".json")).map((subpath) => ({
      entry: manifest.name + subpath.slice(1),
      optional: Object.keys(manifest.peerDependenciesMeta ?? {})
    }))
  )
}

function commands(): ReadonlyArray<readonly [command: string, file: string]> {
  return published.flatMap(({ manifest }) => Object.entries(manifest.bin ?? {}))
}
