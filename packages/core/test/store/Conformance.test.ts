import { SessionStore } from "@daylight/core"
import { storeConformance } from "@daylight/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, it } from "vitest"

/** There is one process only, so each connection is the same store, and no lease runs out. */
const storage = Effect.map(Layer.build(SessionStore.layerMemory), (context) => ({
  connect: () => Effect.succeed(Context.get(context, SessionStore)),
  lapsed: Effect.void
}))

storeConformance({ describe, it }, { name: "memory", storage, lacks: ["lapse"] })
