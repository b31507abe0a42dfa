/** Globs over dotted paths. `*` stays within one part of a path, `**` crosses dots, `?` is one character. */
export const globs = (patterns: string | ReadonlyArray<string>): (path: string) => boolean => {
  const list = typeof patterns === "string" ? [patterns] : patterns
  if (list.every((pattern) => !/[*?]/.test(pattern))) {
    const exact = new Set(list)
    return (path) => exact.has(path)
  }
  const expression = new RegExp(`^(?:${list.map(translated).join("|")})$`)
  return (path) => expression.test(path)
}

const translated = (pattern: string): string =>
  pattern.replace(
    /\*\*|[*?]|[\\^$.+()[\]{}|]/g,
    (part) => part === "**" ? ".*" : part === "*" ? "[^.]*" : part === "?" ? "[^.]" : `\\${part}`
  )
