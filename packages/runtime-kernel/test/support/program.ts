/**
 * The kernel's program as one file, bundled from the sources: quicker to start than the sources themselves.
 */
import { build, type Plugin } from "esbuild"
import { existsSync, mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("../../../../node_modules/.cache/daylight-kernel/", import.meta.url))

/** Gives the path. A plugin may change what the kernel does, to show that a test would notice. */
export const bundleKernel = async (name = `kernel-${process.pid}`, plugins: ReadonlyArray<Plugin> = []): Promise<string> => {
  const outfile = `${folder}${name}.mjs`
  if (existsSync(outfile)) return outfile
  mkdirSync(folder, { recursive: true })
  await build({
    entryPoints: [fileURLToPath(new URL("../../src/kernel/main.ts", import.meta.url))],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node22",
    conditions: ["@daylight/source"],
    plugins: [...plugins],
    logLevel: "error"
  })
  return outfile
}
