import { runtimeConformance } from "@daylight/core/testing"
import { KernelRuntime } from "@daylight/runtime-kernel"
import { describe, it } from "vitest"
import { bundleKernel } from "./support/program.ts"

const layer = KernelRuntime.layer({ program: await bundleKernel(), spare: false })

runtimeConformance({ describe, it }, { name: "kernel", layer, lacks: ["sameReferences", "synchronousCallbacks"] })
