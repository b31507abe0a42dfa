/**
 * A session as a Jupyter notebook, to be read, shared and looked at where notebooks are: what was asked and answered as
 * text, each cell with its output.
 */
import type { Event, Recorded } from "@daylight/core"

type Of<Tag extends Event["_tag"]> = Extract<Event, { readonly _tag: Tag }>

interface CodeCell {
  readonly cell_type: "code"
  readonly id: string
  readonly metadata: { readonly daylight: CellFacts }
  readonly source: string
  readonly execution_count: number
  readonly outputs: Array<Output>
}

interface MarkdownCell {
  readonly cell_type: "markdown"
  readonly id: string
  readonly metadata: Readonly<Record<string, never>>
  readonly source: string
}

interface CellFacts {
  readonly cell: number
  readonly calls: Array<{ readonly path: string; readonly ordinal: number; status: string }>
}

type Output =
  | { readonly output_type: "stream"; readonly name: "stdout" | "stderr"; readonly text: string }
  | {
    readonly output_type: "execute_result"
    readonly execution_count: number
    readonly metadata: Readonly<Record<string, never>>
    readonly data: { readonly "text/plain": string }
  }
  | {
    readonly output_type: "error"
    readonly ename: string
    readonly evalue: string
    readonly traceback: ReadonlyArray<string>
  }

/** Of the format that `.ipynb` files have, version 4.5. */
export interface Notebook {
  readonly nbformat: 4
  readonly nbformat_minor: 5
  readonly metadata: {
    readonly kernelspec: { readonly name: string; readonly display_name: string; readonly language: string }
    readonly language_info: { readonly name: string; readonly file_extension: string; readonly mimetype: string }
    readonly daylight: { readonly session: string; readonly agent: string }
  }
  readonly cells: ReadonlyArray<CodeCell | MarkdownCell>
}

/** Of a log, from its beginning. Save it as JSON, under a name that ends in `.ipynb`. */
export const notebookOf = (log: Iterable<Recorded>): Notebook => {
  const cells: Array<CodeCell | MarkdownCell> = []
  const open = new Map<number, CodeCell>()
  let session = ""
  let agent = ""
  for (const record of log) {
    const { event, seq } = record
    const say = (source: string) => {
      if (source.trim() !== "") cells.push({ cell_type: "markdown", id: `event-${seq}`, metadata: {}, source })
    }
    switch (event._tag) {
      case "SessionOpened":
        session = record.session
        agent = event.agent
        break
      case "RunStarted":
        say(`**Asked**\n\n${textOf(event.prompt.content)}`)
        break
      case "ModelAnswered":
        say(textOf(event.message.content))
        break
      case "CellStarted": {
        const cell = codeCell(event)
        open.set(event.cell, cell)
        cells.push(cell)
        break
      }
      case "CellEnded":
        open.get(event.cell)?.outputs.push(...outputsOf(event))
        break
      case "CallStarted":
        open.get(event.cell)?.metadata.daylight.calls.push({
          path: event.path,
          ordinal: event.ordinal,
          status: "unknown"
        })
        break
      case "CallEnded": {
        const call = open.get(event.cell)?.metadata.daylight.calls.find(({ ordinal }) => ordinal === event.ordinal)
        if (call !== undefined) call.status = event.status
        break
      }
      case "ApprovalDecided":
        say(
          `**${event.by} decided** ${event.decision._tag.toLowerCase()}${
            event.decision._tag === "Deny" ? `: ${event.decision.why}` : ""
          }`
        )
        break
      case "RunEnded":
        if (event.outcome.reason !== "completed") say(`**Ended** as ${event.outcome.reason}${errorOf(event)}`)
        break
    }
  }
  return { nbformat: 4, nbformat_minor: 5, metadata: { ...language, daylight: { session, agent } }, cells }
}

const language = {
  kernelspec: { name: "typescript", display_name: "TypeScript", language: "typescript" },
  language_info: { name: "typescript", file_extension: ".ts", mimetype: "text/typescript" }
}

const codeCell = ({ cell, code }: Of<"CellStarted">): CodeCell => ({
  cell_type: "code",
  id: `cell-${cell}`,
  metadata: { daylight: { cell, calls: [] } },
  source: code,
  execution_count: cell,
  outputs: []
})

const outputsOf = ({ cell, report }: Of<"CellEnded">): ReadonlyArray<Output> => {
  const { preview, problem, stderr, stdout } = report
  const streams = ([["stdout", stdout], ["stderr", stderr]] as const)
    .filter(([, text]) => text !== "")
    .map(([name, text]): Output => ({ output_type: "stream", name, text }))
  if (problem !== undefined) {
    const { frames, message, name } = problem
    return [...streams, {
      output_type: "error",
      ename: name,
      evalue: message,
      traceback: [`${name}: ${message}`, ...frames]
    }]
  }
  if (preview === "") return streams
  return [...streams, {
    output_type: "execute_result",
    execution_count: cell,
    metadata: {},
    data: { "text/plain": preview }
  }]
}

const errorOf = ({ outcome: { error } }: Of<"RunEnded">): string => error === undefined ? "" : `: ${error.message}`

type Part = Of<"RunStarted">["prompt"]["content"][number] | Of<"ModelAnswered">["message"]["content"][number]

/** What was thought, and what was done, is not said: the latter stands in the cells. */
const textOf = (content: ReadonlyArray<Part>): string =>
  content.flatMap((part) => {
    if (part._tag === "Text") return part.text
    return part._tag === "Media" ? `*(${part.blob.mediaType}, ${part.blob.bytes} bytes)*` : []
  }).join("\n\n")
