/**
 * How every package is bundled; a package's `tsup.config.ts` re-exports this and runs in its own folder. Each export
 * that its `package.json` names is a library file with nothing inlined. A package with a command has it in
 * `src/main.ts`: it is bundled with its dependencies for a quick start, but without the `@daylight` packages, which it
 * shares with the user's program. Declarations are left to `tsc`.
 */
import { readFileSync, rmSync } from "node:fs"
import { defineConfig, type Options } from "tsup"

interface Manifest {
  readonly exports: Record<string, string | { readonly "@daylight/source"?: string }>
  readonly bin?: Record<string, string>
}

const manifest: Manifest = JSON.parse(readFileSync("package.json", "utf8"))

const exported = Object.values(manifest.exports)
  .map((target) => (typeof target === "string" ? undefined : target["@daylight/source"]))
  .filter((source) => source !== undefined)

const commands = manifest.bin === undefined ? [] : ["src/main.ts"]

const shared: Options = {
  format: "esm",
  platform: "node",
  target: "node22",
  splitting: true,
  sourcemap: true,
  dts: false,
  outExtension: () => ({ js: ".js" })
}

const library: Options = { ...shared, entry: entries(exported), skipNodeModulesBundle: true }

const executable: Options = {
  ...shared,
  entry: entries(commands),
  sourcemap: false,
  noExternal: [/^(?!@daylight\/|node:)/],
  external: [/^@daylight\//],
  // CommonJS dependencies inside an ES module still call `require`.
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module"\nconst require = makeRequire(import.meta.url)'
  }
}

// The two configurations write to one folder at the same time, so neither may clean it.
rmSync("dist", { recursive: true, force: true })

export default defineConfig(commands.length > 0 ? [library, executable] : library)

/** `./src/node/index.ts` becomes `dist/node/index.js`. */
function entries(sources: ReadonlyArray<string>): Record<string, string> {
  return Object.fromEntries(sources.map((source) => [source.replace(/^(\.\/)?src\//, "").replace(/\.ts$/, ""), source]))
}
