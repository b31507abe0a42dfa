/** The commands on recordings: what can be typed. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import {
  baseUrl,
  exiting,
  file,
  given,
  json,
  model,
  paragraphs,
  prompt,
  recorded,
  store,
  verbose
} from "./CommandParts.ts"

export const record = Command.make(
  "record",
  {
    file: Argument.optional(file),
    prompt,
    model,
    baseUrl,
    store,
    session: Flag.String("session").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("No run: a session that lies in the store (of --store, or of FILE)"),
      Flag.optional
    ),
    out: Flag.String("out").pipe(
      Flag.withMetavar("PATH"),
      Flag.withDescription("Where the two files go, without their endings; a folder gets `recording` in it"),
      Flag.withDefault("recording")
    ),
    calls: Flag.Boolean("calls").pipe(
      Flag.withDescription("Also keep what host calls gave, for sealed replays"),
      Flag.withDefault(false)
    ),
    json
  },
  (input) => exiting(async () => (await import("./record.ts")).record(given(input)))
).pipe(
  Command.withShortDescription("Run an agent once, and keep the run"),
  Command.withDescription(paragraphs(
    "Run an agent once, and keep the run: PATH.trajectory.json is what it did, PATH.cassette.jsonl what its models said.",
    "With --session, a session that lies in a store. Its log holds no system prompts, so a replay can tell that one has changed, but not how.",
    "Exit codes are those of run."
  )),
  Command.withExamples([
    {
      command: 'daylight record analyst.ts "Which region grew fastest?" --out runs/growth',
      description: "A run to keep"
    },
    {
      command: "daylight record --session analyst-7f3a --store sessions.db --out runs/growth",
      description: "A session that was"
    }
  ])
)

export const replay = Command.make(
  "replay",
  {
    recording: Argument.String("RECORDING").pipe(
      Argument.withDescription("A trajectory (.trajectory.json) or a cassette (.cassette.jsonl)")
    ),
    agent: Flag.String("agent").pipe(
      Flag.withMetavar("FILE"),
      Flag.withDescription("The agent whose cells run; a schema of its answers is the file's export `answer`"),
      Flag.optional
    ),
    model,
    baseUrl,
    depth: Flag.Literals("depth", ["view", "model", "sealed"]).pipe(
      Flag.withDescription(
        "view shows the events; model runs the cells, models recorded; sealed has host calls recorded too. Default: view without an agent, else model"
      ),
      Flag.optional
    ),
    recorded,
    to: Flag.Int("to").pipe(
      Flag.withMetavar("STEP"),
      Flag.withDescription("Stop after this step (model call) of the last run"),
      Flag.optional
    ),
    fork: Flag.Int("fork").pipe(
      Flag.withMetavar("CELL"),
      Flag.withDescription(
        "Follow the recording to the end of this cell, then go on with the agent's own model, or that of --model"
      ),
      Flag.optional
    ),
    json,
    verbose
  },
  (input) => exiting(async () => (await import("./replay.ts")).replay(given(input)))
).pipe(
  Command.withShortDescription("Run a recording again, without a network"),
  Command.withDescription(paragraphs(
    "Run a recording again, without a network: show it, or run its cells with the models' recorded answers.",
    "Exit codes are those of run; 1 if the replay left its recording, 2 for a file that is none."
  )),
  Command.withExamples([
    { command: "daylight replay runs/growth.trajectory.json", description: "What the agent did" },
    {
      command: "daylight replay runs/growth.cassette.jsonl --agent analyst.ts",
      description: "Does it still do the same?"
    },
    {
      command: 'daylight replay runs/growth.cassette.jsonl --agent analyst.ts --recorded "**"',
      description: "The same, without its effects"
    },
    {
      command: "daylight replay runs/growth.cassette.jsonl --agent analyst.ts --fork 3",
      description: "On from cell 3, live"
    }
  ])
)

const trajectoryFile = Argument.String("TRAJECTORY").pipe(
  Argument.withDescription("An ATIF trajectory, or a file of another format that can be read")
)

const showTrajectory = Command.make(
  "show",
  { file: trajectoryFile, json, verbose },
  (input) => exiting(async () => (await import("./trajectory.ts")).show(input))
).pipe(Command.withDescription("Show a trajectory step by step."))

const diffTrajectory = Command.make(
  "diff",
  {
    left: trajectoryFile,
    right: Argument.String("OTHER").pipe(Argument.withDescription("What it is compared with")),
    json: Flag.Boolean("json").pipe(
      Flag.withDescription("One JSON object for each pair of steps on standard output"),
      Flag.withDefault(false)
    )
  },
  (input) => exiting(async () => (await import("./trajectory.ts")).diff(input))
).pipe(
  Command.withDescription("Compare two trajectories step by step. Exit codes: 0 the same, 1 different, 2 wrong usage.")
)

const convertTrajectory = Command.make(
  "convert",
  {
    file: trajectoryFile,
    to: Flag.Literals("to", ["atif", "otel", "codeact", "html"]).pipe(
      Flag.withDescription("atif: a trajectory; otel: OTLP JSON spans; codeact: CodeActInstruct JSONL; html: one page"),
      Flag.withDefault("atif" as const)
    ),
    content: Flag.Boolean("content").pipe(
      Flag.withDescription("otel: also prompts, answers, arguments and results"),
      Flag.withDefault(false)
    ),
    out: Flag.String("out").pipe(
      Flag.withMetavar("PATH"),
      Flag.withDescription("Where to write. Default: standard output"),
      Flag.optional
    )
  },
  (input) => exiting(async () => (await import("./trajectory.ts")).convert(given(input)))
).pipe(
  Command.withShortDescription("Write a trajectory, also one of another tool, in another format"),
  Command.withDescription(paragraphs(
    "Read a trajectory of another tool (OpenAI, Anthropic, AI SDK, SWE-agent, OpenHands, Inspect, tau-bench, CodeActInstruct), and write it in another format.",
    "What a format has no place for is told on standard error."
  ))
)

const validateTrajectoryFile = Command.make(
  "validate",
  { file: trajectoryFile },
  (input) => exiting(async () => (await import("./trajectory.ts")).validate(input))
).pipe(Command.withDescription("Say whether a file is valid ATIF. Exit codes: 0 it is, 1 it is not, 2 wrong usage."))

export const trajectory = Command.make("trajectory").pipe(
  Command.withShortDescription("Show, compare and convert trajectories"),
  Command.withDescription("Show, compare, convert and check trajectories."),
  Command.withSubcommands([showTrajectory, diffTrajectory, convertTrajectory, validateTrajectoryFile])
)
