/** Names recordings that nobody asked for, so that people know what is gone from the run. */
import type { Cassette, RecordedAnswer, RecordedExchange } from "./Cassette.ts"

/** Recordings that are named; of more only the number is told. */
const most = 5

interface Unused {
  readonly answers: ReadonlyArray<RecordedAnswer>
  readonly exchanges: ReadonlyArray<RecordedExchange>
}

export const unusedReport = (cassette: Cassette, unused: Unused): string => {
  const names = unusedNames(cassette, unused)
  const more = names.length > most ? [`and ${names.length - most} more`] : []
  return [...names.slice(0, most), ...more].join(", ")
}

export const unusedNames = ({ answers, exchanges }: Cassette, unused: Unused): ReadonlyArray<string> => [
  ...unused.answers.map((answer) => nameOf(answer, answers.indexOf(answer) + 1, answers.length)),
  ...unused.exchanges.map((exchange) =>
    `exchange ${
      exchanges.indexOf(exchange) + 1
    } of ${exchanges.length} (${exchange.request.method} ${exchange.endpoint})`
  )
]

const nameOf = ({ parts, request }: RecordedAnswer, number: number, of: number): string => {
  const said = parts.map((part) => part._tag === "TextDelta" ? part.text : part._tag === "ActionDelta" ? part.json : "")
  const text = said.join("").trim()
  const start = text === ""
    ? ""
    : `: ${JSON.stringify(text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text)}`
  return `answer ${number} of ${of} (${request.purpose ?? "any"}${start})`
}
