/** The commands on what waits for a person: what can be typed. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { exiting, given, paragraphs, store } from "./CommandParts.ts"

const place = {
  store,
  agent: Flag.String("agent").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("An agent's file: the sessions of its store"),
    Flag.optional
  ),
  json: Flag.Boolean("json").pipe(Flag.withDescription("One JSON object per line"), Flag.withDefault(false))
}

const list = Command.make(
  "list",
  place,
  (input) => exiting(async () => (await import("./approvals.ts")).list(given(input)))
).pipe(
  Command.withShortDescription("What waits for a person"),
  Command.withDescription("Calls that wait for an approval and questions that wait for an answer, oldest first."),
  Command.withExamples([{ command: "daylight approvals list --store sessions.db", description: "All that waits" }])
)

const resolve = Command.make(
  "resolve",
  {
    key: Argument.String("KEY").pipe(Argument.withDescription("The key that list shows, or enough of one end of it")),
    allow: Flag.Boolean("allow").pipe(Flag.withDescription("Let this call happen"), Flag.withDefault(false)),
    session: Flag.Boolean("session").pipe(
      Flag.withDescription("Let this and all later calls of it in its session happen"),
      Flag.withDefault(false)
    ),
    args: Flag.String("args").pipe(
      Flag.withMetavar("JSON"),
      Flag.withDescription("Let it happen with these arguments, a JSON list of all of them"),
      Flag.optional
    ),
    deny: Flag.String("deny").pipe(
      Flag.withMetavar("WHY"),
      Flag.withDescription("Do not let it happen; the code that called is told why"),
      Flag.optional
    ),
    answer: Flag.String("answer").pipe(
      Flag.withMetavar("TEXT"),
      Flag.withDescription("The answer to a question"),
      Flag.optional
    ),
    by: Flag.String("by").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("Who decides, for the log; by default the name of the user"),
      Flag.optional
    ),
    role: Flag.String("role").pipe(
      Flag.withMetavar("ROLE"),
      Flag.withDescription("In which role; may be given several times"),
      Flag.atLeast(0)
    ),
    ...place
  },
  (input) => exiting(async () => (await import("./approvals.ts")).resolve(given(input)))
).pipe(
  Command.withShortDescription("Allow, deny or answer"),
  Command.withDescription(paragraphs(
    "Decides on a call that waits, or answers a question. The process that runs the session goes on at once.",
    "Exit codes: 0 told, 1 the sessions cannot be read, 2 nothing waits under the key, or the answer does not fit."
  )),
  Command.withExamples([
    {
      command: "daylight approvals resolve 9f3c52d1a0b47e66 --allow --store sessions.db",
      description: "Let it happen"
    },
    {
      command: 'daylight approvals resolve 9f3c52d1a0b47e66 --deny "Ask the customer first"',
      description: "The cell is told why"
    }
  ])
)

export const approvals = Command.make("approvals").pipe(
  Command.withShortDescription("Calls and questions that wait for a person"),
  Command.withDescription("Calls and questions of running agents that wait for a person."),
  Command.withSubcommands([list, resolve])
)
