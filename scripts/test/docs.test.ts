/** Every TypeScript example in the documentation type-checks and runs, and its `// =>` comments are true. */
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "vitest"
import { type Example, examplesOf, withAssertions } from "../docs/Example.ts"
import { fencesOf } from "../docs/Fences.ts"
import { capture } from "../setup/Command.mjs"
import { node, root, within } from "../setup/Repository.mjs"

const folder = "out/docs"
const pages = globSync("{README.md,{packages,apps}/*/README.md}", { cwd: root }).toSorted()
const examples = pages.flatMap((page) => examplesOf(fencesOf(page, readFileSync(within(page), "utf8"))))

/** `packages-core-README-12.ts`: the name leads back to the line. */
const fileOf = ({ fence }: Example) => `${fence.file.replaceAll("/", "-").replace(/\.md$/, "")}-${fence.line}`

const title = ({ fence }: Example) => `${fence.file}:${fence.line}`

const write = (name: string, text: string) => {
  writeFileSync(within(folder, name), text)
  return within(folder, name)
}

describe("examples in the documentation", () => {
  rmSync(within(folder), { recursive: true, force: true })
  mkdirSync(within(folder), { recursive: true })

  it("type-check", { timeout: 120_000 }, async () => {
    const files = examples.map((example) => write(`${fileOf(example)}.ts`, example.fence.code))
    assert.notStrictEqual(files.length, 0, "no README has an example")
    const tsconfig = write(
      "tsconfig.json",
      JSON.stringify({
        extends: "../../tsconfig.base.json",
        compilerOptions: { noEmit: true, moduleDetection: "force", typeRoots: ["../../node_modules/@types"] },
        files
      })
    )
    const { code, output } = await capture("tsc", ["--project", tsconfig, "--pretty", "false"])
    assert.strictEqual(code, 0, `${inPages(output)}\nAn example that cannot stand alone is marked \`ts fragment\`.`)
  })

  describe.concurrent("run", () => {
    for (const example of examples.filter(({ runs }) => runs)) {
      it(title(example), { timeout: 60_000 }, async () => {
        const file = write(`${fileOf(example)}.run.ts`, withAssertions(example.fence.code))
        const { code, output } = await capture(node, ["--conditions=@daylight/source", file])
        assert.strictEqual(code, 0, `${output}\nAn example that needs a key or a network is marked \`ts no-run\`.`)
      })
    }
  })
})

/** Compiler messages about a written file, told as places in the page that it came from. */
const inPages = (output: string) =>
  output.replace(/out\/docs\/([\w-]+)\.ts\((\d+),(\d+)\)/g, (whole, name: string, line: string, column: string) => {
    const example = examples.find((candidate) => fileOf(candidate) === name)
    return example === undefined ? whole : `${example.fence.file}:${example.fence.line + Number(line) - 1}:${column}`
  })
