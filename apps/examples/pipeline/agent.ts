/**
 * The agents of the pipeline as a file that the command takes, for instance to replay a recording:
 *
 *     npx daylight replay out/pipeline/wildlife-strikes.cassette.jsonl --agent apps/examples/pipeline/agent.ts
 */
import { chooseModel } from "../support/Example.ts"
import { orchestrator } from "./Agents.ts"
import { openDatabase, readStateOutlines } from "./Database.ts"
import { QualityLog } from "./QualityLog.ts"

export default orchestrator({
  db: openDatabase(),
  usStates: readStateOutlines(),
  quality: new QualityLog(),
  model: await chooseModel()
})

export { Answer as answer } from "./Answer.ts"
