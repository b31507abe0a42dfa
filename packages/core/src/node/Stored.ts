/**
 * Output too large to show is kept as a variable, so that nothing is cut silently and nothing has to run again.
 */
import { defineName, type Namespace } from "./Namespace.ts"

interface Kept {
  readonly name: string
  readonly value: unknown
  readonly bytes: number
}

/** What was kept, under which name, and what had to go for it. */
export interface Keeping {
  readonly name: string
  readonly dropped: ReadonlyArray<string>
}

/** The outputs of one notebook, oldest first. */
export class Stored {
  readonly #namespace: Namespace
  readonly #cap: number
  readonly #kept: Array<Kept> = []
  #last = 0

  /** `cap`: bytes of all outputs together; the oldest are dropped to stay below it. */
  constructor(namespace: Namespace, cap: number) {
    this.#namespace = namespace
    this.#cap = cap
  }

  /** Binds it to the next free `_output_N`. */
  keep(value: unknown, bytes: number): Keeping {
    do this.#last++
    while (Object.hasOwn(this.#namespace, `_output_${this.#last}`))
    const name = `_output_${this.#last}`
    defineName(this.#namespace, name, value, { writable: true, enumerable: true })
    this.#kept.push({ name, value, bytes })
    return { name, dropped: this.#makeRoom() }
  }

  /** A name that a cell has since given to something else is not ours to drop. */
  #makeRoom(): ReadonlyArray<string> {
    const dropped: Array<string> = []
    let total = this.#kept.reduce((sum, kept) => sum + kept.bytes, 0)
    while (total > this.#cap && this.#kept.length > 1) {
      const oldest = this.#kept.shift()!
      total -= oldest.bytes
      if (Object.getOwnPropertyDescriptor(this.#namespace, oldest.name)?.value !== oldest.value) continue
      delete this.#namespace[oldest.name]
      dropped.push(oldest.name)
    }
    return dropped
  }
}

/** What the model sees in place of a long text: its size, name, head and tail, and how to read the rest. */
export const shownInPart = (what: string, text: string, { name, dropped }: Keeping, previewChars: number): string => {
  const lines = count(text, "\n") + (text.endsWith("\n") ? 0 : 1)
  const head = cutEnd(text, Math.ceil(previewChars / 2))
  const tail = cutStart(text, Math.floor(previewChars / 2))
  return [
    `[${what} of ${text.length} characters in ${lines} lines: the whole text is in the variable ${name}]`,
    ...previewChars > 0
      ? [head.trimEnd(), `[... ${text.length - head.length - tail.length} characters not shown ...]`, tail.trim()]
      : [],
    `[read on with ${name}.slice(${head.length}, ${
      head.length + 4_000
    }), or search it with ${name}.split("\\n").filter(...); ` +
    `there is no need to run the cell again]`,
    ...gone(dropped)
  ].join("\n")
}

/** The note below a value that is shown in part. */
export const partOfValue = ({ name, dropped }: Keeping): string =>
  [`[shown in part: the whole value is in the variable ${name}]`, ...gone(dropped)].join("\n")

const gone = (dropped: ReadonlyArray<string>): ReadonlyArray<string> =>
  dropped.length === 0 ? [] : [`[dropped to make room: ${dropped.join(", ")}]`]

const count = (text: string, character: string): number => {
  let found = 0
  for (let i = text.indexOf(character); i >= 0; i = text.indexOf(character, i + 1)) found++
  return found
}

/** Never half a character: a surrogate pair stays together. */
const cutEnd = (text: string, chars: number): string =>
  chars > 0 && /[\ud800-\udbff]/.test(text[chars - 1] ?? "") ? text.slice(0, chars - 1) : text.slice(0, chars)

const cutStart = (text: string, chars: number): string => {
  const start = Math.max(0, text.length - chars)
  return /[\udc00-\udfff]/.test(text[start] ?? "") ? text.slice(start + 1) : text.slice(start)
}
