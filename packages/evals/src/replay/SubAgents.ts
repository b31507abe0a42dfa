/** The agents of a recording as agents of their own, found in the definition of the one that had them bound. */
import { type AgentOptions, type AnySchema, type Binding, type Limits } from "@daylight/core"

/** `session`: names under which agents are bound, joined by "/"; "" is the root. Nothing where there is no such one. */
export const agentAt = (root: AgentOptions, session: string): AgentOptions | undefined => {
  let agent: AgentOptions | undefined = root
  for (const name of session === "" ? [] : session.split("/")) {
    const binding: Binding | undefined = agent.bindings?.find((binding) => binding.name === name)
    if (binding?._tag !== "Agent") return undefined
    agent = asRoot(binding.agent, agent, binding.limits)
  }
  return agent
}

/** It shares the services of whoever calls it, and has their model and runtime where it brings none. */
const asRoot = (
  agent: Extract<Binding, { readonly _tag: "Agent" }>["agent"],
  { approvals, labels, model, principal, runtime, services, store }: AgentOptions,
  limits: Limits | undefined
): AgentOptions => ({
  ...agent,
  model: agent.model ?? model,
  runtime: agent.runtime ?? runtime,
  limits: { ...agent.limits, ...limits },
  approvals,
  labels,
  principal,
  services,
  store
})

/** The one schema that cells of the agent could pass on, if there is one. */
export const passedSchema = ({ bindings = [] }: AgentOptions): AnySchema<any> | undefined => {
  const schemas = bindings.flatMap((binding) =>
    binding._tag === "Variable" && isSchema(binding.value) ? [binding.value] : []
  )
  return schemas.length === 1 ? schemas[0] : undefined
}

const isSchema = (value: unknown): value is AnySchema<any> =>
  (typeof value === "object" || typeof value === "function") && value !== null &&
  ("~standard" in value || "ast" in value)
