/**
 * Trajectories: what an agent did, step by step, as valid ATIF v1.7 (Agent Trajectory Interchange Format), which other
 * tools read as well. Whatever that format has no word for lies under `extra.daylight`.
 */
import * as Schema from "effect/Schema"

export const atifVersion = "ATIF-v1.7"

const Extra = Schema.optional(Schema.Record(Schema.String, Schema.Json))
const Int = Schema.optional(Schema.Int)

export const ContentPart = Schema.Struct({
  type: Schema.Literals(["text", "image"]),
  text: Schema.optional(Schema.String),
  source: Schema.optional(Schema.Struct({ media_type: Schema.String, path: Schema.String })),
  extra: Extra
})
export type ContentPart = typeof ContentPart.Type

export const Content = Schema.Union([Schema.String, Schema.Array(ContentPart)])
export type Content = typeof Content.Type

export const ToolCall = Schema.Struct({
  tool_call_id: Schema.String,
  function_name: Schema.String,
  arguments: Schema.Record(Schema.String, Schema.Json),
  extra: Extra
})
export type ToolCall = typeof ToolCall.Type

export const SubagentRef = Schema.Struct({
  trajectory_id: Schema.optional(Schema.String),
  trajectory_path: Schema.optional(Schema.String),
  session_id: Schema.optional(Schema.String),
  extra: Extra
})

export const ObservationResult = Schema.Struct({
  source_call_id: Schema.optional(Schema.String),
  content: Schema.optional(Content),
  subagent_trajectory_ref: Schema.optional(Schema.Array(SubagentRef)),
  extra: Extra
})
export type ObservationResult = typeof ObservationResult.Type

export const Metrics = Schema.Struct({
  /** Includes cached tokens. */
  prompt_tokens: Int,
  completion_tokens: Int,
  cached_tokens: Int,
  cost_usd: Schema.optional(Schema.Finite),
  prompt_token_ids: Schema.optional(Schema.Array(Schema.Int)),
  completion_token_ids: Schema.optional(Schema.Array(Schema.Int)),
  logprobs: Schema.optional(Schema.Array(Schema.Finite)),
  extra: Extra
})
export type Metrics = typeof Metrics.Type

export const Step = Schema.Struct({
  /** 1, 2, 3, ... without gaps. */
  step_id: Schema.Int,
  /** ISO 8601. */
  timestamp: Schema.optional(Schema.String),
  source: Schema.Literals(["system", "user", "agent"]),
  message: Content,
  model_name: Schema.optional(Schema.String),
  reasoning_effort: Schema.optional(Schema.Union([Schema.String, Schema.Finite])),
  reasoning_content: Schema.optional(Schema.String),
  tool_calls: Schema.optional(Schema.Array(ToolCall)),
  observation: Schema.optional(Schema.Struct({ results: Schema.Array(ObservationResult), extra: Extra })),
  metrics: Schema.optional(Metrics),
  /** 0: nothing was asked of a model. */
  llm_call_count: Int,
  is_copied_context: Schema.optional(Schema.Boolean),
  extra: Extra
})
export type Step = typeof Step.Type

export const AgentInfo = Schema.Struct({
  name: Schema.String,
  version: Schema.String,
  model_name: Schema.optional(Schema.String),
  tool_definitions: Schema.optional(Schema.Array(Schema.Record(Schema.String, Schema.Json))),
  extra: Extra
})

export const FinalMetrics = Schema.Struct({
  total_prompt_tokens: Int,
  total_completion_tokens: Int,
  total_cached_tokens: Int,
  total_cost_usd: Schema.optional(Schema.Finite),
  total_steps: Int,
  extra: Extra
})

const root = {
  schema_version: Schema.Literals([
    "ATIF-v1.0",
    "ATIF-v1.1",
    "ATIF-v1.2",
    "ATIF-v1.3",
    "ATIF-v1.4",
    "ATIF-v1.5",
    "ATIF-v1.6",
    "ATIF-v1.7"
  ]),
  session_id: Schema.optional(Schema.String),
  trajectory_id: Schema.optional(Schema.String),
  agent: AgentInfo,
  steps: Schema.Array(Step),
  notes: Schema.optional(Schema.String),
  final_metrics: Schema.optional(FinalMetrics),
  continued_trajectory_ref: Schema.optional(Schema.String),
  extra: Extra
}

export interface Trajectory extends Schema.Struct.Type<typeof root> {
  readonly subagent_trajectories?: ReadonlyArray<Trajectory> | undefined
}

export const Trajectory: Schema.Codec<Trajectory> = Schema.Struct({
  ...root,
  subagent_trajectories: Schema.optional(Schema.Array(Schema.suspend((): Schema.Codec<Trajectory> => Trajectory)))
}) as unknown as Schema.Codec<Trajectory> // a recursive type has to be told to the checker
