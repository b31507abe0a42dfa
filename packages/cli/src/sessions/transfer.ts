/** `daylight sessions export` and `import`: one session as one file, or as a notebook to look at. */
import type { SessionId } from "@daylight/core"
import { createReadStream, createWriteStream } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { answer } from "../Answer.ts"
import { complain, exitCodeOf } from "../Complaint.ts"
import * as ExitCode from "../ExitCode.ts"
import { Problem } from "../Problem.ts"
import { span } from "../renderer/Paint.ts"
import { type OpenStore, type StorePlace, withStore } from "../StoreAccess.ts"
import { chosenSession } from "./SessionChoice.ts"

export interface ExportInput {
  readonly place: StorePlace
  readonly id: string
  /** Where to write. Left out or `-`: standard output. */
  readonly out: string | undefined
  /** Left out: a notebook where `out` is called so, else a session. */
  readonly as: "session" | "notebook" | undefined
}

/** A file is there when it is whole, and not before. */
export const exportTo = async ({ as, id, out, place }: ExportInput): Promise<number> => {
  try {
    await withStore(place, async (opened) => {
      const session = await chosenSession(opened, id)
      const isNotebook = as === "notebook" || as === undefined && out?.endsWith(".ipynb") === true
      const text = isNotebook ? await notebookText(opened, session) : await sessionText(opened, session)
      await write(text, out === "-" ? undefined : out)
    })
    return 0
  } catch (error) {
    complain(error)
    return exitCodeOf(error)
  }
}

type Text = Iterable<string> | AsyncIterable<string>

const sessionText = async ({ core, files, store, Stream }: OpenStore, session: SessionId): Promise<Text> => {
  const { exportSession } = await files()
  return Stream.toAsyncIterable(Stream.provideService(exportSession(session), core.SessionStore, store))
}

const notebookText = async ({ Effect, files, store, Stream }: OpenStore, session: SessionId): Promise<Text> => {
  const { notebookOf } = await files()
  const log = await Effect.runPromise(Stream.runCollect(store.read(session)))
  return [`${JSON.stringify(notebookOf(log), undefined, 1)}\n`]
}

const write = async (text: Text, out: string | undefined): Promise<void> => {
  if (out === undefined) return pipeline(Readable.from(text), process.stdout, { end: false })
  const part = `${out}.part`
  try {
    await pipeline(Readable.from(text), createWriteStream(part))
    await rename(part, out)
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

export interface ImportInput {
  readonly place: StorePlace
  /** `-`: standard input. */
  readonly file: string
  readonly as: string | undefined
  readonly json: boolean
}

/** A store's file is begun where there is none. */
export const importFrom = ({ as, file, json, place }: ImportInput): Promise<number> =>
  answer((print) =>
    withStore(place, async ({ core, Effect, files, store, Stream }) => {
      const { importSession } = await files()
      const input = file === "-" ? process.stdin : createReadStream(file)
      const text = Stream.fromAsyncIterable(input.setEncoding("utf8") as AsyncIterable<string>, unreadable(file))
      const id = await importSession(text, { as: as === undefined ? undefined : core.SessionId.make(as) }).pipe(
        Effect.provideService(core.SessionStore, store),
        Effect.runPromise
      )
      if (json) print.json({ session: id })
      else print.row([span("Imported", "good"), span(` ${id}`)])
    }, { create: true })
  )

const unreadable = (file: string) => (error: unknown): Problem =>
  new Problem(
    file,
    `cannot be read (${error instanceof Error ? error.message : String(error)})`,
    "Give a file that `daylight sessions export` wrote.",
    ExitCode.usage
  )
