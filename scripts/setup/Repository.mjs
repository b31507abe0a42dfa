/**
 * Where things are. Files under `scripts/setup` and the commands beside it run before anything is installed, on the
 * machine's own Node (20 or newer): they import nothing but Node and each other.
 */
import { delimiter, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** An absolute path inside the repository. */
export const within = (/** @type {Array<string>} */ ...parts) => join(root, ...parts)

const bin = within("node_modules", ".bin")

/** The Node that the repository brings. */
export const node = join(bin, "node")

/** The environment of everything that is started once the dependencies are installed. */
export const environment = () => ({
  ...process.env,
  PATH: [bin, process.env["PATH"]].join(delimiter),
  DO_NOT_TRACK: "1",
  TURBO_TELEMETRY_DISABLED: "1"
})

/** The environment without the repository's own commands: for npm, which may be about to replace them. */
export const outerEnvironment = () => ({
  ...process.env,
  PATH: (process.env["PATH"] ?? "").split(delimiter).filter((folder) => !folder.endsWith(join("node_modules", ".bin")))
    .join(delimiter)
})
