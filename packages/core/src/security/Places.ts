/** Places in a tree that several rules look at. */
import type { AnyNode, CallExpression, MemberExpression, ObjectPattern, Property } from "acorn"
import { lastNames, type View } from "./View.ts"

/** The keys that a pattern takes out of an object. */
export const forKeys = (
  pattern: ObjectPattern,
  view: View,
  use: (key: string, property: Property & AnyNode) => void
): void => {
  for (const property of pattern.properties) {
    if (property.type !== "Property") continue
    const { computed, key } = property
    const keys = computed
      ? view.constants.texts(key).known
      : [key.type === "Identifier" ? key.name : String((key as { readonly value?: unknown }).value)]
    for (const key of keys) use(key, property as unknown as Property & AnyNode)
  }
}

const reflecting: ReadonlySet<string> = new Set([
  "Reflect.get",
  "Reflect.getOwnPropertyDescriptor",
  "Object.getOwnPropertyDescriptor"
])

const reflectingNames = lastNames(reflecting)

/** `Reflect.get(x, "key")` reads a property as `x.key` does. */
export const forReflectedKey = (node: CallExpression, view: View, use: (keys: ReadonlyArray<string>) => void): void => {
  const [, key] = node.arguments
  if (key === undefined) return
  if (view.calls(node.callee, reflecting, reflectingNames) !== undefined) use(view.constants.texts(key).known)
}

export const isMemberOf = (parent: AnyNode | undefined, object: AnyNode): parent is MemberExpression =>
  parent?.type === "MemberExpression" && parent.object === object

export const isTypeof = (parent: AnyNode | undefined): boolean =>
  parent?.type === "UnaryExpression" && parent.operator === "typeof"
