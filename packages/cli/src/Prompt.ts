/** The prompt of a run: an argument, or standard input where it is `-` or left out and something is piped in. */
import { text } from "node:stream/consumers"
import * as ExitCode from "./ExitCode.ts"
import { Problem } from "./Problem.ts"

const remedy = 'Give it as the last argument, or pipe it in: daylight run agent.ts "What changed?"'

/** @throws Problem if there is none. */
export const readPrompt = async (argument: string | undefined, input = process.stdin): Promise<string> => {
  const piped = argument === "-" || argument === undefined && !input.isTTY
  const prompt = piped ? (await text(input)).trimEnd() : argument
  if (prompt !== undefined && prompt.trim() !== "") return prompt
  const problem = prompt === undefined ? "is missing" : "is empty"
  throw new Problem("the prompt", problem, remedy, ExitCode.usage)
}
