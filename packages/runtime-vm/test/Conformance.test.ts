import { runtimeConformance } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { describe, it } from "vitest"

runtimeConformance({ describe, it }, { name: "vm", layer: VmRuntime.layer })
