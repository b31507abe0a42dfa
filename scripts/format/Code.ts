/** How code is laid out: dprint, with the settings of this repository. */
import { readFileSync } from "node:fs"
import { createFromBuffer } from "@dprint/formatter"
import { getPath } from "@dprint/typescript"

export const lineWidth = 120

const formatter = createFromBuffer(readFileSync(getPath()))

formatter.setConfig({ indentWidth: 2, lineWidth, newLineKind: "lf", useTabs: false }, {
  "arrowFunction.useParentheses": "force",
  "functionExpression.spaceAfterFunctionKeyword": false,
  "module.sortExportDeclarations": "maintain",
  "module.sortImportDeclarations": "maintain",
  nextControlFlowPosition: "sameLine",
  operatorPosition: "maintain",
  quoteStyle: "preferDouble",
  semiColons: "asi",
  singleBodyPosition: "maintain",
  trailingCommas: "never"
})

const mistakes = formatter.getConfigDiagnostics()
if (mistakes.length > 0) throw new Error(`the settings of dprint are wrong: ${JSON.stringify(mistakes)}`)

/** The text with its code laid out. Throws if it does not parse. */
export const formatCode = (file: string, text: string): string =>
  formatter.formatText({ filePath: file, fileText: text })
