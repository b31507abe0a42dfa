/** Draws a Vega-Lite specification without a browser, with the layout engine that a page would use. */
import * as vega from "vega"
import { compile, type TopLevelSpec } from "vega-lite"

/**
 * The picture as SVG text. Works on a copy, because Vega marks the rows it is given.
 * Rejects with Vega's own error when the specification is wrong.
 */
export const renderSvg = async (spec: TopLevelSpec): Promise<string> => {
  const warnings: Array<string> = []
  const logger = {
    ...vega.logger(vega.Warn),
    warn: (...words: ReadonlyArray<unknown>) => (warnings.push(words.join(" ")), logger)
  }
  const compiled = compile(structuredClone(spec), { logger }).spec
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger })
  try {
    const svg = await view.toSVG()
    if (warnings.length > 0) process.emitWarning(`Vega: ${warnings.join("; ")}`)
    return shortenNumbers(svg)
  } finally {
    view.finalize()
  }
}

/** Coordinates come with 15 digits; two decimals of a pixel are plenty, and halve the file. */
const shortenNumbers = (svg: string): string =>
  svg.replace(
    /\b(d|transform|x|y|x1|x2|y1|y2|width|height)="([^"]*)"/g,
    (_, name: string, value: string) =>
      `${name}="${value.replace(/-?\d+\.\d{3,}/g, (number) => String(Number(Number(number).toFixed(2))))}"`
  )
