/** One page with the finding, the chart and everything that was done to the data. It needs no network and no script. */
import type { Answer } from "./Answer.ts"
import { integer, monthName, percent } from "./format.ts"
import type { QualityIssue } from "./QualityLog.ts"

export interface ReportContent {
  readonly answer: Answer
  readonly issues: ReadonlyArray<QualityIssue>
  readonly svg: string
  /** Who wrote the cells: a live model, or the script. */
  readonly author: string
}

export const renderReport = ({ answer, author, issues, svg }: ReportContent): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(answer.headline)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>
<p class="kicker">Wildlife strikes at United States airports</p>
<h1>${escape(answer.headline)}</h1>
<dl>${
    facts(answer).map(([value, text]) => `<div><dt>${escape(value)}</dt><dd>${escape(text)}</dd></div>`).join("")
  }</dl>
</header>
<main>
<figure>${responsive(svg)}</figure>
<section><h2>Hit most</h2>${airportTable(answer.hitMost)}</section>
<section><h2>Harmed most</h2>${airportTable(answer.harmedMost)}</section>
<section class="wide"><h2>What was done to the data</h2>
<p>${integer(answer.rows.raw)} rows came in and ${
    integer(answer.rows.kept)
  } were kept. ${answer.airports.exactMatches} of ${answer.airports.named} airport names agreed
with the directory as they were, ${answer.airports.matched} after matching.</p>
${
    table(
      ["Problem", "Affected", "Decision"],
      issues.map(({ decision, issue, rows, unit }) => [issue, `${integer(rows)} ${unit}`, decision])
    )
  }</section>
<section class="wide"><h2>What the numbers cannot tell</h2><ul>${
    answer.caveats.map((caveat) => `<li>${escape(caveat)}</li>`).join("")
  }</ul></section>
</main>
<footer>Data: FAA Wildlife Strike Database and Bureau of Transportation Statistics, from the vega-datasets package. Every number was computed by code
that ${escape(author)} wrote and three agents ran. Made with Daylight.</footer>
</body>
</html>
`

const facts = (answer: Answer): Array<[value: string, text: string]> => {
  const [hit] = answer.hitMost
  const [harmed] = answer.harmedMost
  const { busiestMonth, costliestSpecies, harshestMonth } = answer
  return [
    [
      hit!.per10k.toFixed(1),
      `strikes per 10,000 departures at ${hit!.name}; ${percent(hit!.damagingShare)} of them damage the aircraft`
    ],
    [
      percent(harmed!.damagingShare),
      `of the strikes at ${harmed!.name} damage the aircraft, more per departure than anywhere else`
    ],
    [
      monthName(busiestMonth.month),
      `has the most strikes, ${monthName(harshestMonth.month)} the most harmful: ${
        percent(harshestMonth.damagingShare)
      } damage the aircraft`
    ],
    [
      percent(costliestSpecies.shareOfCost),
      `of all reported cost is caused by one species, ${costliestSpecies.name}, in ${
        percent(costliestSpecies.shareOfStrikes)
      } of the strikes`
    ]
  ]
}

const airportTable = (rows: Answer["hitMost"]): string =>
  table(
    ["Airport", "Strikes", "per 10,000", "damaging", "share"],
    rows.map((
      row
    ) => [
      `${row.name} (${row.iata})`,
      integer(row.strikes),
      row.per10k.toFixed(2),
      row.damagingPer10k.toFixed(2),
      percent(row.damagingShare)
    ])
  )

const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const line = (cells: ReadonlyArray<string>, tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escape(cell)}</${tag}>`).join("")}</tr>`
  return `<table><thead>${line(head, "th")}</thead><tbody>${
    rows.map((row) => line(row, "td")).join("")
  }</tbody></table>`
}

/** The drawing keeps its proportions and takes the width of the page. */
const responsive = (svg: string): string =>
  svg.replace(/<svg([^>]*?) width="[^"]*" height="[^"]*"/, '<svg$1 role="img" width="100%"')

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" }
const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!)

const STYLE = `
:root { --ink: #22313f; --grey: #5f6e7c; --line: #e3e8ec; --red: #c43c39; }
* { box-sizing: border-box; }
body { margin: 0; background: #f5f7f8; color: var(--ink); font: 16px/1.55 Inter, system-ui, "Segoe UI", Helvetica, Arial, sans-serif; }
header, main, footer { max-width: 1180px; margin: 0 auto; padding: 0 24px; }
header { padding-top: 56px; }
.kicker { margin: 0; color: var(--red); font-weight: 600; letter-spacing: .02em; }
h1 { margin: .2em 0 .9em; max-width: 24em; font-size: clamp(1.7rem, 3.4vw, 2.6rem); line-height: 1.18; letter-spacing: -.015em; }
h2 { margin: 0 0 .7em; font-size: 1.15rem; }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 28px; margin: 0 0 40px; }
dt { font-size: 2rem; font-weight: 650; letter-spacing: -.02em; }
dd { margin: 0; color: var(--grey); font-size: .95rem; }
main { display: grid; grid-template-columns: 1fr 1fr; gap: 24px; }
figure, .wide { grid-column: 1 / -1; }
figure, section { margin: 0; padding: 28px; background: #fff; border: 1px solid var(--line); border-radius: 14px; overflow-x: auto; }
figure { padding: 8px; }
figure svg { display: block; min-width: 640px; height: auto; }
table { width: 100%; border-collapse: collapse; font-size: .93rem; font-variant-numeric: tabular-nums; }
th { color: var(--grey); font-weight: 500; text-align: left; }
th, td { padding: .45em .9em .45em 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody tr:last-child td { border-bottom: 0; }
ul { margin: 0; padding-left: 1.1em; }
li + li { margin-top: .4em; }
footer { padding-top: 24px; padding-bottom: 56px; color: var(--grey); font-size: .87rem; }
@media (max-width: 820px) { main { grid-template-columns: 1fr; } }
`
