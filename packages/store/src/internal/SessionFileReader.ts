/**
 * The lines of a session file, one by one.
 */
import { type StoredEvent, StoreError } from "@daylight/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const Header = Schema.Struct({
  daylight: Schema.Literal("session"),
  version: Schema.Int,
  session: Schema.NonEmptyString
})
const EventLine = Schema.Struct({ seq: Schema.Int, time: Schema.Finite, v: Schema.Int, event: Schema.Json })
const BlobLine = Schema.Struct({
  blob: Schema.String,
  data: Schema.optional(Schema.String),
  more: Schema.optional(Schema.Boolean),
  missing: Schema.optional(Schema.Boolean)
})
const EndLine = Schema.Struct({ end: Schema.Struct({ events: Schema.Int, blobs: Schema.Int }) })

const Line = Schema.fromJsonString(Schema.Union([EventLine, BlobLine, EndLine]))
const decodeLine = Schema.decodeUnknownOption(Line)
const decodeHeader = Schema.decodeUnknownOption(Schema.fromJsonString(Header))

export interface BlobRead {
  readonly hash: string
  readonly bytes: Uint8Array
}

export class SessionFileReader {
  readonly #version: number
  readonly #events: Array<StoredEvent> = []
  #session: string | undefined
  #line = 0
  #blobs = 0
  #parts: Array<Uint8Array> = []
  #end: (typeof EndLine.Type)["end"] | undefined

  constructor(version: number) {
    this.#version = version
  }

  /** Gives a blob when it is complete. */
  take(text: string): Effect.Effect<BlobRead | void, StoreError> {
    return Effect.suspend(() => {
      this.#line++
      if (text.trim() === "") return Effect.void
      if (this.#session === undefined) return this.#header(text)
      return Option.match(decodeLine(text), {
        onNone: () => this.#refuse("is no line of a session file"),
        onSome: (line) => Effect.sync(() => this.#accept(line, text))
      })
    })
  }

  /** What was read, if it is whole. */
  get end(): Effect.Effect<{ readonly session: string; readonly events: ReadonlyArray<StoredEvent> }, StoreError> {
    return Effect.suspend(() => {
      if (this.#session === undefined) return refusal("the file is empty")
      if (this.#end === undefined) return refusal(`the file was cut off after line ${this.#line}`)
      const { blobs, events } = this.#end
      if (events !== this.#events.length || blobs !== this.#blobs) {
        return refusal(
          `of ${events} events and ${blobs} blobs, ${this.#events.length} and ${this.#blobs} are in the file`
        )
      }
      return Effect.succeed({ session: this.#session, events: this.#events })
    })
  }

  #header(text: string): Effect.Effect<void, StoreError> {
    return Option.match(decodeHeader(text), {
      onNone: () => this.#refuse("is not the first line of a session file"),
      onSome: ({ session, version }) => {
        if (version > this.#version) {
          return refusal(`the file is of version ${version} and this program knows up to ${this.#version}: update it`)
        }
        this.#session = session
        return Effect.void
      }
    })
  }

  #accept(line: (typeof Line)["Type"], text: string): BlobRead | undefined {
    if ("end" in line) this.#end = line.end
    else if ("event" in line) {
      const { event, seq, time, v } = line
      this.#events.push({ seq, time, v, json: verbatim.exec(text)?.[1] ?? JSON.stringify(event) })
    } else return this.#blob(line)
    return undefined
  }

  #blob({ blob: hash, data = "", missing = false, more = false }: typeof BlobLine.Type): BlobRead | undefined {
    this.#parts.push(Buffer.from(data, "base64"))
    if (more) return undefined
    const bytes = Buffer.concat(this.#parts)
    this.#parts = []
    this.#blobs++
    return missing ? undefined : { hash, bytes }
  }

  #refuse(problem: string): Effect.Effect<never, StoreError> {
    return refusal(`line ${this.#line} ${problem}`)
  }
}

const refusal = (detail: string) => Effect.fail(new StoreError({ reason: { _tag: "Invalid", detail } }))

/** An event in the words of whoever wrote it. A file that was laid out anew loses them, and nothing else. */
const verbatim = /^\{"seq":\d+,"time":[-+.\deE]+,"v":\d+,"event":(.*)\}$/s
