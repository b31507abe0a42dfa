/** The tables of events in core's README are those that its schema gives. */
import { capture } from "../setup/Command.mjs"
import { node } from "../setup/Repository.mjs"
import type { Gate } from "./Gate.ts"

export const eventsTable: Gate = {
  name: "table of events",
  run: async () => {
    const args = ["--conditions=@daylight/source", "scripts/events-table.ts", "--check"]
    const { code, output } = await capture(node, args)
    return { detail: code === 0 ? output.trim() : "out of date", problems: code === 0 ? [] : [output] }
  }
}
