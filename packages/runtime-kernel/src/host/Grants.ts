/**
 * What an application opens of the world, by name. The kernel's process itself gets nothing: what is granted are
 * functions of this process, which look at each request and cross the boundary as all others do.
 */
import type { Bound } from "@daylight/core"
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { isAbsolute, join, relative, resolve } from "node:path"

/** What cells may reach of the world. Default: nothing. */
export interface Grants {
  /** Folders that cells may read, as `files.text(path)`, `files.bytes(path)` and `files.list(path)`. */
  readonly read?: ReadonlyArray<string> | undefined
  /**
   * Names of hosts that cells may `fetch` from, with a port where it is not that of the scheme: `api.example.com`,
   * `localhost:8080`.
   */
  readonly hosts?: ReadonlyArray<string> | undefined
  /** Values that cells find in `env`. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** What the grants put into a namespace. A binding of the application with the same name takes its place. */
export const grantedBindings = ({ env, hosts, read }: Grants): ReadonlyArray<Bound> => [
  ...read !== undefined && read.length > 0 ? [filesBinding(read)] : [],
  ...hosts !== undefined && hosts.length > 0 ? [fetchBinding(new Set(hosts))] : [],
  ...env !== undefined && Object.keys(env).length > 0 ? [envBinding(env)] : []
]

/** A world that is only read can change between two runs all the same; values that never change cannot. */
export const letsTheWorldIn = ({ hosts = [], read = [] }: Grants): boolean => hosts.length + read.length > 0

const filesBinding = (folders: ReadonlyArray<string>): Bound => {
  const roots = folders.map((folder) => realpathSync(folder))
  const find = (path: string): string => {
    const full = realpathSync(isAbsolute(path) ? path : resolve(roots[0]!, path))
    if (roots.some((root) => isWithin(root, full))) return full
    throw new RangeError(`${path} is in none of the folders that are granted: ${roots.join(", ")}`)
  }
  const harmless = { effect: "none" } as const
  return {
    _tag: "Variable",
    name: "files",
    description: `Files below ${roots.join(", ")}`,
    declaration: `declare const files: {
  /** The text of a file, read as UTF-8. */
  text(path: string): string
  bytes(path: string): Uint8Array
  /** Names in a folder; those of folders end with a slash. */
  list(path?: string): string[]
}`,
    value: {
      text: (path: string): string => readFileSync(find(path), "utf8"),
      bytes: (path: string): Uint8Array => new Uint8Array(readFileSync(find(path))),
      list: (path = "."): ReadonlyArray<string> => {
        const folder = find(path)
        return readdirSync(folder).map((name) => statSync(join(folder, name)).isDirectory() ? `${name}/` : name)
      }
    },
    contract: { text: harmless, bytes: harmless, list: harmless }
  }
}

const isWithin = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way === "" || (!way.startsWith("..") && !isAbsolute(way))
}

/** Not what else the `fetch` of Node takes, such as another way to connect. */
const requestFields = ["method", "headers", "body", "signal", "duplex", "keepalive", "integrity"] as const

const fetchBinding = (hosts: ReadonlySet<string>): Bound => ({
  _tag: "Function",
  name: "fetch",
  // A redirect could lead to another host, so it is handed to the cell as it is.
  call: async (address: unknown, options?: RequestInit): Promise<Response> => {
    const url = new URL(String(address))
    if (!/^https?:$/.test(url.protocol) || !hosts.has(url.host)) {
      throw new RangeError(`${url.protocol}//${url.host} is not granted; granted are ${[...hosts].join(", ")}`)
    }
    const asked = Object.fromEntries(requestFields.map((field) => [field, options?.[field]]))
    if (new Headers(options?.headers).has("host")) throw new RangeError("another host is not granted by its header")
    return fetch(url, { ...asked, redirect: "manual" })
  },
  declaration: `/** From ${
    [...hosts].join(", ")
  } only. Redirects are not followed. */\ndeclare function fetch(url: string | URL, options?: RequestInit): Promise<Response>`,
  contract: { effect: "external" }
})

const envBinding = (env: Readonly<Record<string, string>>): Bound => ({
  _tag: "Variable",
  name: "env",
  value: { ...env },
  sensitive: true,
  declaration: `declare const env: { ${
    Object.keys(env).map((name) => `readonly ${JSON.stringify(name)}: string`).join("; ")
  } }`
})
