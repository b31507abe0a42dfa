/** Shows what agents do on a terminal. For programs; the `daylight` command uses the same. */
export { TerminalRenderer, type TerminalRendererOptions } from "./renderer/TerminalRenderer.ts"
export type { TerminalStream } from "./renderer/Screen.ts"
