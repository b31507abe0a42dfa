/**
 * A kernel inside bubblewrap: no network, no processes of others, no files but those of Node and of the kernel, and it
 * goes when the host goes. The real boundary for code that is not trusted, on Linux.
 */
import { existsSync, realpathSync } from "node:fs"
import { delimiter, join } from "node:path"
import process from "node:process"
import type { Launcher } from "./Command.ts"

export interface BubblewrapOptions {
  /** Default: the `bwrap` on the path. */
  readonly command?: string | undefined
  /** More arguments for bubblewrap, before the command. */
  readonly args?: ReadonlyArray<string> | undefined
}

/** Where the loader and the libraries of the system are. */
const system = ["/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache", "/nix/store"]

/** Where it is installed; nothing if it is not. */
export const findBubblewrap = (): string | undefined =>
  (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "bwrap")).find((path) => existsSync(path))

/**
 * Throws where bubblewrap is not installed: there is no way back to something weaker.
 *
 * ```ts
 * import { bubblewrap, KernelRuntime } from "@daylight/runtime-kernel"
 *
 * const launch = () => KernelRuntime.layer({ launcher: bubblewrap() })
 * ```
 */
export const bubblewrap = (options: BubblewrapOptions = {}): Launcher => {
  const bwrap = options.command ?? findBubblewrap()
  if (bwrap === undefined) {
    throw new Error("bubblewrap is not installed: install it (the command is bwrap), or give its path as `command`")
  }
  return ({ args, command, env, reads }) => {
    const node = realpathSync(command)
    const readable = [
      ...system.filter((path) => existsSync(path)),
      node,
      ...reads.map((path) => path.replace(/\/\*$/, ""))
    ]
    return {
      command: bwrap,
      args: [
        "--unshare-all",
        "--die-with-parent",
        "--new-session",
        "--clearenv",
        ...Object.entries(env).flatMap(([name, value]) => ["--setenv", name, value]),
        "--proc",
        "/proc",
        "--dev",
        "/dev",
        "--tmpfs",
        "/tmp",
        ...readable.flatMap((path) => ["--ro-bind", path, path]),
        "--chdir",
        "/tmp",
        ...(options.args ?? []),
        node,
        ...args
      ],
      env: {},
      reads
    }
  }
}
