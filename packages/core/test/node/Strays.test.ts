import { assert, describe, it } from "@effect/vitest"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/** Runs a program of its own: what Node does with a stray failure ends a process. */
const program = (body: string): Promise<{ readonly code: number | null; readonly output: string }> => {
  const notebook = new URL("../../src/node/Notebook.ts", import.meta.url).href
  const syntax = new URL("../../src/syntax/index.ts", import.meta.url).href
  const source = `
    import { Notebook } from ${JSON.stringify(notebook)}
    import { parseCell } from ${JSON.stringify(syntax)}
    const limits = { timeMs: 1000, cpuMs: 500, outputBytes: 1000, inlineChars: 500, previewChars: 100 }
    const notebook = new Notebook()
    let id = 0
    const run = (code) => new Promise((done) => notebook.prepare({ id: ++id, parsed: parseCell(code), limits }, done).start())
    const pause = (ms) => new Promise((done) => setTimeout(done, ms))
    ${body}`
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ["--input-type=module", "--eval", source], {
      cwd: fileURLToPath(new URL("../../", import.meta.url))
    })
    let output = ""
    child.stdout.on("data", (data) => (output += String(data)))
    child.stderr.on("data", (data) => (output += String(data)))
    child.on("close", (code) => resolve({ code, output }))
  })
}

describe("stray failures", () => {
  it("of cells do not end the process, and are told", async () => {
    const { code, output } = await program(`
      await run("Promise.reject(new Error('one')); setTimeout(() => { throw new Error('two') }, 1); (async () => { await null; throw new Error('three') })(); 1")
      await pause(30)
      console.log((await run("1")).report.stderr)
      console.log("alive")`)
    assert.strictEqual(code, 0)
    for (const part of ["Error: one", "Error: two", "Error: three", "alive"]) assert.include(output, part)
  })

  it("of cells are not announced to the application", async () => {
    const { output } = await program(`
      process.on("unhandledRejection", () => console.log("announced"))
      process.on("uncaughtException", () => console.log("announced"))
      await run("Promise.reject(1); queueMicrotask(() => { throw 2 }); 1")
      await pause(20)
      console.log("alive")`)
    assert.notInclude(output, "announced")
    assert.include(output, "alive")
  })

  it("of the application end the process as ever", async () => {
    const { code, output } = await program(
      "await run('1'); setTimeout(() => { throw new Error('of the application') }, 5); await pause(50); console.log('al' + 'ive')"
    )
    assert.notStrictEqual(code, 0)
    assert.include(output, "of the application")
    assert.notInclude(output, "alive")
  })

  it("that are rejections of the application end the process as ever", async () => {
    const { code, output } = await program(
      "await run('1'); Promise.reject(new Error('of the application')); await pause(50); console.log('al' + 'ive')"
    )
    assert.notStrictEqual(code, 0)
    assert.include(output, "of the application")
  })

  it("of the application go to its own listeners", async () => {
    const { code, output } = await program(`
      process.on("unhandledRejection", (error) => console.log("announced", error.message))
      await run("1")
      Promise.reject(new Error("mine"))
      await pause(20)`)
    assert.strictEqual(code, 0)
    assert.include(output, "announced mine")
  })

  it("of a closed notebook are told to nobody", async () => {
    const { code, output } = await program(`
      let open
      notebook.set("gate", new Promise((done) => (open = done)))
      await run("gate.then(() => { throw new Error('too late') }); gate.then(() => { for (;;) {} }); 1")
      notebook.close()
      open()
      await pause(30)
      console.log("al" + "ive", process.listenerCount("unhandledRejection"))`)
    assert.strictEqual(code, 0)
    assert.strictEqual(output, "alive 0\n")
  })

  it("a timer of a cell does not keep the process alive", async () => {
    const { code } = await program("await run('setInterval(() => {}, 1000); 1')")
    assert.strictEqual(code, 0)
  })

  it("a waiting cell does", async () => {
    const { output } = await program(
      "console.log((await run('await new Promise((done) => setTimeout(done, 50)); 7')).value)"
    )
    assert.strictEqual(output, "7\n")
  })
})
