/** Whether requests are answered from a recording, and whether recordings are made. */
import { InvalidInput } from "@daylight/core"
import * as Schema from "effect/Schema"

/**
 * `replay`: from the recording alone, no socket is opened. `record`: from the real thing, and the recording is made
 * anew. `record-missing`: what is not recorded is asked of the real thing and added. `live`: from the real thing, and
 * what the recording lacks is counted. `off`: as if there were no recording.
 */
export const Mode = Schema.Literals(["replay", "record", "record-missing", "live", "off"])
export type Mode = typeof Mode.Type

export interface ModeOptions {
  /** Default: the environment variable `DAYLIGHT_REPLAY`, else `replay`. */
  readonly mode?: Mode | undefined
  /** Without it, everything but `replay` is refused where `CI` is set: nothing goes live there by accident. */
  readonly allowLiveInCI?: boolean | undefined
  /** Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** Throws `InvalidInput` for a mode that there is not, and for one that CI may not use. */
export const modeOf = ({ allowLiveInCI = false, env = process.env, mode }: ModeOptions): Mode => {
  const chosen = mode ?? (env["DAYLIGHT_REPLAY"] || "replay")
  if (!Schema.is(Mode)(chosen)) {
    throw new InvalidInput({
      subject: "DAYLIGHT_REPLAY",
      problem: `there is no mode ${JSON.stringify(chosen)}`,
      remedy: `Use one of ${Mode.literals.join(", ")}`
    })
  }
  if (chosen !== "replay" && inCI(env) && !allowLiveInCI) {
    throw new InvalidInput({
      subject: `mode ${chosen}`,
      problem: "would leave the recording, and CI is set",
      remedy: "Record on your own machine and commit the file, or pass { allowLiveInCI: true }"
    })
  }
  return chosen
}

const inCI = (env: Readonly<Record<string, string | undefined>>): boolean =>
  !["", "0", "false", undefined].includes(env["CI"]?.toLowerCase())
