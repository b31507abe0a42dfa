/** The tests that replay recorded provider traffic (`npm run test:recordings`). */
import { defineConfig } from "vitest/config"
import shared from "./vitest.config.ts"

// Without "module", which leads to files of Bedrock's dependencies that no Node can load.
const conditions = ["@daylight/source", "node", "development|production"]

export default defineConfig({
  ...shared,
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: ["@daylight/source", "node"] } },
  test: {
    ...shared.test,
    include: ["packages/*/test/recordings/**/*.recordings.ts"],
    testTimeout: 120_000,
    passWithNoTests: true
  }
})
