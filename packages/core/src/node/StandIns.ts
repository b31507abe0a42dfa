/**
 * Objects that stand for another one, such as a live object of another process: what is shown of them is what they
 * stand for. They may be proxies, of which nothing else can be told without running code.
 */
import type { PrintLimits } from "./Mirror.ts"

/** What is seen of an object that is somewhere else. */
export interface Sight {
  /** Its keys and methods, or its size. */
  readonly shape?: string | undefined
  /** What can be written behind its dot. */
  readonly members: ReadonlyArray<string>
  readonly text: string
}

export interface Presentation {
  /** The name of its class. */
  readonly type: string
  /** What is printed where nothing can be seen. */
  readonly text: string
  /** How it looks at this moment; nothing where it cannot be seen. */
  readonly look?: ((limits: PrintLimits) => Sight | undefined) | undefined
  /**
   * Changes with the object, as far as a bounded look can tell. Asked after each cell, so it is left out where asking
   * costs a message; how the object changes is then told by whoever has it.
   */
  readonly fingerprint?: (() => number) | undefined
}

const presented = new WeakMap<object, Presentation>()
const sources = new WeakMap<object, string>()

/** Says how `standIn` is described and printed. Gives it back. */
export const presentAs = <A extends object>(standIn: A, presentation: Presentation): A => {
  presented.set(standIn, presentation)
  return standIn
}

export const presentationOf = (value: object): Presentation | undefined => presented.get(value)

/** Says what the source text of a function or class is that stands for one elsewhere. Gives it back. */
export const withSource = <A extends object>(standIn: A, source: string): A => {
  sources.set(standIn, source)
  return standIn
}

export const sourceOf = (value: object): string => sources.get(value) ?? Function.prototype.toString.call(value)
