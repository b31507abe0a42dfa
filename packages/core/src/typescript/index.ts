/** The type check of cells over TypeScript 7, an optional peer. */
export { TypeScriptChecker } from "./TypeScriptChecker.ts"
