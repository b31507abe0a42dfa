/** The commands on the sessions of a store: what can be typed. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { exiting, given, paragraphs, store, verbose } from "./CommandParts.ts"
import type { StorePlace } from "./StoreAccess.ts"

const place = {
  store,
  of: Flag.String("of").pipe(
    Flag.withMetavar("FILE"),
    Flag.withDescription("An agent's file, or its name in daylight.config.ts: the sessions of its store"),
    Flag.optional
  )
}

const json = Flag.Boolean("json").pipe(Flag.withDescription("One JSON object per line"), Flag.withDefault(false))

const id = Argument.String("ID").pipe(Argument.withDescription("A session: its id, or enough of one end of it"))

const outcomes = [
  "completed",
  "refused",
  "invalid_answer",
  "stuck",
  "limit",
  "cancelled",
  "waiting",
  "model_error",
  "runtime_error",
  "internal_error"
] as const

const filter = {
  agent: Flag.String("agent").pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription("Only of the agent of this name"),
    Flag.optional
  ),
  status: Flag.Literals("status", ["open", "running", "waiting"]).pipe(
    Flag.withDescription("Only those that run, wait for somebody, or do neither"),
    Flag.optional
  ),
  outcome: Flag.Literals("outcome", outcomes).pipe(
    Flag.withDescription("Only those whose last run ended so"),
    Flag.optional
  ),
  label: Flag.String("label").pipe(
    Flag.withMetavar("KEY=VALUE"),
    Flag.withDescription("Only with this label; may be given several times"),
    Flag.atLeast(0)
  ),
  text: Flag.String("text").pipe(
    Flag.withMetavar("TEXT"),
    Flag.withDescription("Only with this in the id, the agent's name, a prompt or an answer"),
    Flag.optional
  ),
  since: Flag.String("since").pipe(
    Flag.withMetavar("TIME"),
    Flag.withDescription("Only where anything happened since: a date, or how long ago, such as 12h"),
    Flag.optional
  ),
  minUsd: Flag.Finite("min-usd").pipe(
    Flag.withMetavar("DOLLARS"),
    Flag.withDescription("Only those that cost at least this much"),
    Flag.optional
  ),
  failed: Flag.Boolean("failed").pipe(
    Flag.withDescription("Only with cells that failed"),
    Flag.withDefault(false)
  ),
  parent: Flag.String("parent").pipe(
    Flag.withMetavar("ID"),
    Flag.withDescription("Only children of this session"),
    Flag.optional
  )
}

/** Flags of the store's place are handed on as one. */
const placed = <A extends { readonly store: string | undefined; readonly of: string | undefined }>(
  { of, store, ...rest }: A
): Omit<A, "store" | "of"> & { readonly place: StorePlace } => ({ ...rest, place: { store, agent: of } })

const told = "Exit codes: 0 done, 1 the sessions cannot be read or written, 2 wrong usage or no such session."

const list = Command.make(
  "list",
  {
    ...place,
    ...filter,
    limit: Flag.Int("limit").pipe(
      Flag.withMetavar("ROWS"),
      Flag.withDescription("Rows of a page"),
      Flag.withDefault(50)
    ),
    cursor: Flag.String("cursor").pipe(
      Flag.withMetavar("CURSOR"),
      Flag.withDescription("The next page, as the page before named it, with the same filters"),
      Flag.optional
    ),
    json
  },
  (input) => exiting(async () => (await import("./sessions/list.ts")).list(placed(given(input))))
).pipe(
  Command.withShortDescription("Sessions, latest activity first"),
  Command.withDescription(paragraphs(
    'Sessions of a store, latest activity first, in pages. With --json the last line is {"next": CURSOR} if there are more.',
    told
  )),
  Command.withExamples([
    { command: "daylight sessions list --store sessions.db", description: "The latest" },
    { command: "daylight sessions list --status waiting --since 7d", description: "What waits for somebody" },
    { command: "daylight sessions list --label team=ops --failed --min-usd 1", description: "Expensive trouble" }
  ])
)

const show = Command.make(
  "show",
  {
    id,
    ...place,
    follow: Flag.Boolean("follow").pipe(
      Flag.withDescription("Go on with what comes, until Ctrl-C"),
      Flag.withDefault(false)
    ),
    after: Flag.Int("after").pipe(
      Flag.withMetavar("SEQ"),
      Flag.withDescription("Only the events after this one"),
      Flag.withDefault(0)
    ),
    json,
    verbose
  },
  (input) => exiting(async () => (await import("./sessions/show.ts")).show(placed(given(input))))
).pipe(
  Command.withShortDescription("One session: facts and events"),
  Command.withDescription(paragraphs(
    "One session: its facts, then what happened in it. With --json the first line is the summary, the others are events as of run --json.",
    told
  )),
  Command.withExamples([
    { command: "daylight sessions show 4f2a --follow", description: "Read along while another process runs it" }
  ])
)

const interrupt = Command.make(
  "interrupt",
  {
    id,
    ...place,
    by: Flag.String("by").pipe(
      Flag.withMetavar("NAME"),
      Flag.withDescription("Who does it; by default the name of the user"),
      Flag.optional
    ),
    json
  },
  (input) => exiting(async () => (await import("./sessions/interrupt.ts")).interrupt(placed(given(input))))
).pipe(
  Command.withShortDescription("Stop the run of a session"),
  Command.withDescription(paragraphs(
    "Stop the run of a session, whichever process runs it. Its outcome is then `cancelled`, and the session can be used further.",
    "Exit codes: 0 told, 1 the sessions cannot be read, 2 there is no such session, or it does not run."
  )),
  Command.withExamples([{ command: "daylight sessions interrupt 4f2a", description: "Stop it" }])
)

const remove = Command.make(
  "delete",
  {
    ids: id.pipe(Argument.atLeast(1)),
    ...place,
    children: Flag.Boolean("children").pipe(
      Flag.withDescription("Also the sessions of its child agents, and of theirs"),
      Flag.withDefault(false)
    ),
    json
  },
  (input) => exiting(async () => (await import("./sessions/remove.ts")).remove(placed(given(input))))
).pipe(
  Command.withShortDescription("Delete sessions"),
  Command.withDescription(paragraphs(
    "Delete sessions with all they hold. One that a process holds stays, and is named.",
    told
  )),
  Command.withExamples([{ command: "daylight sessions delete 4f2a --children", description: "With its children" }])
)

const prune = Command.make(
  "prune",
  {
    ...place,
    olderThan: Flag.String("older-than").pipe(
      Flag.withMetavar("SPAN"),
      Flag.withDescription('Those in which nothing happened for so long, such as 30d or "12 hours"')
    ),
    keep: Flag.Int("keep").pipe(
      Flag.withMetavar("COUNT"),
      Flag.withDescription("The latest ones stay, whatever their age"),
      Flag.withDefault(0)
    ),
    pending: Flag.Boolean("pending").pipe(
      Flag.withDescription("Also those in which somebody still has to act"),
      Flag.withDefault(false)
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Say what would be deleted, and delete nothing"),
      Flag.withDefault(false)
    ),
    ...filter,
    json
  },
  (input) => exiting(async () => (await import("./sessions/remove.ts")).prune(placed(given(input))))
).pipe(
  Command.withShortDescription("Delete sessions that are old"),
  Command.withDescription(paragraphs(
    "Delete sessions that are old. Those that a process holds, or in which somebody has to act, stay and are named.",
    told
  )),
  Command.withExamples([
    { command: "daylight sessions prune --older-than 30d --keep 100 --dry-run", description: "What would go" }
  ])
)

const exportTo = Command.make(
  "export",
  {
    id,
    ...place,
    out: Flag.String("out").pipe(
      Flag.withMetavar("PATH"),
      Flag.withDescription("Where to write. Default: standard output"),
      Flag.optional
    ),
    as: Flag.Literals("as", ["session", "notebook"]).pipe(
      Flag.withDescription(
        "session: all of it, for import; notebook: for Jupyter. Default: by the ending of PATH, else session"
      ),
      Flag.optional
    )
  },
  (input) => exiting(async () => (await import("./sessions/transfer.ts")).exportTo(placed(given(input))))
).pipe(
  Command.withShortDescription("One session as one file"),
  Command.withDescription(paragraphs(
    "Write one session to one file, with the large values it refers to; or as a notebook, to be looked at.",
    told
  )),
  Command.withExamples([
    { command: "daylight sessions export 4f2a --out growth.jsonl", description: "To take elsewhere" },
    { command: "daylight sessions export 4f2a --out growth.ipynb", description: "A notebook" }
  ])
)

const importFrom = Command.make(
  "import",
  {
    file: Argument.String("FILE").pipe(
      Argument.withDescription("What export wrote; - reads it from standard input")
    ),
    ...place,
    as: Flag.String("as").pipe(
      Flag.withMetavar("ID"),
      Flag.withDescription("Under this id instead of its own"),
      Flag.optional
    ),
    json
  },
  (input) => exiting(async () => (await import("./sessions/transfer.ts")).importFrom(placed(given(input))))
).pipe(
  Command.withShortDescription("Put an exported session into a store"),
  Command.withDescription(paragraphs(
    "Put an exported session into a store: all of it or nothing. The file of a SQLite store is made if it is not there.",
    told
  )),
  Command.withExamples([
    { command: "daylight sessions import growth.jsonl --store other.db", description: "Into another store" }
  ])
)

export const sessions = Command.make("sessions").pipe(
  Command.withShortDescription("Sessions: list, show, interrupt, delete, move"),
  Command.withDescription("Sessions of a store: a SQLite file, a Postgres database, or what an agent's file names."),
  Command.withSubcommands([list, show, interrupt, remove, prune, exportTo, importFrom])
)
