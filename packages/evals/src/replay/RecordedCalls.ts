/** The calls of a recording, each of which answers once: equal ones in the order in which they were made. */
import { decodeValue, type Event, HostCallError, Secret, type Value } from "@daylight/core"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { RecordedCell } from "../cassette/Cassette.ts"
import { canonical } from "../internal/Canonical.ts"
import { type Difference, jsonDiff } from "../internal/JsonDiff.ts"
import { comparableArguments, recordedArguments } from "./ComparableArguments.ts"

type Started = Extract<Event, { readonly _tag: "CallStarted" }>
type Ended = Extract<Event, { readonly _tag: "CallEnded" }>

export interface RecordedCall {
  /** Place of the agent, as of `RecordedSession`. */
  readonly session: string
  readonly started: Started
  /** Absent where the run was stopped before. */
  readonly ended: Ended | undefined
  readonly args: ReadonlyArray<unknown>
  /** Of the arguments. */
  readonly text: string
}

export interface AskedCall {
  readonly session: string
  readonly path: string
  readonly operation: Started["operation"]
  /** As the application would get them. */
  readonly args: ReadonlyArray<unknown>
  /** As the cell gave them, with secrets in their places. */
  readonly asked: ReadonlyArray<unknown>
}

/** Why a call has no answer, and which recorded one it resembles most. */
export interface Unanswered {
  /** `lost`: there is one, which cannot be had again. */
  readonly why: "unknown" | "exhausted" | "lost"
  readonly nearest: RecordedCall | undefined
  readonly difference: Difference
}

export class RecordedCalls {
  readonly #byPath = new Map<string, Array<RecordedCall>>()
  readonly #used = new Set<RecordedCall>()
  readonly #repeat: boolean

  /** `repeat`: the last recording of a call answers all further equal ones. Default: each answers once. */
  constructor(cells: ReadonlyArray<RecordedCell>, options: { readonly repeat?: boolean | undefined } = {}) {
    this.#repeat = options.repeat ?? false
    for (const call of callsOf(cells)) {
      const { path } = call.started
      const known = this.#byPath.get(path)
      if (known === undefined) this.#byPath.set(path, [call])
      else known.push(call)
    }
  }

  take(call: AskedCall): RecordedCall | Unanswered {
    const all = this.#of(call)
    const equal = equalTo(call, all)
    const found = equal.find((known) => !this.#used.has(known)) ?? (this.#repeat ? equal.at(-1) : undefined)
    if (found !== undefined) {
      this.#used.add(found)
      return found
    }
    const came = argumentsOf(call, [])
    if (equal.length > 0) {
      return { why: "exhausted", nearest: equal.at(-1), difference: { path: "$", expected: undefined, came } }
    }
    const nearest = nearestOf(all, call, this.#used)
    return {
      why: "unknown",
      nearest,
      difference: (nearest && differenceOf(nearest, call)) ?? { path: "$", expected: undefined, came }
    }
  }

  /** Of the paths that count, what nobody called. */
  unused(counts: (path: string) => boolean): ReadonlyArray<RecordedCall> {
    return [...this.#byPath].flatMap(([path, calls]) =>
      counts(path) ? calls.filter((call) => !this.#used.has(call)) : []
    )
  }

  #of({ operation, path, session }: AskedCall): ReadonlyArray<RecordedCall> {
    return (this.#byPath.get(path) ?? []).filter((known) =>
      known.session === session && known.started.operation === operation
    )
  }
}

const callsOf = (cells: ReadonlyArray<RecordedCell>): ReadonlyArray<RecordedCall> => {
  // A call may end in a later cell than the one that made it.
  const ends = new Map(
    cells.flatMap(({ events, session }) =>
      events.flatMap((event) => event._tag === "CallEnded" ? [[placeOf(session, event), event] as const] : [])
    )
  )
  return cells.flatMap(({ events, session }) =>
    events.flatMap((started): ReadonlyArray<RecordedCall> => {
      if (started._tag !== "CallStarted") return []
      const args = recordedArguments(started.args)
      return [{ session, started, ended: ends.get(placeOf(session, started)), args, text: canonical(args) }]
    })
  )
}

const placeOf = (session: string, { cell, ordinal }: Started | Ended): string => `${cell}:${ordinal}:${session}`

const argumentsOf = ({ args, asked }: AskedCall, recorded: ReadonlyArray<Value>): ReadonlyArray<unknown> =>
  comparableArguments(args, asked, recorded)

const equalTo = (call: AskedCall, all: ReadonlyArray<RecordedCall>): ReadonlyArray<RecordedCall> => {
  const text = canonical(argumentsOf(call, []))
  return all.filter(({ started: { args }, text: recorded }) =>
    recorded === (args.some(({ _tag }) => _tag === "Ref") ? canonical(argumentsOf(call, args)) : text)
  )
}

const differenceOf = ({ args, started }: RecordedCall, call: AskedCall): Difference | undefined => {
  const [difference] = jsonDiff(args, argumentsOf(call, started.args), 1)
  return difference && { ...difference, path: `$.args${difference.path.slice(1)}` }
}

/** Fewest differences; used ones count less. */
const nearestOf = (
  all: ReadonlyArray<RecordedCall>,
  call: AskedCall,
  used: ReadonlySet<RecordedCall>
): RecordedCall | undefined => {
  const distances = all.map((known) =>
    jsonDiff(known.args, argumentsOf(call, known.started.args)).length + (used.has(known) ? 0.5 : 0)
  )
  return all[distances.indexOf(Math.min(...distances))]
}

/** What a recorded call gave: a value, an error, or the reason why it cannot be had again. */
export type Given =
  | { readonly _tag: "Value"; readonly value: unknown }
  | { readonly _tag: "Error"; readonly error: unknown }
  | { readonly _tag: "Lost"; readonly why: string }

export const givenBy = ({ ended, started }: RecordedCall): Given => {
  if (ended === undefined) return { _tag: "Lost", why: "the run was stopped before it ended" }
  if (ended.error !== undefined) return { _tag: "Error", error: errorOf(started.path, ended.error) }
  const { status, value } = ended
  if (status !== "completed") {
    const reason = { _tag: "UnknownOutcome", key: started.key } as const
    return { _tag: "Error", error: new HostCallError({ path: started.path, reason }) }
  }
  switch (value?._tag) {
    case undefined:
      return { _tag: "Value", value: undefined }
    case "Json":
    case "Devalue":
      // A copy of its own: a cell may change what it got.
      return { _tag: "Value", value: structuredClone(decodeValue(value)) }
    case "Secret":
      return { _tag: "Value", value: new Secret(value.name) }
    case "Ref":
    case "Blob": {
      const what = value._tag === "Ref" ? value.type : "large value"
      return { _tag: "Lost", why: `it gave a ${what}, which the recording has by reference only` }
    }
  }
}

const decodeReason = Schema.decodeUnknownOption(HostCallError.fields.reason)

/** With its class where that is one of the platform's, its name, message, code and what else it had. */
const errorOf = (path: string, { code, message, name, own }: NonNullable<Ended["error"]>): unknown => {
  const isData = own?._tag === "Json" || own?._tag === "Devalue"
  const members = isData ? structuredClone(decodeValue(own)) as Readonly<Record<string, unknown>> : undefined
  const reason = name === "HostCallError" ? decodeReason(members?.["reason"]) : Option.none()
  if (Option.isSome(reason)) return new HostCallError({ path, reason: reason.value })
  const error = new (classes.get(name) ?? Error)(message)
  if (error.name !== name) Object.defineProperty(error, "name", { value: name, configurable: true, writable: true })
  return Object.assign(error, members, code !== undefined && { code })
}

const classes: ReadonlyMap<string, new(message: string) => Error> = new Map(
  [Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError].map((each) => [each.name, each])
)
