/** What a model is told of the effects of a cell that could not say itself how far it came. */
import { decodeValue, typeName, type Value } from "../../Value.ts"
import type { Effected, UnknownEffect } from "./Ledger.ts"

/** What a model is told of effects of unknown outcome. */
export const doubtText = (effects: ReadonlyArray<UnknownEffect>): string =>
  effects.map(({ path }) =>
    `[unknown] ${path} had begun when it was stopped, and nobody knows whether it took effect. ` +
    "Find out before you do it again."
  ).join("\n")

/** What a model is told that a cell has done, where the cell itself could not say so. */
export const effectedText = (effected: ReadonlyArray<Effected>): string => {
  const lines = effected.slice(0, mostTold).map(({ args, end, path }) => {
    const gave = end.error === undefined
      ? `gave ${shown(end.value)}`
      : `failed with ${end.error.name}: ${end.error.message}`
    return `[took place] ${path}(${args.map(shown).join(", ")}) ${gave}`
  })
  const more = effected.length - lines.length
  return [...lines, ...(more > 0 ? [`[took place] ${more} more calls`] : [])].join("\n")
}

const mostTold = 20
const mostChars = 200

const shown = (value: Value | undefined): string => {
  switch (value?._tag) {
    case undefined:
      return "undefined"
    case "Json": {
      const text = JSON.stringify(value.value)
      return text.length > mostChars ? `${text.slice(0, mostChars)}…` : text
    }
    case "Devalue": {
      const decoded = decodeValue(value)
      return typeof decoded === "object" ? `a ${typeName(decoded)}` : String(decoded)
    }
    case "Ref":
      return `a ${value.type}`
    case "Blob":
      return `${value.blob.bytes} bytes`
    case "Secret":
      return `the secret ${value.name}`
  }
}
