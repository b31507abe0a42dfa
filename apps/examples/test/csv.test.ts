import { assert, describe, it } from "vitest"
import { parseCsv } from "../pipeline/Csv.ts"

describe("parseCsv", () => {
  it("reads quotes, doubled quotes, line breaks in quotes and CRLF", () => {
    assert.deepEqual(parseCsv('a,b\r\n"x, y","say ""hi"""\r\n"two\nlines",2\r\n'), {
      columns: ["a", "b"],
      rows: [["x, y", 'say "hi"'], ["two\nlines", "2"]]
    })
  })

  it("gives null for empty fields, also the last one", () => {
    assert.deepEqual(parseCsv("a,b,c\n,1,\n2,,").rows, [[null, "1", null], ["2", null, null]])
  })

  it("skips a byte order mark and needs no line break at the end", () => {
    assert.deepEqual(parseCsv("\uFEFFa\n1"), { columns: ["a"], rows: [["1"]] })
  })

  it("names the record that does not fit", () => {
    assert.throws(() => parseCsv("a,b\n1,2\n3\n"), "record 3 has 1 fields where the header has 2")
    assert.throws(() => parseCsv(""), "header line is needed")
    assert.throws(() => parseCsv('a\nx"y\n'), "stray quote")
  })
})
