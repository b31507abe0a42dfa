/**
 * How much memory a view or buffer is, asked of its class: a value may have a `byteLength` or `length` of its own,
 * which is code.
 */
import { types } from "node:util"

export const memoryBytes = (value: ArrayBufferView | ArrayBufferLike): number => {
  if (types.isSharedArrayBuffer(value)) return ofShared.call(value)
  if (types.isArrayBuffer(value)) return ofBuffer.call(value)
  return types.isDataView(value) ? ofData.call(value) : ofTyped.call(value)
}

/** Elements of a typed array. */
export const typedLength = (value: ArrayBufferView): number => lengthOfTyped.call(value)

const getter = (prototype: object, name = "byteLength"): (this: unknown) => number =>
  Object.getOwnPropertyDescriptor(prototype, name)!.get as (this: unknown) => number

const ofBuffer = getter(ArrayBuffer.prototype)
const ofShared = getter(SharedArrayBuffer.prototype)
const ofData = getter(DataView.prototype)
const TypedArray = Object.getPrototypeOf(Uint8Array.prototype) as object
const ofTyped = getter(TypedArray)
const lengthOfTyped = getter(TypedArray, "length")
