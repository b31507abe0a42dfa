/**
 * Writes the tables of events and of the types in their fields into core's README, from the schema; `--check` compares
 * instead. Needs Node's condition `@daylight/source`: `npm run events`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import process from "node:process"
import * as core from "@daylight/core"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaRepresentation from "effect/SchemaRepresentation"
import { parseSync } from "vite"
import { within } from "./setup/Repository.mjs"

const readmeFile = within("packages/core/README.md")
const [start, end] = ["<!-- events -->", "<!-- /events -->"]

interface NamedType {
  readonly name: string
  readonly type: string
}

const names = schemaNames()
const comments = caseComments(readFileSync(within("packages/core/src/Event.ts"), "utf8"))
const definitions = new Map<string, NamedType>()

const rows = Object.entries(core.Event.cases).map(([tag, schema]) => {
  const { fields } = render(schema.ast)
  const { about, durable } = comments.get(tag) ?? { about: "", durable: false }
  return `| \`${tag}\` | ${durable ? "✓" : ""} | ${fields.map(cell).join(" ")} | ${escape(about)} |`
})

const tables = [
  "| event | durable first | fields | |",
  "|---|---|---|---|",
  ...rows,
  "",
  "| type | |",
  "|---|---|",
  ...[...definitions.values()].toSorted((a, b) => a.name < b.name ? -1 : 1)
    .map(({ name, type }) => `| \`${name}\` | ${cell(type)} |`)
].join("\n")

const readme = readFileSync(readmeFile, "utf8")
const updated = replaceBetween(readme, tables)
if (updated === undefined) fail(`core's README.md lacks ${start} and ${end}: put them where the tables go`)
if (process.argv.includes("--check")) {
  if (updated !== readme) fail("the tables of events in packages/core/README.md are out of date: npm run events")
  console.log(`${rows.length} events, ${definitions.size} types`)
} else {
  writeFileSync(readmeFile, updated)
  console.log(`${rows.length} events and ${definitions.size} types written to packages/core/README.md`)
}

/** What the parts of an event are called: a public schema by its name, a case of `Message` as `UserMessage`. */
function schemaNames(): ReadonlyMap<SchemaAST.AST, string> {
  const found = new Map<SchemaAST.AST, string>()
  for (const [name, value] of Object.entries(core)) {
    if (!Schema.isSchema(value) || name === "Event" || name === "Recorded") continue
    found.set(value.ast, name)
  }
  for (const [tag, schema] of Object.entries(core.Message.cases)) found.set(schema.ast, `${tag}Message`)
  return found
}

/** The fields of a struct as TypeScript; the types that they name go to `definitions`. */
function render(ast: SchemaAST.AST): { readonly fields: ReadonlyArray<string> } {
  const document = SchemaRepresentation.toCodeDocument(
    SchemaRepresentation.toMultiDocument(SchemaRepresentation.toRepresentation(SchemaAST.toType(ast), {
      referencePolicy: (candidate) => names.get(candidate.ast)
    }))
  )
  for (const { $ref, code } of document.references.nonRecursives) define($ref, code.Type)
  for (const [name, code] of Object.entries(document.references.recursives)) define(name, code.Type)
  return { fields: topLevelFields(tidy(document.codes[0]?.Type ?? "{ }")) }
}

function define(name: string, type: string): void {
  definitions.set(name, { name, type: tidy(type) })
}

/** TypeScript as a person would write it in a table. */
function tidy(type: string): string {
  return type
    .replace(/readonly /g, "")
    .replace(/"(\w+)"(\??: )/g, "$1$2")
    .replaceAll(" | undefined", "") // an event is JSON: what is undefined is absent
    .replace(/\bSchema\.Json\b/g, "Json")
    .replace(/ReadonlyArray</g, "Array<")
}

/** `run: number` and `usage: Usage` of `{ _tag: "X", run: number, usage: Usage }`. */
function topLevelFields(struct: string): ReadonlyArray<string> {
  const fields: Array<string> = []
  let depth = 0
  let from = 1
  for (const [at, character] of [...struct].entries()) {
    if ("{[(<".includes(character)) depth++
    if ("}])>".includes(character)) depth--
    const ends = (character === "," && depth === 1) || (character === "}" && depth === 0)
    if (!ends) continue
    fields.push(struct.slice(from, at).trim())
    from = at + 1
  }
  return fields.filter((field) => field !== "" && !field.startsWith("_tag:"))
}

/** What the source says above each case; a leading `!` marks an event that is durable before what it announces. */
function caseComments(source: string): ReadonlyMap<string, { readonly about: string; readonly durable: boolean }> {
  const found = new Map<string, { readonly about: string; readonly durable: boolean }>()
  for (const comment of parseSync("Event.ts", source).comments) {
    const tag = /^\s*(\w+): \{/.exec(source.slice(comment.end))?.[1]
    if (tag === undefined || comment.type !== "Block") continue
    const text = comment.value.replace(/^\*|^\s*\* ?/gm, "").replace(/\s+/g, " ").trim()
    found.set(tag, { about: text.replace(/^!\s*/, ""), durable: text.startsWith("!") })
  }
  return found
}

function replaceBetween(text: string, content: string): string | undefined {
  const from = text.indexOf(start)
  const to = text.indexOf(end)
  if (from < 0 || to < from) return undefined
  return `${text.slice(0, from + start.length)}\n${content}\n${text.slice(to)}`
}

function cell(code: string): string {
  return `\`${escape(code)}\``
}

/** A bar would end the cell of a table, also between backticks. */
function escape(text: string): string {
  return text.replaceAll("|", "\\|")
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
