/** The commands on cassettes: what can be typed. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { baseUrl, exiting, given, model, paragraphs, recorded } from "./CommandParts.ts"

const json = Flag.Boolean("json").pipe(Flag.withDescription("One JSON object per line"), Flag.withDefault(false))

const stats = Command.make(
  "stats",
  {
    files: Argument.String("CASSETTE").pipe(
      Argument.withDescription("A cassette (.cassette.jsonl)"),
      Argument.atLeast(1)
    ),
    json
  },
  (input) => exiting(async () => (await import("./cassette.ts")).stats(input))
).pipe(
  Command.withShortDescription("What cassettes hold, and how old they are"),
  Command.withDescription(paragraphs(
    "What cassettes hold: entries by kind, models, exchanges with servers, calls of cells, long texts beside them, and the rules by which requests are compared.",
    "Exit codes: 0, or 2 if one of them is no whole cassette; the others are told."
  )),
  Command.withExamples([{ command: "daylight cassette stats runs/*.cassette.jsonl", description: "All of a folder" }])
)

const prune = Command.make(
  "prune",
  {
    file: Argument.String("CASSETTE").pipe(Argument.withDescription("A cassette (.cassette.jsonl)")),
    agent: Flag.String("agent").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("The agent that was recorded: it is replayed, and what it does not ask for is dropped")
    ),
    model,
    baseUrl,
    depth: Flag.Literals("depth", ["model", "sealed"]).pipe(
      Flag.withDescription("As of replay: with host calls live, or recorded too"),
      Flag.withDefault("model" as const)
    ),
    recorded,
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Only tell what would be dropped"),
      Flag.withDefault(false)
    ),
    json
  },
  (input) => exiting(async () => (await import("./cassette.ts")).prune(given(input)))
).pipe(
  Command.withShortDescription("Drop what a replay does not use"),
  Command.withDescription(paragraphs(
    "Replay a cassette, and drop what was not used: answers that nobody asked for, with the texts and messages that only they needed, and long texts in blobs/ beside it that no recording names.",
    "Bytes of servers, cells and decisions stay. A file of which all is used is not touched.",
    "Exit codes: 0, 1 if the replay left its recording (then nothing is dropped), 2 for a file that is none."
  )),
  Command.withExamples([
    {
      command: "daylight cassette prune runs/growth.cassette.jsonl --agent analyst.ts --dry-run",
      description: "What would go"
    }
  ])
)

export const cassette = Command.make("cassette").pipe(
  Command.withShortDescription("Look into cassettes, and clear them up"),
  Command.withDescription("Look into cassettes, and drop what is not needed any more."),
  Command.withSubcommands([stats, prune])
)
