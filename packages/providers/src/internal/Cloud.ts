/**
 * Named models of clouds that sign requests in ways of their own, through the cloud's package of the AI SDK. Whether
 * there are credentials is seen before anything runs.
 */
import { InvalidInput, type Model } from "@daylight/core"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { NamedOptions } from "../Named.ts"
import type { NamedProvider } from "../NamedProvider.ts"
import { load } from "./LoadPackage.ts"

/** Settings of the packages, by the environment variables that hold them. */
const settings = {
  bedrock: {
    AWS_REGION: "region",
    AWS_BEARER_TOKEN_BEDROCK: "apiKey",
    AWS_ACCESS_KEY_ID: "accessKeyId",
    AWS_SECRET_ACCESS_KEY: "secretAccessKey",
    AWS_SESSION_TOKEN: "sessionToken"
  },
  vertex: { GOOGLE_VERTEX_API_KEY: "apiKey", GOOGLE_VERTEX_PROJECT: "project", GOOGLE_VERTEX_LOCATION: "location" }
} as const

export type Cloud = keyof typeof settings

export const isCloud = (name: string): name is Cloud => Object.hasOwn(settings, name)

export const cloudLayer = Effect.fnUntraced(function*(
  cloud: Cloud,
  { credentials = [] }: NamedProvider,
  model: string,
  { apiKey, baseUrl, contextWindow, maxOutputTokens }: NamedOptions
): Effect.fn.Return<Layer.Layer<Model, InvalidInput>, InvalidInput> {
  const variables = yield* readVariables(Object.keys(settings[cloud]))
  const complete = credentials.some((names) => names.every((name) => name in variables))
  if (apiKey === undefined && baseUrl === undefined && !complete) return yield* without(cloud, model, credentials)
  const options = {
    ...Object.fromEntries(Object.entries(settings[cloud]).map(([name, setting]) => [setting, variables[name]])),
    ...(baseUrl === undefined ? undefined : { baseURL: baseUrl }),
    ...(apiKey === undefined || apiKey === false
      ? undefined
      : { apiKey: typeof apiKey === "string" ? apiKey : Redacted.value(apiKey) })
  }
  const { AiSdk } = yield* Effect.promise(() => import("../ai-sdk.ts"))
  return AiSdk.layer(yield* models[cloud](options, model), { provider: cloud, contextWindow, maxOutputTokens })
})

type Options = Readonly<Record<string, string | undefined>>

const models = {
  bedrock: (options: Options, model: string) =>
    Effect.flatMap(
      load("@ai-sdk/amazon-bedrock", () => import("@ai-sdk/amazon-bedrock")),
      ({ createAmazonBedrock }) => made("bedrock", model, () => createAmazonBedrock(options as {})(model))
    ),
  vertex: (options: Options, model: string) =>
    Effect.flatMap(
      load("@ai-sdk/google-vertex", () => import("@ai-sdk/google-vertex")),
      ({ createVertex }) => made("vertex", model, () => createVertex(options as {})(model))
    )
}

/** The packages look for some settings at once, for others with the first call. */
const made = <A>(cloud: Cloud, model: string, make: () => A): Effect.Effect<A, InvalidInput> =>
  Effect.try({
    try: make,
    catch: (cause) =>
      new InvalidInput({
        subject: nameOf(cloud, model),
        problem: cause instanceof Error ? cause.message : String(cause),
        remedy: `It reads ${Object.keys(settings[cloud]).join(", ")}`
      })
  })

const without = (cloud: Cloud, model: string, credentials: ReadonlyArray<ReadonlyArray<string>>) =>
  new InvalidInput({
    subject: nameOf(cloud, model),
    problem: "there are no credentials",
    remedy: `Set the environment variables ${credentials.map((names) => names.join(" and ")).join(", or ")}`
  })

const nameOf = (cloud: Cloud, model: string) => `model ${JSON.stringify(`${cloud}:${model}`)}`

/** Those that are set to something. */
const readVariables = (names: ReadonlyArray<string>): Effect.Effect<Readonly<Record<string, string>>> =>
  Effect.map(
    Effect.forEach(names, (name) =>
      Effect.map(
        Effect.option(Config.String(name)),
        (value) => [name, Option.getOrElse(value, () => "")] as const
      )),
    (values) => Object.fromEntries(values.filter(([, value]) => value !== ""))
  )
