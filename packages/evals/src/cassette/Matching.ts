/**
 * Which parts of a request do not count when it is looked up. All of it counts by default; what does not is declared
 * path by path, is stored with the recording, and is named in every report of a miss.
 */
import * as Schema from "effect/Schema"

/** Texts that change from run to run, and what stands for them. */
export const Volatile = Schema.Literals(["timestamp", "uuid", "temporary-path"])
export type Volatile = typeof Volatile.Type

/**
 * Paths are such as `$.metadata.user` or `$.messages[*].content`; `*` stands for any member or index, and a path means
 * everything below it.
 */
export const Matching = Schema.Struct({
  /** Left out altogether. */
  ignore: Schema.Array(Schema.String),
  /** Texts in which a pattern is replaced by its name, as in `<uuid>`. */
  volatile: Schema.Array(Schema.Struct({ path: Schema.String, pattern: Volatile })),
  /**
   * In requests to servers, generated ids are told apart by their first appearance, in the places of ids only. Ids of
   * actions in model requests always are.
   */
  renameIds: Schema.Boolean,
  /** Of these rules. */
  version: Schema.Int
})
export type Matching = typeof Matching.Type

export const matchingVersion = 1

export const strict: Matching = { ignore: [], volatile: [], renameIds: false, version: matchingVersion }

const patterns: Readonly<Record<Volatile, RegExp>> = {
  timestamp: /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?/g,
  uuid: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  "temporary-path":
    /(?:\/private)?\/(?:tmp|var\/folders)\/[\w./-]+|[A-Z]:\\\\?Users\\\\?[^\\]+\\\\?AppData\\\\?Local\\\\?Temp\\\\?[\w.\\-]+/g
}

type Path = ReadonlyArray<string>

/** Applies declared rules to a part of a request that lies at `path`. */
export class Normaliser {
  readonly #ignore: ReadonlyArray<Path>
  readonly #volatile: ReadonlyArray<readonly [Path, Volatile]>

  constructor(matching: Matching) {
    this.#ignore = matching.ignore.map(segments)
    this.#volatile = matching.volatile.map(({ path, pattern }) => [segments(path), pattern])
  }

  /** The same value where no rule applies. `undefined` where all of it is ignored. */
  apply(value: unknown, path: Path): unknown {
    if (this.#ignore.length === 0 && this.#volatile.length === 0) return value
    return this.#walk(value, path)
  }

  #walk(value: unknown, path: Path): unknown {
    if (this.#ignore.some((rule) => covers(rule, path))) return undefined
    if (typeof value === "string") {
      let text = value
      for (const [rule, pattern] of this.#volatile) {
        if (covers(rule, path)) text = text.replaceAll(patterns[pattern], `<${pattern}>`)
      }
      return text
    }
    if (Array.isArray(value)) return value.map((item, index) => this.#walk(item, [...path, String(index)]))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([key, member]) => {
        const kept = this.#walk(member, [...path, key])
        return kept === undefined ? [] : [[key, kept]]
      })
    )
  }
}

/** The rule's path is this one or one above it. */
const covers = (rule: Path, path: Path): boolean =>
  rule.length <= path.length && rule.every((segment, index) => segment === "*" || segment === path[index])

/** `$.a[*]["b c"][2]` as `a`, `*`, `b c`, `2`. Throws a `SyntaxError` that names the path. */
export const segments = (path: string): Path => {
  const found: Array<string> = []
  const step = /\.([\p{ID_Continue}$*-]+)|\[(\*|\d+|"(?:[^"\\]|\\.)*")\]/uy
  let at = path.startsWith("$") ? 1 : -1
  while (at >= 0 && at < path.length) {
    step.lastIndex = at
    const match = step.exec(path)
    if (match === null) break
    const [whole, name, index = ""] = match
    found.push(name ?? (index.startsWith('"') ? JSON.parse(index) as string : index))
    at += whole.length
  }
  if (at !== path.length || found.length === 0) {
    throw new SyntaxError(`${JSON.stringify(path)} is no path: write it as $.metadata.user or $.messages[*].content`)
  }
  return found
}
