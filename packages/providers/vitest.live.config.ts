/**
 * The tests that talk to real providers. Each runs where its key is in the environment, and is skipped by name
 * elsewhere.
 */
import { defineConfig } from "vitest/config"
import shared from "../../vitest.config.ts"

export default defineConfig({
  ...shared,
  test: { ...shared.test, include: ["test/live/**/*.live.ts"], testTimeout: 120_000, root: import.meta.dirname }
})
