/**
 * One cell and what is declared around it, as a project of the compiler that exists in memory alone.
 *
 * The compiler is a process of its own, behind an API that its makers call unstable: this file is the only one that
 * knows it.
 */
import type { API, Diagnostic, Snapshot } from "typescript/unstable/sync"
import { environment } from "./Environment.ts"

type Compiler = typeof import("typescript/unstable/sync")

/** What the compiler found; positions are offsets in the cell. */
export interface Finding {
  readonly code: number
  readonly text: string
  readonly start: number
  readonly end: number
}

const root = "/daylight"
const config = `${root}/tsconfig.json`
const cellFile = `${root}/cell.ts`
const declarationsFile = `${root}/declarations.d.ts`
const environmentFile = `${root}/environment.d.ts`

const settings = {
  compilerOptions: {
    strict: true,
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    moduleDetection: "force",
    lib: ["esnext"],
    types: [],
    skipLibCheck: true,
    noEmit: true
  },
  files: ["environment.d.ts", "declarations.d.ts", "cell.ts"]
}

export class Project {
  readonly #compiler: Compiler
  readonly #files = new Map<string, string>([
    [config, JSON.stringify(settings)],
    [environmentFile, environment],
    [declarationsFile, ""],
    [cellFile, ""]
  ])
  #api: API | undefined
  #snapshot: Snapshot | undefined

  constructor(compiler: Compiler) {
    this.#compiler = compiler
  }

  /** Starts the compiler the first time. Throws where the compiler has gone; the next call starts it again. */
  check(code: string, declarations: string): ReadonlyArray<Finding> {
    try {
      return this.#diagnostics(code, declarations).map(({ code, end, pos, text }) => ({ code, text, start: pos, end }))
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    const api = this.#api
    this.#api = undefined
    this.#snapshot = undefined
    api?.close()
  }

  #diagnostics(code: string, declarations: string): ReadonlyArray<Diagnostic> {
    const changed = [...this.#write(cellFile, code), ...this.#write(declarationsFile, declarations)]
    const before = this.#snapshot
    const snapshot = this.#snapshot = before === undefined
      ? this.#open().updateSnapshot({ openProjects: [config] })
      : this.#open().updateSnapshot({ fileChanges: { changed } })
    before?.dispose()
    const project = snapshot.getProject(config) ?? snapshot.getProjects()[0]
    return project?.program.getSemanticDiagnostics(cellFile) ?? []
  }

  #write(file: string, text: string): ReadonlyArray<string> {
    if (this.#files.get(file) === text) return []
    this.#files.set(file, text)
    return [file]
  }

  #open(): API {
    if (this.#api !== undefined) return this.#api
    // The language's own library lies elsewhere, hence `undefined` for what is not in the project's folder.
    const within = (path: string): boolean => path === root || path.startsWith(`${root}/`)
    return this.#api = new this.#compiler.API({
      cwd: root,
      fs: {
        readFile: (file) => this.#files.get(file) ?? (within(file) ? null : undefined),
        fileExists: (file) => within(file) ? this.#files.has(file) : undefined,
        directoryExists: (folder) => within(folder) ? folder === root : undefined
      }
    })
  }
}
