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

const project = mkdtempSync(join(tmpdir(), "daylight-user-"))
const inProject = (...parts: ReadonlyArray<string>) => join(project, ...parts)
const runs = [
  { name: `Node ${oldestNode}`, program: inProject("node_modules", ".bin", "node") },
  { name: `Node ${rootManifest.devDependencies?.["node"]}`, program: node }
]

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

afterAll(() => rmSync(project, { recursive: true, force: true }))

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

  for (const { name, program } of runs) {
    it(`run the first example of the README on ${name}`, { timeout: patience }, async () => {
      const version = await capture(program, ["--version"], { cwd: project })
      assert.strictEqual(version.output.trim(), name.replace("Node ", "v"))
      const { code, output } = await capture(program, ["example.ts"], { cwd: project, env: cleanEnvironment() })
      assert.strictEqual(code, 0, output)
      assert.notStrictEqual(output.trim(), "", "the first example of the README prints nothing")
      assert.notInclude(output, "Warning:")
    })

    it(`load every entry on ${name}`, { timeout: patience }, async () => {
      const loadAll = `for (const entry of ${JSON.stringify(entries())}) await import(entry)`
      const { code, output } = await capture(program, ["--input-type=module", "--eval", loadAll], { cwd: project })
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

/** What can be imported without the optional peers. */
function entries(): ReadonlyArray<string> {
  return published.flatMap(({ manifest }) => {
    const subpaths = Object.keys(manifest.exports ?? {}).filter((subpath) => !subpath.endsWith(".json"))
    const optional = Object.keys(manifest.peerDependenciesMeta ?? {})
    return subpaths.filter((subpath) => subpath === "." || !optional.some((peer) => peer.includes(subpath.slice(2))))
      .map((subpath) => manifest.name + subpath.slice(1))
  })
}

function commands(): ReadonlyArray<readonly [command: string, file: string]> {
  return published.flatMap(({ manifest }) => Object.entries(manifest.bin ?? {}))
}
