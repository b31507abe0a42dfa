/** The `daylight` command as a library: its parts for programs that show or load agents in the same way. */
export { loadAgentFile } from "./AgentFile.ts"
export type { DaylightConfig } from "./Config.ts"
export * as ExitCode from "./ExitCode.ts"
export { errorLine, eventLine, outcomeLine } from "./JsonLines.ts"
export { Problem } from "./Problem.ts"
export { TerminalRenderer, type TerminalRendererOptions } from "./renderer/TerminalRenderer.ts"
