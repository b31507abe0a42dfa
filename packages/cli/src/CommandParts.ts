/** Arguments and flags that several commands share, and how a command runs. */
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"

export const file = Argument.String("FILE").pipe(
  Argument.withDescription(
    "A .ts or .js file that exports an agent (AgentOptions) as default, or a name in daylight.config.ts"
  )
)

export const prompt = Argument.String("PROMPT").pipe(
  Argument.withDescription("What to ask; - or nothing reads it from standard input"),
  Argument.optional
)

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("One JSON event per line on standard output, the outcome last"),
  Flag.withDefault(false)
)

export const verbose = Flag.Boolean("verbose").pipe(
  Flag.withDescription("Also show nudges in full and the events of storage and scheduling"),
  Flag.withDefault(false)
)

export const model = Flag.String("model").pipe(
  Flag.withMetavar("PROVIDER:MODEL"),
  Flag.withDescription("Use this model in place of the one in FILE; `daylight models list` names some"),
  Flag.optional
)

export const baseUrl = Flag.String("base-url").pipe(
  Flag.withMetavar("URL"),
  Flag.withDescription("Where the model of --model is served, such as http://127.0.0.1:8080/v1"),
  Flag.optional
)

export const store = Flag.String("store").pipe(
  Flag.withMetavar("URL_OR_FILE"),
  Flag.withDescription("Where sessions are: a SQLite file, or postgres://...; DAYLIGHT_STORE stands in for it"),
  Flag.optional
)

export const recorded = Flag.String("recorded").pipe(
  Flag.withMetavar("PATH"),
  Flag.withDescription(
    'Calls that the recording answers, such as pay, "db.*" or "**" (all); the others are live. May be given several times'
  ),
  Flag.atLeast(0)
)

type Given<A> = { readonly [K in keyof A]: A[K] extends Option.Option<infer B> ? B | undefined : A[K] }

/** What was left out is undefined. */
export const given = <A extends Readonly<Record<string, unknown>>>(input: A): Given<A> =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, Option.isOption(value) ? Option.getOrUndefined(value) : value])
  ) as Given<A>

/** Runs what gives an exit code, and keeps it for the end of the process. */
export const exiting = (run: () => Promise<number>): Effect.Effect<void> =>
  Effect.map(Effect.promise(run), (code) => {
    process.exitCode = code
  })

/** Paragraphs under the heading of a help page. */
export const paragraphs = (...texts: ReadonlyArray<string>): string => texts.join("\n\n  ")
