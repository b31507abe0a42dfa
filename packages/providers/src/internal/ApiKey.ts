/**
 * Keys: given, or read from the environment, never printed.
 */
import { InvalidInput } from "@daylight/core"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"

/** A key as options take it. A plain string is wrapped at once; `false` sends none and looks for none. */
export type ApiKey = string | Redacted.Redacted<string> | false

/**
 * The given key, else that of the environment variable. `undefined` only where `optional` or where none is wanted;
 * elsewhere a missing key is an `InvalidInput` that names the variable.
 */
export const apiKey = (options: {
  readonly subject: string
  readonly given: ApiKey | undefined
  readonly variable: string
  readonly optional: boolean
}): Effect.Effect<Redacted.Redacted<string> | undefined, InvalidInput> => {
  const { given, optional, subject, variable } = options
  if (given === false) return Effect.succeed(undefined)
  if (given !== undefined) return Effect.succeed(typeof given === "string" ? Redacted.make(given) : given)
  const missing = (problem: string) =>
    new InvalidInput({ subject, problem, remedy: `Set the environment variable ${variable}, or pass { apiKey }` })
  return Config.option(Config.Redacted(variable)).pipe(
    Effect.mapError((error) => missing(`the key cannot be read: ${error.message}`)),
    Effect.map((key) => Option.getOrUndefined(Option.filter(key, (secret) => Redacted.value(secret) !== ""))),
    Effect.flatMap((key) =>
      key !== undefined || optional ? Effect.succeed(key) : Effect.fail(missing("there is no key"))
    )
  )
}
