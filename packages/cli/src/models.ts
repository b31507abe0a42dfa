/** `daylight models`: what the catalogue knows of widespread models, and what their providers ask for. */
import { Catalogue, type NamedProvider, providers } from "@daylight/providers/known"
import { answer } from "./Answer.ts"
import { columns } from "./Columns.ts"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"
import { span } from "./renderer/Paint.ts"
import { number } from "./renderer/Quantity.ts"

type Entry = Catalogue.CatalogueEntry

/** All entries, or those of one provider. */
export const list = (input: { readonly provider?: string | undefined; readonly json: boolean }): Promise<number> =>
  answer((print) => {
    const provider = input.provider === undefined ? undefined : providerOf(input.provider)
    const entries = Catalogue.list(provider?.name)
    if (input.json) {
      for (const entry of entries) print.json(named(entry))
      return
    }
    if (entries.length > 0) {
      const [heads = [], ...rows] = columns([headings, ...entries.map(cells)], "left", ...numbers)
      print.row(heads.map(({ text }) => span(text, "dim")))
      for (const row of rows) print.row(row)
    }
    for (const note of notes(provider, entries[0])) print.row([span(note, "dim")])
  })

/** One model, also one that the catalogue does not know. */
export const show = (input: { readonly name: string; readonly json: boolean }): Promise<number> =>
  answer((print) => {
    const { model, provider } = read(input.name)
    const entry = Catalogue.find(provider.name, model)
    if (input.json) {
      print.json({
        name: `${provider.name}:${model}`,
        provider: provider.name,
        model,
        contextWindow: entry?.contextWindow,
        maxOutputTokens: entry?.maxOutputTokens,
        price: entry?.price,
        baseUrl: provider.baseUrl,
        variables: waysIn(provider),
        ready: isReady(provider)
      })
      return
    }
    print.row([span(`${provider.name}:${model}`, "accent")])
    const facts: ReadonlyArray<readonly [string, string]> = [
      ...(entry === undefined ? unknown : factsOf(entry)),
      ["served at", provider.baseUrl ?? "the provider's own address"],
      [
        "key",
        waysIn(provider).length === 0 ? "none is needed" : `${told(provider)}: ${isReady(provider) ? "" : "not "}set`
      ]
    ]
    for (const row of columns(facts.map(([what, value]) => [`  ${what}`, value]), "left", "left")) print.row(row)
  })

const named = (entry: Entry) => ({ name: `${entry.provider}:${entry.model}`, ...entry })

const headings = ["MODEL", "WINDOW", "OUTPUT", "$ IN", "$ OUT", "$ CACHED", "$ TO CACHE"]
const numbers = headings.slice(1).map(() => "right" as const)

const cells = ({ contextWindow, maxOutputTokens, model, price, provider }: Entry): ReadonlyArray<string> => [
  `${provider}:${model}`,
  ...[contextWindow, maxOutputTokens].map(number),
  ...[price.input, price.output, price.cacheRead, price.cacheWrite].map(String)
]

const notes = (provider: NamedProvider | undefined, first: Entry | undefined): ReadonlyArray<string> => [
  ...(first === undefined
    ? []
    : [
      `Window and output limit in tokens, dollars per million tokens (${first.price.date}; ${first.price.source}).`
    ]),
  provider === undefined
    ? `Other models work as well, of these providers: ${providers.map(({ name }) => name).join(", ")}.`
    : waysIn(provider).length === 0
    ? `${provider.name}:NAME is any model that the server at ${provider.baseUrl} has.`
    : `Other models work as well: ${provider.name}:NAME, with ${told(provider)} set.`
]

const unknown: ReadonlyArray<readonly [string, string]> = [
  ["numbers", "not in the catalogue: window and output limit are assumed"],
  ["price", "unknown: a run with a limit in dollars stops before its first call"]
]

const factsOf = ({ contextWindow, maxOutputTokens, model, price }: Entry): ReadonlyArray<readonly [string, string]> => [
  ["known as", model],
  ["context window", `${number(contextWindow)} tokens`],
  ["output limit", `${number(maxOutputTokens)} tokens`],
  ["input", `$${price.input} per million tokens`],
  ["output", `$${price.output}`],
  ["read from cache", `$${price.cacheRead}`],
  ["written to cache", `$${price.cacheWrite}`],
  ["prices of", `${price.date}, ${price.source}`]
]

/** Sets of environment variables, each of which is enough. */
const waysIn = ({ credentials, variable }: NamedProvider): ReadonlyArray<ReadonlyArray<string>> =>
  credentials ?? (variable === undefined ? [] : [[variable]])

const told = (provider: NamedProvider): string =>
  waysIn(provider).map((variables) => variables.join(" and ")).join(", or ")

const isReady = (provider: NamedProvider): boolean => {
  const ways = waysIn(provider)
  return ways.length === 0 ||
    ways.some((variables) => variables.every((variable) => (process.env[variable] ?? "") !== ""))
}

const providerOf = (name: string): NamedProvider => {
  const found = providers.find((provider) => provider.name === name)
  if (found !== undefined) return found
  const names = providers.map((provider) => provider.name).join(", ")
  throw wrong(`provider "${name}"`, "is not known", `These are: ${names}.`)
}

/** A name without a provider stands for the one model that is called so. */
const read = (name: string): { readonly provider: NamedProvider; readonly model: string } => {
  const at = name.indexOf(":")
  const model = name.slice(at + 1)
  if (model === "") throw wrong(`model "${name}"`, "is not a name", "Write it as provider:model.")
  if (at > 0) return { provider: providerOf(name.slice(0, at)), model }
  // Who resells a model of others is not meant.
  const [only, ...others] = providers.filter(({ name }) => Catalogue.find(name, model)?.provider === name)
  if (only !== undefined && others.length === 0) return { provider: only, model }
  throw wrong(
    `model "${name}"`,
    "does not say whose it is",
    "Write it as provider:model; `daylight models list` tells."
  )
}

const wrong = (subject: string, problem: string, remedy: string): Problem =>
  new Problem(subject, problem, remedy, ExitCode.usage)
