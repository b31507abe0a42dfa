/** Which SDKs an import loads: its own, and no other. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"

const sdks = ["openai", "@anthropic-ai/sdk", "ai", "@ai-sdk/provider"]
const effect = "effect"

const script = `
import { registerHooks } from "node:module"
const seen = new Set()
registerHooks({ resolve: (specifier, context, next) => { const found = next(specifier, context); seen.add(found.url); return found } })
await import(process.argv[1])
const packages = ${JSON.stringify([...sdks, effect])}
process.stdout.write(JSON.stringify(packages.filter((name) => [...seen].some((url) => url.includes("/node_modules/" + name + "/")))))
`

const loadedBy = (specifier: string): ReadonlyArray<string> => {
  const { stderr, stdout } = spawnSync(
    process.execPath,
    ["--conditions=@daylight/source", "--input-type=module", "-e", script, specifier],
    { cwd: import.meta.dirname, encoding: "utf8" }
  )
  if (stdout === "") throw new Error(stderr)
  return JSON.parse(stdout)
}

describe("imports", () => {
  const own = { "": [], "/openai": ["openai"], "/anthropic": ["@anthropic-ai/sdk"], "/ai-sdk": [], "/effect-ai": [] }
  for (const [path, expected] of Object.entries(own)) {
    it(`@daylight/providers${path} loads ${expected.join(", ") || "no SDK"}`, () => {
      assert.deepStrictEqual(loadedBy(`@daylight/providers${path}`), [...expected, effect])
    })
  }

  it("@daylight/providers/known loads nothing at all", () => {
    assert.deepStrictEqual(loadedBy("@daylight/providers/known"), [])
  })
})
