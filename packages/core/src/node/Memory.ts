/**
 * How much memory a view or buffer is, asked of its class: a value may have a `byteLength` of its own, that is code.
 */
import { types } from "node:util"

export const memoryBytes = (value: ArrayBufferView | ArrayBufferLike): number => {
  if (types.isSharedArrayBuffer(value)) return ofShared.call(value)
  if (types.isArrayBuffer(value)) return ofBuffer.call(value)
  return types.isDataView(value) ? ofData.call(value) : ofTyped.call(value)
}

const getter = (prototype: object): (this: unknown) => number =>
  Object.getOwnPropertyDescriptor(prototype, "byteLength")!.get as (this: unknown) => number

const ofBuffer = getter(ArrayBuffer.prototype)
const ofShared = getter(SharedArrayBuffer.prototype)
const ofData = getter(DataView.prototype)
const ofTyped = getter(Object.getPrototypeOf(Uint8Array.prototype) as object)
