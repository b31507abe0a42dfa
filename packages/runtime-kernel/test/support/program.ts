/**
 * The kernel's program as one file, bundled from the sources: quicker to start than the sources themselves.
 */
import { build, type Plugin } from "esbuild"
import { hash } from "node:crypto"
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../../../../node_modules/.cache/daylight-kernel/", import.meta.url))

/** Gives the path. A plugin may change what the kernel does, to show that a test would notice. */
export const bundleKernel = async (plugins: ReadonlyArray<Plugin> = []): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL("../../src/kernel/main.ts", import.meta.url))],
    write: false,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    conditions: ["@daylight/source"],
    plugins: [...plugins],
    logLevel: "error"
  })
  const [{ contents }] = outputFiles as unknown as readonly [{ readonly contents: Uint8Array }]
  const path = `${folder}kernel-${hash("sha256", contents).slice(0, 16)}.mjs`
  if (existsSync(path)) return path
  // Several test files may do this at the same time.
  mkdirSync(folder, { recursive: true })
  const unfinished = `${path}.${process.pid}`
  writeFileSync(unfinished, contents)
  renameSync(unfinished, path)
  return path
}
