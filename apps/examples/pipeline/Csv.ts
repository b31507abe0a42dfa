/**
 * Reads comma-separated text as RFC 4180 describes it: quoted fields, doubled quotes, line breaks inside quotes, CRLF.
 * Nothing is guessed: every field stays text, and an empty one becomes `null`.
 */

export interface CsvTable {
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string | null>>
}

/** Throws a `SyntaxError` that names the line where a row has another number of fields than the header. */
export const parseCsv = (text: string): CsvTable => {
  const [header, ...rows] = splitRecords(text)
  if (header === undefined) throw new SyntaxError("CSV: the text is empty, and a header line is needed")
  rows.forEach((row, index) => {
    if (row.length !== header.length) {
      throw new SyntaxError(`CSV: record ${index + 2} has ${row.length} fields where the header has ${header.length}`)
    }
  })
  return { columns: header, rows: rows.map((row) => row.map((field) => field === "" ? null : field)) }
}

/** A field, then what ended it: a comma, a line break, or the end of the text. */
const FIELD = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y

const splitRecords = (text: string): Array<Array<string>> => {
  const records: Array<Array<string>> = []
  let record: Array<string> = []
  FIELD.lastIndex = text.startsWith("\uFEFF") ? 1 : 0
  while (FIELD.lastIndex < text.length) {
    const start = FIELD.lastIndex
    const match = FIELD.exec(text)
    if (match === null) throw new SyntaxError(`CSV: a stray quote near "${text.slice(start, start + 30)}"`)
    record.push(match[1] === undefined ? match[2]! : match[1].replaceAll('""', '"'))
    if (match[3] === ",") {
      // A comma as the very last character leaves one more empty field behind it.
      if (FIELD.lastIndex < text.length) continue
      record.push("")
    }
    records.push(record)
    record = []
  }
  return records
}
