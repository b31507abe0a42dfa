/**
 * Objects of the web's classes that a cell made, on their way to the host: they keep what they are in fields that
 * nobody sees, so as records they would arrive empty.
 */
import type { Marker } from "../wire/Messages.ts"

type Class = abstract new(...args: Array<never>) => object

/** Only what a cell has used is there: most of them are loaded with their first use. */
const used = new Map<string, Class>()

export const noteUse = (name: string, value: unknown): void => {
  if (typeof value === "function") used.set(name, value as never)
}

const copied = ["Headers", "URLSearchParams"] as const
const refused = ["Blob", "FormData", "Request", "Response"] as const

/** Nothing for what is none of them. Throws for those whose content comes later. */
export const webMarker = (value: object): Extract<Marker, { readonly web: string }> | undefined => {
  const is = (name: string): boolean => used.has(name) && value instanceof used.get(name)!
  const web = copied.find(is)
  if (web !== undefined) return { web, entries: [...entriesOf(used.get(web)!).call(value)] }
  const name = refused.find(is)
  if (name === undefined) return undefined
  throw new TypeError(`a ${name} of a cell cannot cross: hand over its text or bytes`)
}

type Entries = (this: object) => Iterable<readonly [string, string]>

const entriesOf = ({ prototype }: Class): Entries => (prototype as { readonly entries: Entries }).entries

/** Gives the reason, once the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<unknown> =>
  new Promise((resolve) => {
    if (isAborted.call(signal)) resolve(reasonOf.call(signal))
    else listen.call(signal, "abort", () => resolve(reasonOf.call(signal)), { once: true })
  })

const getter = (key: "aborted" | "reason") =>
  Object.getOwnPropertyDescriptor(AbortSignal.prototype, key)!.get as (this: AbortSignal) => unknown
const isAborted = getter("aborted")
const reasonOf = getter("reason")
const listen = EventTarget.prototype.addEventListener
