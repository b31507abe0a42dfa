import { defineConfig } from "tsup"
import base from "../../tsup.base.ts"

/** The program of the child process: one file that needs no other, since the child may read no other. */
const kernel = {
  entry: { kernel: "src/kernel/main.ts" },
  format: "esm",
  platform: "node",
  target: "node22",
  minify: true,
  splitting: false,
  sourcemap: false,
  dts: false,
  noExternal: [/^@daylight\//],
  outExtension: () => ({ js: ".js" }),
  esbuildOptions: (options: { conditions?: Array<string> }) => {
    options.conditions = ["@daylight/source"]
  }
} as const

export default defineConfig([base, kernel].flat() as never)
