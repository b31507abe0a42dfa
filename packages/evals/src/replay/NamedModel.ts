/**
 * Which model an agent names, without a key and without a network: its layer is built, looked at and closed again, and
 * never asked.
 */
import { Model, type ModelInfo } from "@daylight/core"
import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

type Named = Pick<ModelInfo, "provider" | "model">

/** A layer that does not build, or takes longer than this, has no name that can be compared. */
const patience = "5 seconds"

/** Fails with the reason why there is no name. */
export const namedModel = (model: Layer.Layer<Model, unknown>): Effect.Effect<Named, string> =>
  Effect.scoped(Effect.provide(Model, Layer.fresh(model), { local: true })).pipe(
    Effect.map(({ info: { model, provider } }): Named => ({ model, provider })),
    Effect.provideService(ConfigProvider.ConfigProvider, withStandIns),
    Effect.timeout(patience),
    Effect.catchCause((cause) => Effect.fail(messageOf(Cause.squash(cause))))
  )

const messageOf = (error: unknown): string => error instanceof Error ? error.message : String(error)

/** What opens a session with a provider is not needed where none is opened. */
const secret = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/i

const withStandIns = ConfigProvider.fromEnv().pipe(
  ConfigProvider.orElse(
    ConfigProvider.make((path) =>
      Effect.succeed(secret.test(String(path.at(-1))) ? ConfigProvider.makeValue("not needed in a replay") : undefined)
    )
  )
)
