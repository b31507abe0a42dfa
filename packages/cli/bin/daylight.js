#!/usr/bin/env node
// Checked in, and not built, so that npm can link it in a fresh clone.
import { enableCompileCache } from "node:module"

// The command, the engine and the agent's modules start faster the second time.
enableCompileCache()
await import("../dist/main.js")
