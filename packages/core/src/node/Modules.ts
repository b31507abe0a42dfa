/**
 * The modules a cell may import: those that were granted, and no others.
 */

/** By specifier. Loaded when first imported, and once. */
export type Modules = Readonly<Record<string, () => Promise<unknown>>>

/** What `import` becomes in a rewritten cell. `names`: exports that the statement asks for. */
export const makeImport = (modules: Modules) => {
  const loaded = new Map<string, Promise<unknown>>()
  return async (specifier: unknown, _options?: unknown, names: ReadonlyArray<string> = []): Promise<unknown> => {
    const name = String(specifier)
    const load = Object.hasOwn(modules, name) ? modules[name] : undefined
    if (load === undefined) throw notGranted(name, Object.keys(modules))
    const promise = loaded.get(name) ?? load()
    loaded.set(name, promise)
    promise.catch(() => loaded.delete(name)) // a module that failed to load may be tried again
    const module = await promise
    for (const wanted of names) {
      if (!(wanted in (module as object))) {
        throw new SyntaxError(`The requested module '${name}' does not provide an export named '${wanted}'`)
      }
    }
    return module
  }
}

const notGranted = (name: string, granted: ReadonlyArray<string>): Error =>
  Object.assign(
    new Error(
      `Cannot find module '${name}': ${
        granted.length === 0 ? "no modules are granted to cells" : `granted are ${granted.join(", ")}`
      }`
    ),
    { code: "ERR_MODULE_NOT_FOUND" }
  )
