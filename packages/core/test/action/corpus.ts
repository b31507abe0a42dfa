/**
 * Hard texts and what a parser must find in them.
 */
import type { FenceFormat, FenceResult } from "../../src/action/FenceParser.ts"

export interface Hard {
  readonly title: string
  readonly format?: FenceFormat
  readonly input: string
  /** Where `text` is missing it is the whole input. */
  readonly expected: Distribute<FenceResult>
}
type Distribute<R> = R extends { readonly text: string } ? Omit<R, "text"> & { readonly text?: string } : never

const block = (code: string, text = ""): Hard["expected"] => ({ _tag: "Block", code, text })
const none: Hard["expected"] = { _tag: "None" }
const open = (code: string, text = ""): Hard["expected"] => ({ _tag: "Unterminated", code, text })
const miss = (kind: "no-run" | "wrong-tag" | "tag", language: string, code: string): Hard["expected"] => ({
  _tag: "NearMiss",
  kind,
  language,
  code
})

const tags: FenceFormat = { open: "<execute>", close: "</execute>" }
const f = "```"

export const corpus: ReadonlyArray<Hard> = [
  // ------------------------------------------------------------------------------------------ plain text
  { title: "nothing", input: "", expected: none },
  { title: "prose", input: "Hello.\n\nAll is *well*.\n", expected: none },
  { title: "white space", input: "  \n\t\n", expected: none },
  { title: "inline code", input: "Call `f()` or ``g(`x`)``.", expected: none },
  { title: "a fence in the middle of a line", input: `Write ${f}ts run to run.\nx\n`, expected: none },
  { title: "a fence that ends on its line", input: `${f}ts run${f}\nfoo()\n`, expected: none },
  { title: "inline code of three backticks", input: `${f}foo()${f} is the call.\n`, expected: none },
  { title: "two backticks", input: "``ts run\nfoo()\n``\n", expected: none },
  { title: "two tildes", input: "~~ts run\nfoo()\n~~\n", expected: none },
  { title: "unicode", input: "日本語 😀 e\u0301\u2028 ok", expected: none },
  { title: "only backticks, no newline", input: "``", expected: none },
  // ------------------------------------------------------------------------------------------ a block
  { title: "one block", input: `${f}ts run\nfoo()\n${f}\n`, expected: block("foo()") },
  { title: "no newline at the end", input: `${f}ts run\nfoo()\n${f}`, expected: block("foo()") },
  { title: "prose before", input: `First.\n\n${f}ts run\nfoo()\n${f}\n`, expected: block("foo()", "First.\n\n") },
  { title: "prose after is not taken", input: `${f}js run\na\n${f}\nand so on`, expected: block("a") },
  { title: "the first of several", input: `${f}js run\na\n${f}\n${f}js run\nb\n${f}\n`, expected: block("a") },
  { title: "capitals", input: `${f}TypeScript RUN\na\n${f}\n`, expected: block("a") },
  { title: "words after run", input: `${f}javascript run copy title="x"\na\n${f}\n`, expected: block("a") },
  { title: "spaces in the info string", input: `${f}  ts \t run  \na\n${f}  \n`, expected: block("a") },
  { title: "tildes", input: "~~~ts run\na ~ b\n~~~\n", expected: block("a ~ b") },
  { title: "tildes allow backticks in the info string", input: "~~~ts run `x`\na\n~~~\n", expected: block("a") },
  { title: "longer fences", input: "`````ts run\na\n```\nb\n`````\n", expected: block("a\n```\nb") },
  { title: "a longer closing fence", input: `${f}ts run\na\n\`\`\`\`\`\n`, expected: block("a") },
  { title: "a shorter closing fence", input: "````ts run\na\n```\n", expected: open("a\n```\n") },
  { title: "a closing fence of the other kind", input: `${f}ts run\na\n~~~\nb\n${f}\n`, expected: block("a\n~~~\nb") },
  {
    title: "blank lines in and around the code",
    input: `${f}ts run\n\n a\n\n\nb\n\n${f}\n`,
    expected: block("\n a\n\n\nb\n")
  },
  { title: "up to three spaces", input: `   ${f}ts run\n   a\n  b\n     c\n   ${f}\n`, expected: block("a\nb\n  c") },
  { title: "tabs in the code", input: `${f}ts run\n\tif (a)\n\t\tb\n${f}\n`, expected: block("\tif (a)\n\t\tb") },
  { title: "CRLF", input: `Hi\r\n${f}ts run\r\na\r\n\r\nb\r\n${f}\r\n`, expected: block("a\r\n\r\nb", "Hi\r\n") },
  { title: "mixed newlines", input: `${f}ts run\na\r\nb\n${f}\r\n`, expected: block("a\r\nb") },
  { title: "a lone CR is no newline", input: `${f}ts run\na\rb\n${f}\n`, expected: block("a\rb") },
  {
    title: "a very long line",
    input: `${f}ts run\n${"x + ".repeat(20_000)}1\n${f}\n`,
    expected: block(`${"x + ".repeat(20_000)}1`)
  },
  {
    title: "unicode in the code",
    input: `\u00e9\n${f}ts run\n"😀 日本"\n${f}\n`,
    expected: block('"😀 日本"', "\u00e9\n")
  },
  {
    title: "backticks within a line of code",
    input: `${f}ts run\nf("${f}") // ${f}\n${f}\n`,
    expected: block(`f("${f}") // ${f}`)
  },
  // ------------------------------------------------------------------------------------------ lists
  {
    title: "in a list item",
    input: `- one\n\n  ${f}ts run\n  a\n    b\n  ${f}\n`,
    expected: block("a\n  b", "- one\n\n")
  },
  {
    title: "in a numbered item",
    input: `10. one\n    ${f}ts run\n    a\n    ${f}\n`,
    expected: block("a", "10. one\n")
  },
  {
    title: "in a nested item",
    input: `- a\n  - b\n\n      ${f}ts run\n      c\n      ${f}\n`,
    expected: block("c", "- a\n  - b\n\n")
  },
  { title: "four spaces without a list", input: `Text:\n\n    ${f}ts run\n    a\n    ${f}\n`, expected: none },
  { title: "after a list that is over", input: `1. a\n\nText\n\n     ${f}ts run\n     a\n     ${f}\n`, expected: none },
  { title: "closed further left", input: `- a\n  ${f}ts run\n  b\n${f}\n`, expected: block("b", "- a\n") },
  // ------------------------------------------------------------------------------------------ quoted and shown
  { title: "ordinary blocks", input: `See\n${f}ts\na\n${f}\nand\n${f}json\n{}\n${f}\nDone.`, expected: none },
  {
    title: "a shown block, then a cell",
    input: `${f}ts\na\n${f}\n${f}ts run\nb\n${f}\n`,
    expected: block("b", `${f}ts\na\n${f}\n`)
  },
  { title: "quoted in four backticks", input: `\`\`\`\`markdown\n${f}ts run\na\n${f}\n\`\`\`\`\nSo.`, expected: none },
  {
    title: "quoted, then a cell",
    input: `\`\`\`\`md\n${f}ts run\na\n${f}\n\`\`\`\`\n${f}ts run\nb\n${f}\n`,
    expected: block("b", `\`\`\`\`md\n${f}ts run\na\n${f}\n\`\`\`\`\n`)
  },
  { title: "quoted in tildes", input: `~~~\n${f}ts run\na\n${f}\n~~~\nSo.`, expected: none },
  { title: "quoted in as many backticks", input: `${f}markdown\n${f}ts run\na\n${f}\n${f}\nSo.`, expected: none },
  { title: "an open block quotes to the end", input: `${f}text\nx\n${f}ts run\na\n`, expected: none },
  { title: "a similar word", input: `${f}ts running\na\n${f}\nDone.`, expected: none },
  { title: "a word with a hyphen", input: `${f}ts run-later\na\n${f}\nDone.`, expected: none },
  { title: "another language", input: `${f}bash run\nls\n${f}\n`, expected: none },
  {
    title: "an empty block is text",
    input: `${f}ts run\n${f}\nand\n${f}ts run\na\n${f}\n`,
    expected: block("a", `${f}ts run\n${f}\nand\n`)
  },
  { title: "a block of white space is text", input: `${f}ts run\n  \n\n${f}\n`, expected: none },
  { title: "white space, CRLF", input: `${f}ts run\r\n \r\n${f}\r\nx`, expected: none },
  // ------------------------------------------------------------------------------------------ the code's own text
  {
    title: "a fence inside a template literal",
    input: `${f}ts run\nconst a = \`\n${f}\nx\n${f}\n\`\nb\n${f}\n`,
    expected: block(`const a = \`\n${f}\nx\n${f}\n\`\nb`)
  },
  {
    title: "a fence after an interpolation",
    input: `${f}ts run\nconst a = \`\${b ? \`\${c}\` : {}}\n${f}\n\`\n${f}\n`,
    expected: block(`const a = \`\${b ? \`\${c}\` : {}}\n${f}\n\``)
  },
  {
    title: "a fence inside a comment",
    input: `${f}ts run\n/*\n${f}\n*/\na\n${f}\n`,
    expected: block(`/*\n${f}\n*/\na`)
  },
  {
    title: "a fence in a continued string",
    input: `${f}ts run\na("x\\\n${f}\\\ny")\n${f}\n`,
    expected: block(`a("x\\\n${f}\\\ny")`)
  },
  { title: "an escaped backtick", input: `${f}ts run\na(\`\\\`\`)\n${f}\n`, expected: block("a(`\\``)") },
  { title: "a backtick in a string", input: `${f}ts run\na("\`")\n${f}\n`, expected: block('a("`")') },
  {
    title: "a backtick in a line comment",
    input: `${f}ts run\na() // it's a \`\n${f}\n`,
    expected: block("a() // it's a `")
  },
  {
    title: "a backtick in a regular expression",
    input: `${f}ts run\na(/[/\`]/, b / c)\n${f}\n`,
    expected: block("a(/[/`]/, b / c)")
  },
  {
    title: "a regular expression after return",
    input: `${f}ts run\nreturn /\`/.test(a)\n${f}\n`,
    expected: block("return /`/.test(a)")
  },
  {
    title: "a division is no regular expression",
    input: `${f}ts run\na = b / 2 + \`x\` / c\n${f}\n`,
    expected: block("a = b / 2 + `x` / c")
  },
  { title: "an apostrophe too many", input: `${f}ts run\na = 'it's'\n${f}\n`, expected: block("a = 'it's'") },
  { title: "an open bracket", input: `${f}ts run\na((({\n${f}\n`, expected: block("a((({") },
  { title: "a literal that is not closed", input: `${f}ts run\na = \`b\n${f}\nSo it is.\n`, expected: block("a = `b") },
  {
    title: "a fence with a word in the code",
    input: `${f}ts run\na\n${f}js\nb\n${f}\n`,
    expected: block(`a\n${f}js\nb`)
  },
  {
    title: "a fence with a word in a literal",
    input: `${f}ts run\na = \`\n${f}js\nb\n${f}\n\`\n${f}\nSo.`,
    expected: block(`a = \`\n${f}js\nb\n${f}\n\``)
  },
  { title: "tildes in a literal", input: "~~~ts run\na(`\n~~~\n`)\n~~~\n", expected: block("a(`\n~~~\n`)") },
  { title: "a fence further in", input: `${f}ts run\na\n    ${f}\nb\n${f}\n`, expected: block(`a\n    ${f}\nb`) },
  // ------------------------------------------------------------------------------------------ unterminated
  { title: "never closed", input: `Now\n${f}ts run\na\nb`, expected: open("a\nb", "Now\n") },
  { title: "ends within the closing fence", input: `${f}ts run\na\n\`\``, expected: open("a\n``") },
  { title: "ends after the opening fence", input: `Now\n${f}ts run`, expected: open("", "Now\n") },
  { title: "ends after the opening line", input: `${f}ts run\n`, expected: open("") },
  // ------------------------------------------------------------------------------------------ near misses
  { title: "run alone", input: `Now:\n${f}run\na\n${f}\n`, expected: miss("wrong-tag", "", "a") },
  { title: "tsrun", input: `${f}tsrun\na\nb\n${f}`, expected: miss("wrong-tag", "ts", "a\nb") },
  { title: "ts-run", input: `Now:\n\n${f}ts-run\na\n${f}\n\n`, expected: miss("wrong-tag", "ts", "a") },
  { title: "ts:run, never closed", input: `Now:\n${f}ts:run\na\n`, expected: miss("wrong-tag", "ts", "a") },
  { title: "run ts", input: `Now:\n${f}run ts\na\n${f}\n`, expected: miss("wrong-tag", "ts", "a") },
  { title: "python run", input: `Now:\r\n${f}Python Run\r\na\r\n${f}\r\n`, expected: miss("wrong-tag", "python", "a") },
  { title: "a near miss that text follows", input: `${f}run\na\n${f}\nThis runs a.`, expected: none },
  { title: "a file name", input: `Put it here:\n${f}ts file=run.ts\na\n${f}\n`, expected: none },
  { title: "the whole answer is code", input: `${f}ts\na\n${f}\n`, expected: miss("no-run", "ts", "a") },
  {
    title: "the whole answer is Python",
    input: `\n${f}python\nprint(1)\n${f}\n`,
    expected: miss("no-run", "python", "print(1)")
  },
  { title: "code that is shown with a word", input: `Here:\n${f}ts\na\n${f}\n`, expected: none },
  { title: "the whole answer is data", input: `${f}json\n{}\n${f}\n`, expected: none },
  { title: "the whole answer is a block of no language", input: `${f}\na\n${f}\n`, expected: none },
  { title: "two blocks are an answer", input: `${f}ts\na\n${f}\n${f}ts\nb\n${f}\n`, expected: none },
  { title: "an empty block misses nothing", input: `${f}run\n\n${f}\n`, expected: none },
  // ------------------------------------------------------------------------------------------ tags
  { title: "tags", format: tags, input: "Now <execute>\na\n  b\n</execute> and", expected: block("a\n  b", "Now ") },
  { title: "tags on one line", format: tags, input: "<execute>a()</execute>", expected: block("a()") },
  { title: "space beside the tags", format: tags, input: "<execute> a() </execute>", expected: block("a()") },
  {
    title: "an indented first line",
    format: tags,
    input: "<execute>  \n  a\n  b\n  </execute>",
    expected: block("  a\n  b")
  },
  { title: "CRLF in tags", format: tags, input: "<execute>\r\na\r\nb\r\n</execute>\r\n", expected: block("a\r\nb") },
  { title: "the first tags", format: tags, input: "<execute>a</execute><execute>b</execute>", expected: block("a") },
  {
    title: "empty tags are text",
    format: tags,
    input: "<execute> \n</execute>\n<execute>a</execute>",
    expected: block("a", "<execute> \n</execute>\n")
  },
  {
    title: "tags in inline code",
    format: tags,
    input: "Use `<execute>` and `</execute>`, or ``<execute>``.",
    expected: none
  },
  { title: "tags in a block", format: tags, input: `See\n${f}\n<execute>a</execute>\n${f}\nDone`, expected: none },
  {
    title: "tags after a block",
    format: tags,
    input: `${f}\nx\n${f}\n<execute>a</execute>`,
    expected: block("a", `${f}\nx\n${f}\n`)
  },
  {
    title: "a tag in a string",
    format: tags,
    input: "<execute>a('</execute>')</execute>",
    expected: block("a('</execute>')")
  },
  {
    title: "a tag in a template",
    format: tags,
    input: "<execute>\na(`\n</execute>`)\n</execute>",
    expected: block("a(`\n</execute>`)")
  },
  {
    title: "a tag in a comment over lines",
    format: tags,
    input: "<execute>/* </execute> */ a</execute>",
    expected: block("/* </execute> */ a")
  },
  { title: "a tag ends a line comment", format: tags, input: "<execute>a // b</execute>", expected: block("a // b") },
  { title: "a string that is not closed", format: tags, input: "<execute>a('b</execute> so", expected: block("a('b") },
  { title: "half a tag", format: tags, input: "a < b <exec <execut", expected: none },
  { title: "a tag that begins twice", format: tags, input: "<<execute>a<</execute>", expected: block("a<", "<") },
  { title: "tags never closed", format: tags, input: "Now <execute>\na\n</exec", expected: open("a\n</exec", "Now ") },
  { title: "tags of another case", format: tags, input: "<Execute>\na\n</Execute>", expected: miss("tag", "", "a") },
  { title: "a shorter tag", format: tags, input: "Now\n<exec>a</exec>\n", expected: miss("tag", "", "a") },
  {
    title: "a tag with an attribute",
    format: tags,
    input: '<execute lang="ts">a</execute>',
    expected: miss("tag", "", "a")
  },
  { title: "another element", format: tags, input: "<b>a</b>", expected: none },
  { title: "a wrong tag that text follows", format: tags, input: "<exec>a</exec> is wrong", expected: none },
  { title: "a quoted wrong tag", format: tags, input: `As in\n${f}html\n<exec>a</exec>\n${f}`, expected: none },
  {
    title: "a fence where tags are asked",
    format: tags,
    input: `Now\n${f}ts run\na\n${f}`,
    expected: miss("wrong-tag", "ts", "a")
  },
  { title: "no tag at all", format: tags, input: `${f}ts\na\n${f}`, expected: miss("no-run", "ts", "a") },
  {
    title: "tags that are no elements",
    format: { open: "[[RUN", close: "]]" },
    input: "x [[[RUN a[0] ]]]",
    expected: block("a[0]", "x [")
  },
  {
    title: "fences as tags",
    format: { open: "```python", close: "```" },
    input: "Hi\n```python\na\n```\n",
    expected: block("a", "Hi\n")
  }
]
