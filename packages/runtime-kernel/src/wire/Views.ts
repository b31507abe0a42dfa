/**
 * Views of memory on their way between the processes. Each end has memory of its own: a view never shows more than it
 * was made for, whatever the view says of itself.
 */
import { types } from "node:util"
import { DefaultDeserializer } from "node:v8"

/**
 * Reads V8's own format. Node makes the views in it views of the message itself: whoever asked one for its `buffer`
 * would see the traffic, and would not find what the sender had.
 */
export const deserialize = (bytes: Uint8Array): unknown => {
  const reader = new Reader(bytes)
  reader.readHeader()
  return reader.readValue()
}

class Reader extends DefaultDeserializer {
  _readHostObject(): ArrayBufferView {
    return withOwnMemory(readView.call(this))
  }
}

// The method that V8 asks for what is no plain value; the types of Node do not have it.
const readView = (DefaultDeserializer.prototype as unknown as { readonly _readHostObject: () => ArrayBufferView })
  ._readHostObject

const withOwnMemory = (view: ArrayBufferView): ArrayBufferView =>
  types.isDataView(view)
    ? new DataView(view.buffer.slice(view.byteOffset, view.byteOffset + view.byteLength))
    : slice.call(view) as unknown as ArrayBufferView

/**
 * A view with nothing of its own. Whoever writes a view asks it for its memory, and a cell can make one whose answers
 * are lies. What is no view any more, since its memory was given away, is an empty one.
 */
export const honest = (view: ArrayBufferView): ArrayBufferView => {
  if (isDetached(memoryOf(view))) return new Uint8Array()
  if (classes.has(Object.getPrototypeOf(view) as object) && asked.every((key) => !Object.hasOwn(view, key))) return view
  if (types.isDataView(view)) {
    return new DataView(ofData.buffer.call(view), ofData.byteOffset.call(view), ofData.byteLength.call(view))
  }
  const constructor = typed[ofTyped.tag.call(view)]!
  const bytes = new Uint8Array(ofTyped.buffer.call(view), ofTyped.byteOffset.call(view), ofTyped.byteLength.call(view))
  return new constructor(bytes.slice().buffer)
}

/** Its memory was given away. */
export const isDetached = (buffer: ArrayBufferLike): boolean => types.isArrayBuffer(buffer) && detached.call(buffer)

/** Several threads may write it. */
export const isShared = (view: ArrayBufferView): boolean => types.isSharedArrayBuffer(memoryOf(view))

const memoryOf = (view: ArrayBufferView): ArrayBuffer =>
  types.isDataView(view) ? ofData.buffer.call(view) : ofTyped.buffer.call(view)

const asked = ["buffer", "byteOffset", "byteLength", "constructor", Symbol.toStringTag] as const

type Getters<Name extends string> = Readonly<Record<Name, { readonly call: (view: ArrayBufferView) => any }>>

const getters = <Name extends string>(prototype: object, names: Readonly<Record<Name, PropertyKey>>) =>
  Object.fromEntries(
    Object.entries<PropertyKey>(names).map((
      [name, key]
    ) => [name, Object.getOwnPropertyDescriptor(prototype, key)!.get])
  ) as unknown as Getters<Name>

const names = { buffer: "buffer", byteOffset: "byteOffset", byteLength: "byteLength" } as const
const TypedArray = Object.getPrototypeOf(Uint8Array) as { readonly prototype: Uint8Array }
const ofTyped = getters(TypedArray.prototype, { ...names, tag: Symbol.toStringTag })
const ofData = getters(DataView.prototype, names)
const detached = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, "detached")!.get as (this: unknown) => boolean
const { slice } = TypedArray.prototype

/** By their names: to look at other globals of Node loads them, and with `fetch` the half of it. */
const typed = Object.fromEntries(
  Object.getOwnPropertyNames(globalThis)
    .filter((name) => /^(?:Big)?(?:Int|Uint|Float)\d+(?:Clamped)?Array$/.test(name))
    .map((name) => [name, Reflect.get(globalThis, name) as unknown])
) as Readonly<Record<string, (new(buffer: ArrayBuffer) => ArrayBufferView) & { readonly prototype: object }>>

const classes = new Set<object>([
  DataView.prototype,
  Buffer.prototype,
  ...Object.values(typed).map(({ prototype }) => prototype)
])
