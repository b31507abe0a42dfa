/** Unit, conformance and documentation tests of the whole repository, on the TypeScript sources (no build needed). */
import { defineConfig } from "vitest/config"

// No "module": Node does not know it, and some packages have files under it that no Node can load.
const conditions = ["@daylight/source", "node", "development|production"]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@daylight/source", "node"] } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "apps/*/test/**/*.test.ts",
      "bench/test/**/*.test.ts",
      "scripts/test/**/*.test.ts"
    ],
    exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**"],
    testTimeout: 20_000
  }
})
