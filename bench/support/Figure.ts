/** One measured figure, and the bar it is held against. */
import type { Summary } from "./Samples.ts"

export type Unit = "us" | "ms" | "KB" | "x"

export interface Figure extends Summary {
  /** Of the table of figures in `bench/README.md`; absent for what is measured beside. */
  readonly row?: number | undefined
  readonly what: string
  readonly unit: Unit
  /** The most it should be, in the same unit. */
  readonly bar?: number | undefined
}

/** Something that cannot be measured yet, and why: it is said, not left out. */
export interface Unavailable {
  readonly row: number
  readonly what: string
  readonly unavailable: string
}

export type Line = Figure | Unavailable
