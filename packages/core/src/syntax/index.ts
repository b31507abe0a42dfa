/**
 * Syntax of cells: parse, rewrite, static scope. The only user of the parser, loaded with the first cell.
 */
export { parseCell, type Strip } from "./ParseCell.ts"
