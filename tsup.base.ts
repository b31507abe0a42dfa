/**
 * How every package is bundled; a package's `tsup.config.ts` re-exports this and runs in its own folder. Each export
 * that its `package.json` names is a library file with nothing inlined. A package with a command has it in
 * `src/main.ts`: it is bundled with its dependencies for a quick start, but without the `@daylight` packages, which it
 * shares with the user's program. Declarations are left to `tsc`.
 */
import { readFileSync, rmSync } from "node:fs"
import { builtinModules, createRequire } from "node:module"
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

const require = createRequire(import.meta.url)

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
  removeNodeProtocol: false,
  esbuildPlugins: [lazyBuiltins()],
  // CommonJS dependencies inside an ES module still call `require`.
  banner: {
    js: 'import { createRequire as makeRequire } from "node:module"\nconst require = makeRequire(import.meta.url)'
  }
}

// The two configurations write to one folder at the same time, so neither may clean it.
rmSync("dist", { recursive: true, force: true })

export default defineConfig(commands.length > 0 ? [library, executable] : library)

/**
 * A module of Node is loaded when something of it is used. An `import` would read all that it exports, which loads half
 * of Node: a third of a command's start.
 */
function lazyBuiltins(): NonNullable<Options["esbuildPlugins"]>[number] {
  const builtins = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]))
  return {
    name: "lazy-builtins",
    setup(build) {
      build.onResolve(
        { filter: /^(node:)?[a-z0-9_]+(\/[a-z_]+)*$/ },
        ({ kind, path }) =>
          kind === "import-statement" && builtins.has(path) ? { path, namespace: "builtin" } : undefined
      )
      build.onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => {
        const loaded = require(path)
        const load = `require(${JSON.stringify(path)})`
        if (typeof loaded === "function") return { contents: `module.exports = ${load}` }
        const names = Object.keys(loaded).map((name) => `get ${name}() { return ${load}.${name} }`)
        return { contents: `module.exports = { ${names.join(", ")} }` }
      })
    }
  }
}

/** `./src/node/index.ts` becomes `dist/node/index.js`. */
function entries(sources: ReadonlyArray<string>): Record<string, string> {
  return Object.fromEntries(sources.map((source) => [source.replace(/^(\.\/)?src\//, "").replace(/\.ts$/, ""), source]))
}
