/** The tests that replay recorded provider traffic (`npm run test:recordings`). */
import { defineConfig } from "vitest/config"
import shared from "./vitest.config.ts"

export default defineConfig({
  ...shared,
  test: {
    ...shared.test,
    include: ["packages/*/test/recordings/**/*.recordings.ts"],
    testTimeout: 120_000,
    passWithNoTests: true
  }
})
