import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer as createHttpServer } from "node:http"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { bubblewrap, findBubblewrap } from "../src/index.ts"
import { kernelCommand } from "../src/host/Command.ts"
import { program, type SessionOptions, until, withSession } from "./support/session.ts"
import { type Doom, orphanedBy } from "./support/orphan.ts"
import { probe } from "./support/probe.ts"

/** What code reaches that has got out of its context, and so is the whole process. */
const within = async (launcher?: ReturnType<typeof bubblewrap>) => {
  const folder = mkdtempSync(join(tmpdir(), "daylight-confined-"))
  const file = join(folder, "secret.txt")
  writeFileSync(file, "secret")
  let connected = false
  const server = createServer((socket) => {
    connected = true
    socket.destroy()
  })
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  const { port } = server.address() as { readonly port: number }
  try {
    return { ...await probe({ launcher, file, port, host: process.pid }), connected }
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

describe("a kernel from which code got out", () => {
  it("reads no file, starts nothing, and has an empty environment, by Node's permissions alone", async () => {
    const found = await within()
    assert.deepStrictEqual(
      [found.read, found.list, found.write, found.child, found.worker, found.sqlite],
      [
        "ERR_ACCESS_DENIED",
        "ERR_ACCESS_DENIED",
        "ERR_ACCESS_DENIED",
        "ERR_ACCESS_DENIED",
        "ERR_ACCESS_DENIED",
        "ERR_UNKNOWN_BUILTIN_MODULE"
      ]
    )
    assert.deepStrictEqual(found.env, [])
  })

  it.skipIf(findBubblewrap() === undefined)(
    "reaches no network and no other process inside bubblewrap (skipped where bwrap is not installed)",
    async () => {
      const found = await within(bubblewrap())
      assert.isFalse(found.connected)
      assert.notStrictEqual(found.network, "connected")
      assert.notStrictEqual(found.signal, "sent")
      assert.strictEqual(found.read, "ERR_ACCESS_DENIED")
    }
  )
})

describe("bubblewrap", () => {
  it.skipIf(findBubblewrap() === undefined)(
    "runs cells, live objects and large data as ever (skipped where bwrap is not installed)",
    async () => {
      await withSession({ launcher: bubblewrap() }, async (session) => {
        assert.strictEqual(await session.value("const a = [1, 2]; a.reduce((x, y) => x + y)"), 3)
        await session.set("big", new Uint8Array(5_000_000).fill(3))
        assert.strictEqual(await session.value("big[4_999_999]"), 3)
        await session.kill()
        assert.strictEqual(await session.value("a.length"), 2)
      })
    }
  )

  it("that is not there is an error, and nothing weaker runs", async () => {
    await withSession({ launcher: bubblewrap({ command: "/no/such/bwrap" }) }, async (session) => {
      const error = await session.run("1").catch((error: unknown) => error)
      assert.include((error as Error).message, "could not start")
    })
  })
})

describe("grants", () => {
  it("give nothing to the process itself", () => {
    const { args, env } = kernelCommand({ heapBytes: 2 ** 28, launcher: undefined, node: "node", program })
    assert.lengthOf(args.filter((arg) => arg.startsWith("--allow-")), 1)
    assert.deepStrictEqual(env, {})
  })

  it("open a folder, and nothing beside it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "daylight-granted-"))
    writeFileSync(join(folder, "a.txt"), "hello")
    mkdirSync(join(folder, "sub"))
    symlinkSync("/etc", join(folder, "out"))
    try {
      await withSession({ grants: { read: [folder] } }, async (session) => {
        assert.deepStrictEqual(
          await session.value(
            "[files.text('a.txt'), files.bytes('a.txt').length, files.list('.').filter((n) => n !== 'out/')]"
          ),
          ["hello", 5, ["a.txt", "sub/"]]
        )
        for (const path of ["../", "/etc/hostname", "out/hostname", "sub/../../x"]) {
          assert.include(
            ["RangeError", "Error"],
            (await session.problem(`files.text(${JSON.stringify(path)})`)).name,
            path
          )
        }
        assert.isTrue(session.calls.some(({ path }) => path === "files.text"))
      })
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it("open a host by name, and no other", async () => {
    const server = createHttpServer((request, response) => {
      if (request.url === "/away") response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()
      else response.end(JSON.stringify({ url: request.url }))
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    const { port } = server.address() as { readonly port: number }
    try {
      await withSession({ grants: { hosts: [`127.0.0.1:${port}`] } }, async (session) => {
        assert.deepStrictEqual(await session.value(`await (await fetch("http://127.0.0.1:${port}/x")).json()`), {
          url: "/x"
        })
        assert.strictEqual(await session.value(`(await fetch("http://127.0.0.1:${port}/away")).status`), 302)
        assert.include((await session.problem(`await fetch("http://127.0.0.1:${port + 1}/")`)).message, "not granted")
        assert.include((await session.problem("await fetch('file:///etc/hostname')")).message, "not granted")
      })
    } finally {
      server.close()
    }
  })

  it("give values, which do not end the seal; folders, hosts and modules do", async () => {
    const sealed = async (options: SessionOptions) =>
      withSession(options, async ({ runtime }) => runtime.capabilities.sealed)
    assert.isTrue(await sealed({}))
    await withSession({ grants: { env: { REGION: "north" } } }, async (session) => {
      assert.strictEqual(await session.value("env.REGION"), "north")
      assert.isTrue(session.runtime.capabilities.sealed)
    })
    assert.isFalse(await sealed({ grants: { read: [tmpdir()] } }))
    assert.isFalse(await sealed({ grants: { hosts: ["example.com"] } }))
    assert.isFalse(await sealed({ modules: { "node:os": () => import("node:os") } }))
  })
})

/** Native calls, which no guard looks up from: one of about a second, and one without an end. */
const sort = "'the quick brown fox jumps '.repeat(6e5).split(' ').sort(); await new Promise(() => {})"
const search = "'x'.repeat(2 ** 28).replace(/(x+x+)+(?=y)\\1/, '')"

describe.skipIf(process.platform !== "linux")(
  "a host that was killed (skipped where the system does not list processes)",
  () => {
    const dooms: ReadonlyArray<readonly [what: string, doom: Doom, processes: number]> = [
      ["a kernel that has nothing to do", { code: "1" }, 1],
      ["a kernel that waits", { code: "await new Promise(() => {})" }, 1],
      ["a kernel in a loop", { code: "for (;;) {}" }, 1],
      ["a kernel in a loop of microtasks", { code: "for (;;) await null" }, 1],
      ["a kernel and its spare", { code: "await new Promise(() => {})", spare: true }, 2],
      ["a kernel in one native call, when that has ended", { code: sort }, 1]
    ]
    for (const [what, doom, processes] of dooms) {
      it.concurrent(`is not outlived by ${what}`, async () => {
        const orphans = await orphanedBy(doom)
        assert.strictEqual(orphans.processes, processes)
        assert.deepStrictEqual(orphans.folders.filter((folder) => existsSync(folder)), [])
        await until(() => orphans.alive() === 0, 10_000)
      }, 30_000)
    }

    it.skipIf(findBubblewrap() === undefined)(
      "is not outlived for a moment by a native call inside bubblewrap (skipped where bwrap is not installed)",
      async () => {
        const orphans = await orphanedBy({ code: search, confined: true, spare: true })
        assert.isAtLeast(orphans.processes, 4)
        await until(() => orphans.alive() === 0, 500)
      },
      30_000
    )
  }
)
