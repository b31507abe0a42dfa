/**
 * What would be published is complete: every entry of `exports` leads to a file in the archive, with types of the right
 * kind, and the licence goes along.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { within } from "../setup/Repository.mjs"
import type { Gate } from "./Gate.ts"
import { pack } from "./Pack.ts"
import { published, type Workspace } from "./Workspaces.ts"

export const exports: Gate = {
  name: "package exports",
  run: async (progress) => {
    const destination = mkdtempSync(join(tmpdir(), "daylight-pack-"))
    try {
      const problems: Array<string> = []
      for (const workspace of published) {
        progress(workspace.label)
        problems.push(...await judgeArchive(workspace, destination), ...judgeLicense(workspace))
      }
      return { detail: `${published.length} archives`, problems }
    } finally {
      rmSync(destination, { recursive: true, force: true })
    }
  }
}

const judgeArchive = async (workspace: Workspace, destination: string): Promise<ReadonlyArray<string>> => {
  const archive = readFileSync(await pack(workspace, destination))
  const tarball = archive.buffer.slice(archive.byteOffset, archive.byteOffset + archive.byteLength)
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true })
  return messages.map((message) =>
    `${workspace.manifest.name}: ${formatMessage(message, pkg, { color: false }) ?? message.code}`
  )
}

const judgeLicense = ({ folder, manifest }: Workspace): ReadonlyArray<string> => {
  const ours = readFileSync(within("LICENSE"), "utf8")
  const theirs = readFileSync(within(folder, "LICENSE"), "utf8")
  return ours === theirs ? [] : [`${manifest.name}: its LICENSE differs from the repository's; copy that one`]
}
