import { Binding, type Bound } from "@daylight/core"
import { createServer, type Server } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { openSession, type Session, until, withSession } from "../support/session.ts"

describe("a response of fetch", () => {
  let server: Server
  let address: string
  let session: Session
  let hanging = 0

  beforeAll(async () => {
    server = createServer((request, response) => {
      switch (request.url) {
        case "/json":
          return response.setHeader("x-a", "1").appendHeader("x-a", "2").end(JSON.stringify({ items: [{ id: 1 }] }))
        case "/bytes":
          return response.end(Buffer.from([0, 1, 254, 255]))
        case "/chunks":
          response.write("one ")
          response.write("two ")
          return response.end("three")
        case "/echo": {
          const chunks: Array<Buffer> = []
          request.on("data", (chunk: Buffer) => void chunks.push(chunk))
          return request.on("end", () => {
            const { "content-type": type, "x-cell": header } = request.headers
            response.end(JSON.stringify({ header, type, body: Buffer.concat(chunks).toString() }))
          })
        }
        case "/hang":
          hanging++
          request.on("close", () => hanging--)
          return response.write("begun")
        default:
          return response.writeHead(404, "Nothing Here").end("no")
      }
    })
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
    address = `http://127.0.0.1:${(server.address() as { readonly port: number }).port}`
    session = await openSession({
      bindings: [
        Binding.func((path: string, options?: RequestInit) => fetch(address + path, options), {
          name: "load"
        }) as Bound,
        Binding.type(Response) as Bound,
        Binding.variable("newAbort", () => new AbortController()) as Bound
      ]
    })
  })
  afterAll(async () => {
    await session?.close()
    server?.closeAllConnections()
    server?.close()
  })

  const gives = (what: string, code: string, expected: unknown): void => {
    it(what, async () => assert.deepStrictEqual(await session.value(code), expected), 20_000)
  }

  gives(
    "has a status, headers and JSON",
    "const r = await load('/json'); [r.status, r.ok, r.statusText, r.headers.get('x-a'), r.headers.has('nothing'), r.redirected, r.type, await r.json(), r.bodyUsed]",
    [200, true, "OK", "1, 2", false, false, "basic", { items: [{ id: 1 }] }, true]
  )
  gives(
    "that says no is no failure",
    "const no = await load('/nothing'); [no.status, no.ok, no.statusText, await no.text()]",
    [404, false, "Nothing Here", "no"]
  )
  gives(
    "iterates its headers, in every way",
    `const h = (await load("/json")).headers
    const own = (names) => names.filter((name) => name === "x-a" || name === "content-length")
    ;[own([...h].map(([name]) => name)), own([...h.keys()]), [...h.entries()].find(([name]) => name === "x-a")]`,
    [["content-length", "x-a"], ["content-length", "x-a"], ["x-a", "1, 2"]]
  )
  gives(
    "gives its bytes as a buffer, as an array and as a blob",
    `const buffer = await (await load("/bytes")).arrayBuffer()
    const bytes = await (await load("/bytes")).bytes()
    const blob = await (await load("/bytes")).blob()
    ;[buffer instanceof ArrayBuffer, buffer.byteLength, [...new Uint8Array(buffer)], bytes instanceof Uint8Array, [...bytes], bytes.buffer.byteLength, blob.size, (await blob.text()).length]`,
    [true, 4, [0, 1, 254, 255], true, [0, 1, 254, 255], 4, 4, 4]
  )
  gives(
    "has a body to step through",
    `let text = ""; const decoder = new TextDecoder()
    for await (const chunk of (await load("/chunks")).body) text += decoder.decode(chunk, { stream: true })
    text`,
    "one two three"
  )
  gives(
    "has a body to read by hand",
    `const reader = (await load("/chunks")).body.getReader(); let length = 0
    for (;;) { const { done, value } = await reader.read(); if (done) break; length += value.length }
    reader.releaseLock(); length`,
    13
  )
  gives(
    "is cloned before it is read",
    "const first = await load('/json'); const second = first.clone(); [(await first.json()).items[0].id, (await second.text()).length > 5, first === second]",
    [1, true, false]
  )
  gives(
    "is read once",
    "const once = await load('/json'); await once.text(); let again; try { await once.text() } catch (error) { again = [error.name, error instanceof TypeError] }\nagain",
    ["TypeError", true]
  )
  gives(
    "has a class, and statics of it",
    "const made = Response.json({ a: 1 }, { status: 201 }); [(await load('/json')) instanceof Response, made instanceof Response, made.status, await made.json()]",
    [true, true, 201, { a: 1 }]
  )

  it("is aborted from the cell", async () => {
    const value = await session.value(`
      const controller = newAbort(); const heard = []
      controller.signal.addEventListener("abort", (event) => heard.push(event.type))
      const waiting = load("/hang", { signal: controller.signal }).then((r) => r.text())
      setTimeout(() => controller.abort(), 30)
      let ended; try { await waiting } catch (error) { ended = [error.name, error instanceof Error] }
      await new Promise((done) => setTimeout(done, 5));
      [ended, controller.signal.aborted, heard]`)
    assert.deepStrictEqual(value, [["AbortError", true], true, ["abort"]])
    await until(() => hanging === 0)
  }, 20_000)

  it("is aborted by a signal of the cell, whatever made it", async () => {
    const value = await session.value(`
      const ends = []
      for (const signal of [AbortSignal.timeout(20), AbortSignal.abort(new RangeError("before")), AbortSignal.any([AbortSignal.timeout(20)])]) {
        try { await (await load("/hang", { signal })).text() } catch (error) { ends.push(error.name) }
      }
      const own = new AbortController(); setTimeout(() => own.abort(), 20)
      try { await (await load("/hang", { signal: own.signal })).text() } catch (error) { ends.push(error.name) }
      ends`)
    assert.deepStrictEqual(value, ["TimeoutError", "RangeError", "TimeoutError", "AbortError"])
    await until(() => hanging === 0)
  }, 20_000)

  it("is asked for with headers and a form that the cell made", async () => {
    const value = await session.value(`
      const sent = await (await load("/echo", { method: "POST", headers: new Headers({ "x-cell": "made" }), body: new URLSearchParams({ a: "1", b: "2 3" }) })).json()
      let refused; try { await load("/echo", { method: "POST", body: new Blob(["x"]) }) } catch (error) { refused = [error.name, error.message] }
      ;[sent, refused]`)
    assert.deepStrictEqual(value, [
      { header: "made", type: "application/x-www-form-urlencoded;charset=UTF-8", body: "a=1&b=2+3" },
      ["TypeError", "a Blob of a cell cannot cross: hand over its text or bytes"]
    ])
  }, 20_000)

  it("ends with the loop that left its body early", async () => {
    const code =
      "let first; for await (const chunk of (await load('/hang')).body) { first = chunk.length; break }\nfirst"
    assert.strictEqual(await session.value(code), 5)
    await until(() => hanging === 0)
  }, 20_000)

  it("that is granted by host name is one as well", async () => {
    await withSession({ grants: { hosts: [address.slice(7)] } }, async (granted) => {
      assert.deepStrictEqual(
        await granted.value(
          `const r = await fetch("${address}/json"); const lines = []; for await (const c of (await fetch("${address}/chunks")).body) lines.push(c.length); [await r.json(), lines.reduce((a, b) => a + b)]`
        ),
        [{ items: [{ id: 1 }] }, 13]
      )
      const problem = await granted.problem(`await fetch("${address}/json", { headers: { Host: "other.example" } })`)
      assert.include(problem.message, "not granted")
      const dispatched = await granted.value(`
        let called = 0; const dispatcher = { dispatch() { called++; return true } }
        ;[(await fetch("${address}/json", { dispatcher, signal: AbortSignal.timeout(5000) })).status, called]`)
      assert.deepStrictEqual(dispatched, [200, 0])
    })
  }, 20_000)
})
