/**
 * Puts tool calls that arrive interleaved one after the other, as the rest of the system reads them. The first
 * unfinished call streams live; the deltas of later ones wait until it is finished.
 */
import { type ModelPart } from "@daylight/core"

interface Call {
  readonly id: string
  readonly name: string
  json: string
  ended: boolean
}

export interface ActionOrder {
  readonly started: (key: string | number) => boolean
  readonly start: (key: string | number, id: string, name: string, out: Array<ModelPart>) => void
  readonly delta: (key: string | number, json: string, out: Array<ModelPart>) => void
  /** Arguments seen so far. */
  readonly json: (key: string | number) => string
  readonly finish: (key: string | number, out: Array<ModelPart>) => void
  readonly finishAll: (out: Array<ModelPart>) => void
  readonly count: () => number
}

export const make = (): ActionOrder => {
  const calls = new Map<string | number, Call>()
  const waiting: Array<Call> = []
  const ids = new Set<string>()
  let live: Call | undefined

  const open = (call: Call, out: Array<ModelPart>) => {
    live = call
    out.push({ _tag: "ActionStart", id: call.id, name: call.name })
    if (call.json !== "") out.push({ _tag: "ActionDelta", id: call.id, json: call.json })
  }
  const next = (out: Array<ModelPart>) => {
    while (live?.ended === true) {
      out.push({ _tag: "ActionEnd", id: live.id })
      live = undefined
      const call = waiting.shift()
      if (call !== undefined) open(call, out)
    }
  }
  /** Some servers give every call the same id, or none: answers must find theirs. */
  const unique = (wished: string) => {
    let id = wished === "" ? `call_${calls.size}` : wished
    while (ids.has(id)) id = `${id}_${calls.size}`
    ids.add(id)
    return id
  }

  return {
    started: (key) => calls.has(key),
    start: (key, id, name, out) => {
      const call: Call = { id: unique(id), name, json: "", ended: false }
      calls.set(key, call)
      if (live !== undefined && isWhole(live.json)) live.ended = true
      next(out)
      if (live === undefined) open(call, out)
      else waiting.push(call)
    },
    delta: (key, json, out) => {
      const call = calls.get(key)
      if (call === undefined || json === "") return
      // A call that was taken as whole turns out to go on: its end is out, so the rest has nowhere to go.
      if (call.ended) return
      call.json += json
      if (call === live) out.push({ _tag: "ActionDelta", id: call.id, json })
    },
    json: (key) => calls.get(key)?.json ?? "",
    finish: (key, out) => {
      const call = calls.get(key)
      if (call === undefined) return
      call.ended = true
      next(out)
    },
    finishAll: (out) => {
      for (const call of calls.values()) call.ended = true
      next(out)
    },
    count: () => calls.size
  }
}

const isWhole = (json: string) => {
  if (!json.trimEnd().endsWith("}")) return false
  try {
    JSON.parse(json)
    return true
  } catch {
    return false // not yet: more of it is to come
  }
}
