/**
 * Objects that stand for something elsewhere, such as a live object of another process: what is shown of them is what
 * they stand for. They may be proxies, of which nothing else can be told without running code.
 */

interface Shown {
  /** The name of its class. */
  readonly type: string
  readonly text: string
}

const shown = new WeakMap<object, Shown>()
const sources = new WeakMap<object, string>()

/** Says how `standIn` is described: the name of its type, and the text that is printed for it. Gives it back. */
export const presentAs = <A extends object>(standIn: A, type: string, text: string): A => {
  shown.set(standIn, { type, text })
  return standIn
}

export const presentationOf = (value: object): Shown | undefined => shown.get(value)

/** Says what the source text of a function or class is that stands for one elsewhere. Gives it back. */
export const withSource = <A extends object>(standIn: A, source: string): A => {
  sources.set(standIn, source)
  return standIn
}

export const sourceOf = (value: object): string => sources.get(value) ?? Function.prototype.toString.call(value)
