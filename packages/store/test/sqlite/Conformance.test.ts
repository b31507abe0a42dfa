import { storeConformance } from "@daylight/core/testing"
import { describe, it } from "vitest"
import { sqliteStorage } from "./storage.ts"

storeConformance({ describe, it }, { name: "SQLite", storage: sqliteStorage })
