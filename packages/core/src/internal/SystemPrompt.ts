import type { ActionFormat, Agent } from "../Agent.ts"

/**
 * The system prompt: role, rules, declarations. It is made once when a session opens and never changes, so that
 * providers can cache it; what is new later is told in the conversation.
 */
export const systemPrompt = (agent: Agent, action: ActionFormat, declarations: string): string =>
  [
    agent.instructions.trim() || "You are an agent that solves tasks by writing TypeScript.",
    agent.rules ?? rules(action),
    ...(action === "functions" ? [] : [available(declarations)])
  ].join("\n\n")

const rules = (action: ActionFormat): string =>
  action === "functions" ? functionRules : `${howToAct(action)}\n${cellRules}`

const howToAct = (action: Exclude<ActionFormat, "functions">): string => {
  if (action === "tool") {
    return "# How you act\nCall the tool `run` with TypeScript code. Each call is one cell of a notebook."
  }
  if (action === "fence") {
    return "# How you act\nWrite a fenced block whose info string is `ts run`; it is executed as one cell of a notebook:\n" +
      "```ts run\nconst total = rows.length\ntotal\n```\n" +
      "Blocks with any other info string, such as `ts`, are only shown and never executed. After a `ts run` block stop and wait for its result."
  }
  return `# How you act\nWrite code between ${action.open} and ${action.close}, each on a line of its own; it is executed as one cell of a notebook.\n` +
    `Code anywhere else is only shown. After ${action.close} stop and wait for the result.`
}

const cellRules =
  `- One cell at a time; you get its output, the value of its last expression, or its error, and what changed among the variables.
- Variables, functions, classes and imports stay for later cells and may be declared again. \`await\` works at the top level.
- The objects below are real and live: use them directly, do not re-create or re-type their contents.
- Functions that are declared to return a promise must be awaited; use Promise.all for independent calls.
- Let code compute: never calculate, count or copy data in your head, and never invent a result.
- End a cell with the expression you want to see, or use console.log. Long output is kept in a variable and shown shortened.
- If a cell fails, read the error and correct the cause; do not repeat the same code.
- \`finish(value)\` in a cell gives a value as the answer, where one is asked for. Otherwise answer in plain text, without code.`

const functionRules = `# How you act
- Call the tools you are given; independent calls may be made together. You get the result of each.
- Never invent a result. If a call fails, read the error and correct the cause.
- When you know enough, answer in plain text${", or with the tool `finish` where it is there"}.`

const available = (declarations: string): string =>
  declarations.trim() === ""
    ? "# What is there\nNothing beyond the language and web-standard globals."
    : `# What is there\n\`\`\`ts\n${declarations.trim()}\n\`\`\``
