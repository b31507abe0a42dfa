/**
 * A process in the place of a kernel that says what it likes: code that has got out of its context can.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Session, type SessionOptions, withSession } from "./session.ts"

/** Reads events, and answers as `script` says: `on.cell = (event) => put(message)`. */
const program = (script: string): string => `
  import fs from "node:fs"; import v8 from "node:v8"; import net from "node:net"
  const parse = (bytes) => bytes[0] === 0x7b ? JSON.parse(bytes.toString()) : v8.deserialize(bytes)
  const raw = (bytes, fd = 4) => { for (let done = 0; done < bytes.length;) { try { done += fs.writeSync(fd, bytes, done) } catch (e) { if (e.code !== "EAGAIN") throw e } } }
  const put = (message) => { const body = v8.serialize(message), head = Buffer.alloc(4); head.writeUInt32LE(body.length); raw(Buffer.concat([head, body])) }
  const answers = []
  const listen = (fd, each) => {
    let all = Buffer.alloc(0)
    new net.Socket({ fd }).on("data", (chunk) => {
      all = Buffer.concat([all, chunk])
      while (all.length >= 4 && all.length >= 4 + all.readUInt32LE(0)) {
        const message = parse(all.subarray(4, 4 + all.readUInt32LE(0)))
        all = all.subarray(4 + all.readUInt32LE(0))
        each(message)
      }
    }).on("end", () => process.exit()).on("error", () => process.exit())
  }
  let seen = 0
  const report = { preview: "", stdout: "", stderr: "", stored: [], namespace: { added: [], changed: [], removed: [], lost: [] }, durationMs: 1 }
  const finish = ({ ns, cell }, more) => put({ t: "done", ns, cell, report, v: { d: 1 }, clock: [], ...more })
  const issue = ({ ns, cell }, n, more) => put({ t: "operation", ns, cell, n, after: 0, id: 1, op: "get", key: "x", args: v8.serialize({ d: [] }), sync: false, clock: [], ...more })
  const on = { answer: (answer) => answers.push(answer) }
  ${script}
  listen(3, (event) => { seen++; on[event.t]?.(event); if (event.t !== "ask") put({ t: "idle", seen }) })
  listen(4, (answer) => on.answer(answer))
  put({ t: "ready" })`

export const withForgery = async <A>(
  script: string,
  options: SessionOptions,
  use: (session: Session) => Promise<A>
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), "daylight-forged-"))
  const file = join(folder, "kernel.mjs")
  writeFileSync(file, program(script))
  try {
    return await withSession({ ...options, program: file }, use)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
