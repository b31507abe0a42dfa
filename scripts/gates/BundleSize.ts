/**
 * What core costs a program that imports it, minified, with `effect` counted for nothing since the program has it
 * anyway. The budget is a file, so that growth is a decision that a reviewer sees.
 */
import { readFileSync } from "node:fs"
import { build, type Metafile } from "esbuild"
import { within } from "../setup/Repository.mjs"
import type { Gate } from "./Gate.ts"
import { published } from "./Workspaces.ts"

/** Bytes of one entry: what is loaded with it, and all that it may load later. */
interface Size {
  readonly initial: number
  readonly total: number
}

type Budget = Readonly<Record<string, Readonly<Record<string, Size>>>>

const budgetFile = "scripts/gates/bundle-budget.json"

export const bundleSize: Gate = {
  name: "bundle size",
  run: async (progress) => {
    const budget: Budget = JSON.parse(readFileSync(within(budgetFile), "utf8"))
    const problems: Array<string> = []
    const details: Array<string> = []
    for (const [name, entries] of Object.entries(budget)) {
      for (const entry of exportedFiles(name)) {
        progress(entry.specifier)
        const size = await measure(entry.file)
        problems.push(...compare(entry.specifier, size, entries[entry.subpath]))
        if (entry.subpath === ".") details.push(`${name} ${kilobytes(size.initial)}, ${kilobytes(size.total)} with all`)
      }
    }
    return { detail: details.join(", "), problems }
  }
}

/** What is too large, and by how much. */
export const compare = (specifier: string, size: Size, budget: Size | undefined): ReadonlyArray<string> => {
  if (budget === undefined) {
    return [`${specifier} has no budget: add ${JSON.stringify(size)} to ${budgetFile}, rounded up`]
  }
  return (["initial", "total"] as const).filter((kind) => size[kind] > budget[kind]).map((kind) =>
    `${specifier}: ${kind} size is ${size[kind]} bytes, the budget ${budget[kind]}. Make it smaller, ` +
    `load it later, or raise the budget in ${budgetFile} and say why`
  )
}

/** Bundles one entry in memory. */
export const measure = async (file: string): Promise<Size> => {
  const { metafile } = await build({
    entryPoints: [file],
    outdir: "out/bundle-size",
    absWorkingDir: within(),
    external: ["effect", "effect/*", "vitest", "typescript"],
    bundle: true,
    splitting: true,
    minify: true,
    format: "esm",
    platform: "node",
    metafile: true,
    write: false,
    logLevel: "silent"
  })
  const entry = Object.keys(metafile.outputs).find((output) => metafile.outputs[output]?.entryPoint !== undefined) ?? ""
  return {
    initial: bytes(metafile, loadedWith(metafile, entry)),
    total: bytes(metafile, Object.keys(metafile.outputs))
  }
}

/** An output and everything that it imports statically. */
const loadedWith = (metafile: Metafile, output: string, seen = new Set<string>()): ReadonlyArray<string> => {
  if (seen.has(output)) return []
  seen.add(output)
  for (const { external, kind, path } of metafile.outputs[output]?.imports ?? []) {
    if (external !== true && kind === "import-statement") loadedWith(metafile, path, seen)
  }
  return [...seen]
}

const bytes = (metafile: Metafile, outputs: ReadonlyArray<string>) =>
  outputs.reduce((sum, output) => sum + (metafile.outputs[output]?.bytes ?? 0), 0)

const kilobytes = (size: number) => `${(size / 1000).toFixed(0)} kB`

const exportedFiles = (name: string) => {
  const owner = published.find(({ manifest }) => manifest.name === name)
  if (owner === undefined) throw new Error(`${budgetFile} names ${name}, which is no published package`)
  return Object.entries(owner.manifest.exports ?? {}).flatMap(([subpath, target]) =>
    typeof target === "string" || target["default"] === undefined
      ? []
      : [{ subpath, specifier: name + subpath.slice(1), file: within(owner.folder, target["default"]) }]
  )
}
