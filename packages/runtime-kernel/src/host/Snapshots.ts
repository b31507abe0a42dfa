/**
 * A saved namespace as the log keeps it: live objects by the path from a binding, since numbers hold for one host only.
 */
import { Platform, type Snapshot } from "@daylight/core"
import type { SavedNamespace } from "../wire/Messages.ts"

/** `pathOf`: how a live object is reached; nothing where it is not. */
export const toSnapshot = (
  saved: SavedNamespace,
  pathOf: (id: number) => { readonly path: string | undefined; readonly type: string }
): { readonly snapshot: Snapshot; readonly data: Uint8Array } => {
  const nodes = JSON.parse(saved.data) as Array<unknown>
  for (const node of nodes) {
    if (!Array.isArray(node) || node[0] !== "HostRef") continue
    const at = node[1] as number
    const id = /^#(\d+)$/.exec(String(nodes[at]))?.[1]
    if (id === undefined) continue
    const { path, type } = pathOf(Number(id))
    // A node of its own: a text of the cell may be the same, and shares its node.
    node[1] = nodes.push(path ?? `?${type}`) - 1
  }
  const unreachable = saved.references.filter(({ id }) => pathOf(id).path === undefined).map(({ id, path }) => ({
    name: /^[^.[]+/.exec(path)?.[0] ?? path,
    path,
    reason: `the ${pathOf(id).type} of the host has no path from a binding`
  }))
  const data = new TextEncoder().encode(JSON.stringify(nodes))
  return {
    data,
    snapshot: {
      v: 1,
      data: {
        hash: `sha256:${Platform.defaultValue().sha256(data)}`,
        bytes: data.length,
        mediaType: "application/vnd.daylight.namespace+json"
      },
      sources: saved.sources,
      lost: [...saved.lost, ...unreachable],
      clock: saved.clock,
      timers: saved.pending,
      callbacks: saved.callbacks
    }
  }
}

export const fromSnapshot = (
  { callbacks, clock, lost, sources, timers }: Snapshot,
  data: Uint8Array
): SavedNamespace => {
  const text = new TextDecoder().decode(data)
  const [root = {}] = JSON.parse(text) as ReadonlyArray<object>
  return {
    data: text,
    sources,
    lost,
    names: [...Object.keys(root), ...sources.map(({ name }) => name)],
    references: [],
    clock,
    pending: timers,
    callbacks,
    lastCallback: Math.max(0, ...Object.values(callbacks))
  }
}

/** Paths of the live objects in it. */
export const pathsIn = (data: Uint8Array): ReadonlyArray<string> => {
  const nodes = JSON.parse(new TextDecoder().decode(data)) as ReadonlyArray<unknown>
  return nodes.flatMap((node) => Array.isArray(node) && node[0] === "HostRef" ? [String(nodes[node[1] as number])] : [])
}
