/** Approvals as people gave them when the run was recorded: nobody is asked again. */
import type { Approvals } from "@daylight/core"
import * as Effect from "effect/Effect"
import type { Cassette } from "../cassette/Cassette.ts"

export const recordedDecisions = ({ decisions = [] }: Cassette): Approvals => ({
  ask: ({ call, caller, role }) => {
    const known = decisions.find((decision) =>
      decision.cell === call.cell && decision.ordinal === call.ordinal && decision.path === call.path &&
      decision.agent.join("/") === caller.agent.join("/")
    )
    return Effect.succeed({
      decision: known?.decision ?? { _tag: "Deny", why: "the recording holds no decision on this call" },
      by: known?.by ?? "recording",
      ...(role !== undefined && { roles: [role] })
    })
  }
})

/** Models are told of a way to ask only where there is one; the prompt has to be the same again. */
export const couldAsk = ({ contents }: Cassette): boolean =>
  [...contents.values()].some((text) => typeof text === "string" && /^declare function ask\b/m.test(text))
