/**
 * Pieces of TypeScript declarations as text.
 */

/** A key as a property name: bare where it can be. */
export const propertyName = (key: string): string => isIdentifier(key) ? key : JSON.stringify(key)

export const isIdentifier = (name: string): boolean => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)

/** A doc comment with its line break, or nothing. */
export const docComment = (text: string | undefined, indent = ""): string => {
  if (text === undefined || text.trim() === "") return ""
  const lines = text.trim().replaceAll("*/", "* /").split("\n")
  return lines.length === 1
    ? `${indent}/** ${lines[0]} */\n`
    : `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`
}

/** In brackets where an array or a promise of it would read wrong. */
export const arrayOf = (type: string): string =>
  /^[\w$.]+$/.test(type) || /^\{[^{}]*\}$/.test(type) ? `${type}[]` : `Array<${type}>`

export const union = (types: Iterable<string>): string => {
  const distinct = new Set(types)
  return distinct.size === 0 ? "unknown" : distinct.has("any") ? "any" : [...distinct].join(" | ")
}
