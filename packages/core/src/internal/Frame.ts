import type { ActionFormat, Agent } from "../Agent.ts"
import type { Live } from "../EventBus.ts"
import type { SessionId } from "../Ids.ts"
import type { Compactor } from "../Compactor.ts"
import type { Model, ModelRequest } from "../Model.ts"
import type { Platform } from "../Platform.ts"
import type { Prompt } from "../Prompt.ts"
import type { Runtime } from "../Runtime.ts"
import type { Security } from "../Security.ts"
import type { SessionStore } from "../SessionStore.ts"
import type { Tokenizer } from "../Tokenizer.ts"
import type { TypeChecker } from "../TypeChecker.ts"
import type { Gates } from "../Gates.ts"
import type { Caller } from "../Policy.ts"
import type { FunctionActions } from "./FunctionActions.ts"
import type { Gate } from "./Gate.ts"
import type { History } from "./History.ts"
import type { Log } from "./Log.ts"
import type { Values } from "./Values.ts"

/** What the parts of one session share: its services, and the few things they count together. */
export interface Frame {
  readonly id: SessionId
  readonly agent: Agent
  readonly action: ActionFormat
  readonly model: Model["Service"]
  readonly runtime: Runtime
  readonly store: SessionStore["Service"]
  readonly log: Log
  readonly gate: Gate
  readonly gates: Gates
  readonly caller: Caller
  readonly history: History
  readonly values: Values
  readonly system: string
  /** How a cell is written in text, where it is. */
  readonly block: { readonly open: string; readonly close: string } | undefined
  /** In the `functions` format only. */
  readonly functions: FunctionActions | undefined
  readonly platform: Platform
  readonly prompt: Prompt
  readonly compactor: Compactor
  readonly security: Security
  readonly tokenizer: Tokenizer
  readonly types: TypeChecker
  /** Names of bindings, and of variables that cells made. */
  readonly bound: Set<string>
  readonly show: (tag: Exclude<Live["_tag"], "Recorded">, text: string) => void
  /** Number of the last cell; cells are numbered through all runs of a session. */
  cell: number
  /** Number of the last text that a compactor kept as a variable. */
  kept: number
  /** The cell that has started and not ended. */
  openCell: number | undefined
}

/** The one tool of the `tool` format. */
export const runAction: ModelRequest["actions"][number] = {
  name: "run",
  description: "Runs TypeScript code as the next cell of the notebook and gives its output, value or error.",
  inputSchema: {
    type: "object",
    properties: { code: { type: "string", description: "TypeScript" } },
    required: ["code"],
    additionalProperties: false
  }
}
