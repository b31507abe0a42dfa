/** The `daylight` command: what can be typed, with its help. What a command does is loaded when it runs. */
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import * as ExitCode from "./ExitCode.ts"

const file = Argument.String("FILE").pipe(
  Argument.withDescription("A .ts or .js file that exports an agent (AgentOptions) as default")
)

const prompt = Argument.String("PROMPT").pipe(
  Argument.withDescription("What to ask; - or nothing reads it from standard input"),
  Argument.optional
)

const json = Flag.Boolean("json").pipe(
  Flag.withDescription("One JSON event per line on standard output, the outcome last"),
  Flag.withDefault(false)
)

const verbose = Flag.Boolean("verbose").pipe(
  Flag.withDescription("Also show nudges in full and the events of storage and scheduling"),
  Flag.withDefault(false)
)

/** Runs what gives an exit code, and keeps it for the end of the process. */
const exiting = (run: () => Promise<number>): Effect.Effect<void> =>
  Effect.map(Effect.promise(run), (code) => {
    process.exitCode = code
  })

/** Paragraphs under the heading of a help page. */
const paragraphs = (...texts: ReadonlyArray<string>): string => texts.join("\n\n  ")

const run = Command.make(
  "run",
  { file, prompt, json, verbose },
  (input) =>
    exiting(async () => (await import("./run.ts")).run({ ...input, prompt: Option.getOrUndefined(input.prompt) }))
).pipe(
  Command.withShortDescription("Run an agent once"),
  Command.withDescription(paragraphs(
    "Run an agent once and show what it does.",
    "Ctrl-C cancels the run, a second one ends the program.",
    `Exit codes: ${ExitCode.table}`
  )),
  Command.withExamples([
    { command: 'daylight run analyst.ts "Which region grew fastest?"', description: "One question" },
    { command: "cat question.md | daylight run analyst.ts", description: "The prompt from a pipe" },
    {
      command: 'daylight run analyst.ts "Draw it" --json | jq -r \'select(.type == "outcome").text\'',
      description: "Just the answer"
    }
  ])
)

const chat = Command.make(
  "chat",
  { file, json, verbose },
  (input) => exiting(async () => (await import("./chat.ts")).chat(input))
).pipe(
  Command.withShortDescription("Talk to an agent"),
  Command.withDescription(paragraphs(
    "Talk to an agent in one session, line by line; piped input works as well.",
    "Ctrl-C cancels the answer, twice at the prompt it ends the program. /help lists the commands.",
    "Exit codes: 0 left, 1 the agent could not start, 2 wrong usage."
  )),
  Command.withExamples([{ command: "daylight chat analyst.ts", description: "A conversation" }])
)

export const daylight = Command.make("daylight").pipe(
  Command.withDescription(paragraphs(
    "Agents that work on real objects, not on their shadows.",
    "Environment: DAYLIGHT_LOG=debug logs to standard error; NO_COLOR and FORCE_COLOR decide about colours.",
    `Exit codes: ${ExitCode.table}`
  )),
  Command.withSubcommands([run, chat])
)
