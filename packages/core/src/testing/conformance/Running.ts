import { Binding, type Bound } from "../../Binding.ts"
import { Group } from "./Case.ts"
import { equal, includes, truthy } from "./Check.ts"

const short = { cpu: "100 millis", time: "200 millis" } as const
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms))

export const limits = new Group("limits")
  .open("loops that do not yield are stopped", async (open) => {
    const opened = await open({ limits: short })
    for (
      const code of [
        "while (true) {}",
        "for (;;);",
        "do {} while (true)",
        "const f = () => f2(); const f2 = () => { for (;;) f3() }; const f3 = () => 1; f()"
      ]
    ) {
      const { hint, message, name, stage } = await opened.problem(code)
      equal([stage, name], ["timeout", "TimeoutError"], code)
      includes(message, "100 ms without yielding", "message")
      includes(hint ?? "", "loop", "hint")
    }
  })
  .open(
    "also after an await",
    async (open) =>
      equal((await (await open({ limits: short })).problem("await null; while (true) {}")).stage, "timeout", "stage")
  )
  .open("also in microtasks", async (open) => {
    const { stage } = await (await open({ limits: short })).problem(
      "const spin = async () => { await null; return spin() }\nawait spin()"
    )
    equal(stage, "timeout", "stage")
  })
  .open("also when the cell catches what stops it", async (open) => {
    const { stage } = await (await open({ limits: { ...short, cpu: "50 millis" } })).problem(
      "while (true) { try { while (true) {} } catch {} }"
    )
    equal(stage, "timeout", "stage")
  })
  .open("also in a callback of a native method", async (open) => {
    const { stage } = await (await open({ limits: short })).problem("[1, 2].map(() => { while (true) {} })")
    equal(stage, "timeout", "stage")
  })
  .open("waiting too long is stopped", async (open) => {
    const { message, stage } = await (await open({ limits: short })).problem("await new Promise(() => {})")
    equal(stage, "timeout", "stage")
    includes(message, "200 ms", "message")
  })
  .open("state is kept, and the next cell works", async (open) => {
    const opened = await open({ limits: short })
    await opened.value("let count = 0")
    await opened.problem("count = 5; while (true) {}")
    await opened.problem("count++; await new Promise(() => {})")
    equal(await opened.value("count"), 6, "count")
  })
  .open("work that yields has all the time", async (open) => {
    const opened = await open({ limits: { cpu: "100 millis", time: "5 seconds" } })
    equal(
      await opened.value(
        "let n = 0; const end = Date.now() + 250; while (Date.now() < end) { n++; await new Promise((done) => setTimeout(done, 1)) }\nn > 5"
      ),
      true,
      "value"
    )
  })
  .open("a stopped cell prints no more", async (open) => {
    const opened = await open({ limits: { time: "50 millis" } })
    await opened.problem(
      "setTimeout(() => console.log('too late'), 100); await new Promise((done) => setTimeout(done, 120)); console.log('later still')"
    )
    await pause(150)
    equal((await opened.run("1")).report.stdout, "", "stdout")
  })
  .open("a stopped cell calls no more", async (open) => {
    const opened = await open({
      limits: { time: "50 millis" },
      bindings: [Binding.func(async function act() {}, { name: "act" }) as Bound]
    })
    await opened.problem("await new Promise((done) => setTimeout(done, 100)); await act()")
    await pause(100)
    equal(opened.calls.length, 0, "calls")
  })

export const interrupting = new Group("interrupting")
  .test("a waiting cell stops", async ({ run, start, value }) => {
    await value("let after = false")
    const started = start("await new Promise((done) => setTimeout(done, 60)); for (;;) { after = true; await null }")
    started.result.catch(() => {})
    await pause(10)
    await started.interrupt()
    await pause(100)
    equal((await run("after")).value, false, "after")
  })
  .test("its state is kept", async ({ start, value }) => {
    await value("1")
    const started = start("globalThis.kept = 1; await new Promise(() => {})")
    started.result.catch(() => {})
    await pause(10)
    await started.interrupt()
    equal(await value("kept"), 1, "kept")
  })
  .test("its calls are interrupted", async ({ bind, start, value }) => {
    let ended = false
    await bind(Binding.func(async function wait() {
      await pause(60)
      ended = true
    }, { name: "wait" }) as Bound)
    const started = start("await wait()")
    started.result.catch(() => {})
    await pause(10)
    await started.interrupt()
    equal(await value("1"), 1, "next cell")
    equal(ended, false, "the interrupt did not wait for the call")
  })
  .test("a cell that waits for its turn never begins", async ({ start, value }) => {
    const first = start("await new Promise((done) => setTimeout(done, 50)); globalThis.order = ['first']")
    const second = start("order.push('second')")
    second.result.catch(() => {})
    await second.interrupt()
    await first.result
    equal(await value("order"), ["first"], "order")
  })
  .test("half declarations are taken back", async ({ start, variable }) => {
    const started = start("const half = await new Promise(() => {})")
    started.result.catch(() => {})
    await pause(10)
    await started.interrupt()
    truthy(await variable("half") === undefined, "half is gone")
  })

export const concurrency = new Group("concurrency")
  .test("cells of one runtime run one at a time, in order", async ({ start, value }) => {
    await value("const log = []")
    const cells = [1, 2, 3].map((n) =>
      start(
        `log.push('begin ${n}'); await new Promise((done) => setTimeout(done, ${20 - 5 * n})); log.push('end ${n}')`
      )
    )
    await Promise.all(cells.map(({ result }) => result))
    equal(await value("log"), ["begin 1", "end 1", "begin 2", "end 2", "begin 3", "end 3"], "log")
  })
  .open("cells of two runtimes take turns, and their outputs do not mix", async (open) => {
    const [a, b] = [await open(), await open()]
    const code = (name: string) =>
      `for (let i = 0; i < 5; i++) { console.log('${name}' + i); await new Promise((done) => setTimeout(done, 2)) }\n'${name}'`
    const [ofA, ofB] = await Promise.all([a.run(code("a")), b.run(code("b"))])
    equal(ofA.report.stdout, "a0\na1\na2\na3\na4\n", "stdout of a")
    equal(ofB.report.stdout, "b0\nb1\nb2\nb3\nb4\n", "stdout of b")
  })
  .open("a limit of one runtime does not stop another", async (open) => {
    const [a, b] = [await open({ limits: short }), await open()]
    const going = b.run(
      "let n = 0; for (let i = 0; i < 20; i++) { n++; await new Promise((done) => setTimeout(done, 10)) }\nn"
    )
    equal((await a.problem("await new Promise(() => {})")).stage, "timeout", "stage")
    equal((await going).value, 20, "value")
  })
  .open("calls go to the boundary of their own runtime", async (open) => {
    const act = Binding.func(async function act(who: string) {
      await pause(5)
      return who
    }, { name: "act" }) as Bound
    const [a, b] = [await open({ bindings: [act] }), await open({ bindings: [act] })]
    await Promise.all([a.value("await act('a'); await act('a')"), b.value("await act('b')")])
    equal(
      [
        a.calls.filter(({ what }) => what === "started").length,
        b.calls.filter(({ what }) => what === "started").length
      ],
      [2, 1],
      "calls"
    )
  })
  .open("a runtime near another shares its objects", async (open) => {
    const parent = await open()
    await parent.value("const table = { rows: [1] }; class Row {}; const row = new Row()")
    const child = await open({ near: parent })
    await child.set("table", await parent.get("table"))
    await child.set("row", await parent.get("row"))
    await child.value("table.rows.push(2); const made = [table]")
    equal(await parent.value("table.rows"), [1, 2], "rows")
    await parent.set("made", await child.get("made"))
    equal(await parent.value("[made[0] === table, made instanceof Array]"), [true, true], "made")
  }, ["near"])
  .open("fifteen runtimes open and close", async (open) => {
    for (let i = 0; i < 15; i++) {
      const opened = await open()
      await opened.value("setInterval(() => {}, 1000); 1")
      await opened.close()
    }
  })
