/**
 * Labels on what contracted calls have returned, so that a policy can tell when such a value reaches another call.
 *
 * A label stays with an object (by identity) and with a string (by exact text), and with what is inside a plain result.
 * Anything computed from them has none: `mail.body` is labelled, `mail.body.slice(1)` and `"Re: " + mail.body` are not.
 * Numbers, booleans and empty strings are never labelled, and of one value the first 10,000 parts are looked at. In a
 * kernel plain data crosses as a copy, so there only its strings keep their labels. A help against accidents and simple
 * injections, no proof that nothing flows.
 */
export class Taint {
  readonly #objects = new WeakMap<object, Set<string>>()
  readonly #texts = new Map<string, Set<string>>()
  readonly #digest: (text: string) => string
  /** Nothing has been labelled yet: looking is not needed. */
  #idle = true

  /** `digest` keeps long texts short. */
  constructor(digest: (text: string) => string) {
    this.#digest = digest
  }

  get idle(): boolean {
    return this.#idle
  }

  /** Labels a value and what is inside it. */
  add(value: unknown, label: string): void {
    this.#idle = false
    walk(value, (part) => {
      const labels = this.#labels(part)
      if (labels !== undefined) labels.add(label)
      else if (typeof part === "string") this.#texts.set(this.#key(part), new Set([label]))
      else this.#objects.set(part, new Set([label]))
    })
  }

  /** The labels of values and of what is inside them. */
  of(values: ReadonlyArray<unknown>): ReadonlyArray<string> {
    if (this.#idle) return none
    const found = new Set<string>()
    for (const value of values) {
      walk(value, (part) => {
        for (const label of this.#labels(part) ?? none) found.add(label)
      })
    }
    return [...found]
  }

  #labels(part: object | string): Set<string> | undefined {
    return typeof part === "string" ? this.#texts.get(this.#key(part)) : this.#objects.get(part)
  }

  #key(text: string): string {
    return text.length <= shortChars ? text : `${text.length}:${this.#digest(text)}`
  }
}

const none: ReadonlyArray<string> = []
/** Longer texts are kept as a digest. */
const shortChars = 64
/** Parts of one value that are looked at. */
const maxParts = 10_000

/** Each object and each text in a value, once. Only plain data is looked into: no code of the value runs. */
const walk = (value: unknown, visit: (part: object | string) => void): void => {
  const seen = new Set<object>()
  const open: Array<unknown> = [value]
  for (let left = maxParts; open.length > 0 && left > 0; left--) {
    const part = open.pop()
    if (typeof part === "string") {
      if (part !== "") visit(part)
      continue
    }
    if ((typeof part !== "object" && typeof part !== "function") || part === null || seen.has(part)) continue
    seen.add(part)
    visit(part)
    if (Array.isArray(part)) { for (let i = Math.min(part.length, left) - 1; i >= 0; i--) open.push(part[i]) }
    else for (const key of Object.keys(part)) open.push(Object.getOwnPropertyDescriptor(part, key)?.value)
  }
}
