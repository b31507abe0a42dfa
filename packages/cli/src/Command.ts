/** The `daylight` command: what can be typed, with its help. What a command does is loaded when it runs. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { approvals } from "./approvalCommands.ts"
import { baseUrl, exiting, file, given, json, model, paragraphs, prompt, store, verbose } from "./CommandParts.ts"
import * as ExitCode from "./ExitCode.ts"
import { cassette } from "./cassetteCommands.ts"
import { record, replay, trajectory } from "./recordingCommands.ts"
import { sessions } from "./sessionCommands.ts"

/** What `run` and `chat` share. */
const agent = { file, model, baseUrl, store, json, verbose }

const run = Command.make(
  "run",
  { ...agent, prompt },
  (input) => exiting(async () => (await import("./run.ts")).run(given(input)))
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
      command: 'daylight run analyst.ts "Draw it" --model ollama:qwen3:8b',
      description: "With another model than the file's"
    },
    {
      command: 'daylight run analyst.ts "Draw it" --json | jq -r \'select(.type == "outcome").text\'',
      description: "Just the answer"
    }
  ])
)

const chat = Command.make(
  "chat",
  agent,
  (input) => exiting(async () => (await import("./chat.ts")).chat(given(input)))
).pipe(
  Command.withShortDescription("Talk to an agent"),
  Command.withDescription(paragraphs(
    "Talk to an agent in one session, line by line; piped input works as well.",
    "Ctrl-C cancels the answer, twice at the prompt it ends the program. /help lists the commands.",
    "Exit codes: 0 left, 1 the agent could not start, 2 wrong usage."
  )),
  Command.withExamples([
    { command: "daylight chat analyst.ts", description: "A conversation" },
    {
      command: "daylight chat analyst.ts --model qwen3 --base-url http://127.0.0.1:8080/v1",
      description: "With a model that runs on this machine"
    }
  ])
)

const listModels = Command.make(
  "list",
  {
    provider: Argument.String("PROVIDER").pipe(
      Argument.withDescription("Only the models of this one"),
      Argument.optional
    ),
    json: Flag.Boolean("json").pipe(Flag.withDescription("One JSON object per line"), Flag.withDefault(false))
  },
  (input) => exiting(async () => (await import("./models.ts")).list(given(input)))
).pipe(
  Command.withShortDescription("Known models, with windows, limits and prices"),
  Command.withDescription("Known models, with context windows, output limits and prices. Others work as well."),
  Command.withExamples([
    { command: "daylight models list anthropic", description: "The models of one provider" },
    {
      command: "daylight models list --json | jq -r 'select(.contextWindow >= 1e6).name'",
      description: "Names of those with a large window"
    }
  ])
)

const showModel = Command.make(
  "show",
  {
    name: Argument.String("PROVIDER:MODEL").pipe(Argument.withDescription("A name as --model takes it")),
    json: Flag.Boolean("json").pipe(Flag.withDescription("As one JSON object"), Flag.withDefault(false))
  },
  (input) => exiting(async () => (await import("./models.ts")).show(given(input)))
).pipe(
  Command.withShortDescription("One model: numbers, address, key"),
  Command.withDescription("What is known of one model, where it is served, and which key it needs."),
  Command.withExamples([{ command: "daylight models show anthropic:claude-sonnet-5", description: "One model" }])
)

const models = Command.make("models").pipe(
  Command.withShortDescription("Models that --model can name"),
  Command.withDescription("Models that --model can name."),
  Command.withSubcommands([listModels, showModel])
)

export const daylight = Command.make("daylight").pipe(
  Command.withDescription(paragraphs(
    "Agents that work on real objects, not on their shadows.",
    "Environment: DAYLIGHT_LOG=debug logs to standard error; NO_COLOR and FORCE_COLOR decide about colours.",
    `Exit codes: ${ExitCode.table}`
  )),
  Command.withSubcommands([run, chat, record, replay, trajectory, cassette, sessions, models, approvals])
)
