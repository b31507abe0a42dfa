/**
 * The secrets of a session and its children: what a cell holds in their place, and how their values are kept out of
 * output, log and model. A value is found by exact match of its text; what is computed from it (encoded, cut) is not.
 */
import { Secret, secretText } from "../../Secret.ts"
import type { Value } from "../../Value.ts"

export class Vault {
  readonly #values = new Map<Secret, string>()
  readonly #byName = new Map<string, Secret>()
  /** Longest first, so that a value which holds another is replaced whole. */
  #known: ReadonlyArray<readonly [value: string, name: string]> = []

  /** The object that stands for a secret. One more of the same name and value is the same. */
  add(name: string, value: string): Secret {
    const known = this.#byName.get(name)
    if (known !== undefined && this.#values.get(known) === value) return known
    const secret = new Secret(name)
    this.#values.set(secret, value)
    this.#byName.set(name, secret)
    this.#known = [...this.#known, [value, name] as const].sort(([a], [b]) => b.length - a.length)
    return secret
  }

  get isEmpty(): boolean {
    return this.#known.length === 0
  }

  handle(name: string): Secret | undefined {
    return this.#byName.get(name)
  }

  /** With values in place of secrets, for the application. The same object where there is none in it. */
  reveal<A>(value: A): A {
    return this.isEmpty
      ? value
      : mapPlain(value, (leaf) => leaf instanceof Secret ? this.#values.get(leaf) ?? leaf : leaf)
  }

  /** With secrets in place of their values: what policies, people and the log may see. */
  conceal<A>(value: A): A {
    if (this.isEmpty) return value
    return mapPlain(value, (leaf) => {
      if (typeof leaf !== "string") return leaf
      const known = this.#known.find(([text]) => text === leaf)
      return known === undefined ? this.redact(leaf) : this.#byName.get(known[1]) ?? this.redact(leaf)
    })
  }

  /** Texts without values. */
  redact(text: string): string {
    let redacted = text
    for (const [value, name] of this.#known) redacted = redacted.replaceAll(value, secretText(name))
    return redacted
  }

  /** Plain data, such as an event, whose texts are without values. The same object where there are none. */
  redacted<A>(data: A): A {
    return this.isEmpty ? data : mapPlain(data, (leaf) => typeof leaf === "string" ? this.redact(leaf) : leaf)
  }

  /** As the log keeps it. */
  encode(value: unknown, encode: (value: unknown) => Value): Value {
    if (this.isEmpty) return encode(value)
    if (value instanceof Secret) return { _tag: "Secret", name: value.name }
    const encoded = encode(mapPlain(value, (leaf) => leaf instanceof Secret ? secretText(leaf.name) : leaf))
    return encoded._tag === "Devalue" ? { ...encoded, text: this.#redactQuoted(encoded.text) } : encoded
  }

  /** A value may look otherwise in JSON than it does. */
  #redactQuoted(text: string): string {
    let redacted = text
    for (const [value, name] of this.#known) {
      redacted = redacted.replaceAll(JSON.stringify(value).slice(1, -1), secretText(name))
    }
    return redacted
  }
}

/** Copies of plain arrays and objects in which a leaf has changed; all else is left as it is. */
const mapPlain = <A>(value: A, leaf: (value: unknown) => unknown, depth = 0): A => {
  if (typeof value !== "object" || value === null || value instanceof Secret || depth > maxDepth) {
    return leaf(value) as A
  }
  if (Array.isArray(value)) {
    let copy: Array<unknown> | undefined
    for (let i = 0; i < value.length; i++) {
      const mapped = mapPlain(value[i], leaf, depth + 1)
      if (mapped !== value[i]) (copy ??= [...value])[i] = mapped
    }
    return (copy ?? value) as A
  }
  if (!isPlain(value)) return value
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(value)) {
    const property = Object.getOwnPropertyDescriptor(value, key)!
    if (property.get !== undefined) continue
    const mapped = mapPlain(property.value, leaf, depth + 1)
    if (mapped !== property.value) (copy ??= { ...value as Record<string, unknown> })[key] = mapped
  }
  return (copy ?? value) as A
}

/** Deeper than any event is; ends in data that holds itself. */
const maxDepth = 64

/** Also of another realm, whose `Object.prototype` is another. */
const isPlain = (value: object): boolean => {
  const proto: unknown = Object.getPrototypeOf(value)
  return proto === null || proto === Object.prototype ||
    (Object.getPrototypeOf(proto) === null && Object.hasOwn(proto as object, "hasOwnProperty"))
}
