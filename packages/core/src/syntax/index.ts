/**
 * Syntax of cells: parse, static checks of names, notebook rewrite. The only user of the parser, loaded with the first
 * cell.
 */
export { type FunctionParameter, parseFunctionParameters } from "./Parameters.ts"
export { parseCell, type Strip } from "./ParseCell.ts"
export { originalColumn } from "./Positions.ts"
