import { Group } from "./Case.ts"
import { equal, includes, truthy } from "./Check.ts"

export const console = new Group("console")
  .prints("log, with several arguments", "console.log('a', 1, true, null, undefined)", {
    stdout: "a 1 true null undefined\n"
  })
  .prints("objects, as Node prints them", "console.log({ a: { b: { c: {} } } }, [1, 'x'], new Set([1]))", {
    stdout: "{ a: { b: { c: {} } } } [ 1, 'x' ] Set(1) { 1 }\n"
  })
  .prints("placeholders", "console.log('%s is %d', 'x', 4.5)", { stdout: "x is 4.5\n" })
  .prints(
    "error and warn go to stderr",
    "console.error('e'); console.warn('w'); console.info('i'); console.debug('d')",
    { stdout: "i\nd\n", stderr: "e\nw\n" }
  )
  .prints("groups indent", "console.group('g'); console.log('a\\nb'); console.groupEnd(); console.log('c')", {
    stdout: "g\n  a\n  b\nc\n"
  })
  .prints("count and assert", "console.count(); console.count(); console.assert(1 === 2, 'math')", {
    stdout: "default: 1\ndefault: 2\n",
    stderr: "Assertion failed: math\n"
  })
  .prints("an error, with its place", "console.log(new TypeError('bad'))", {
    stdout: "TypeError: bad\n    at cell-1.ts:1\n"
  })
  .prints("a cycle", "const a = {}; a.a = a; console.log(a)", { stdout: "<ref *1> { a: [Circular *1] }\n" })
  .prints("instances by the name of their class", "class Foo { x = 1 }\nconsole.log(new Foo(), Foo, () => 1)", {
    stdout: "Foo { x: 1 } [class Foo] [Function (anonymous)]\n"
  })
  .prints("getters are not run", "console.log({ get a() { throw 1 } })", { stdout: "{ a: [Getter] }\n" })
  .prints("nothing", "console.log()", { stdout: "\n" })
  .prints("each cell has its own output", ["console.log('first')", "console.log('second')"], { stdout: "second\n" })
  .test("a table", async ({ run }) => {
    const { report } = await run("console.table([{ a: 1, b: 'x' }, { a: 2, b: 'y' }])")
    for (const part of ["(index)", "│ a │ b", "│ 1 │ 'x'"]) includes(report.stdout, part, "stdout")
  })
  .test("a flood is cut, and that is said", async ({ run }) => {
    const { report } = await run("for (let i = 0; i < 100000; i++) console.log('line ' + i)", { outputBytes: 500 })
    includes(report.stdout, "line 0\nline 1\n", "stdout")
    includes(report.stdout, "output limit of 500 bytes reached", "stdout")
  })
  .test("huge objects are printed in part, and soon", async ({ run }) => {
    const { report } = await run(
      "const big = Object.fromEntries(Array.from({ length: 200000 }, (_, i) => ['k' + i, i])); console.log(big)",
      { inlineChars: 100_000 }
    )
    includes(report.stdout, "more keys", "stdout")
    truthy(report.stdout.length < 50_000, "bounded output")
  })

export const globals = new Group("globals")
  .value("URL", "const u = new URL('http://a.b/c?d=1'); [u.host, u.searchParams.get('d'), u instanceof URL]", [
    "a.b",
    "1",
    true
  ])
  .value("text coding", "new TextDecoder().decode(new TextEncoder().encode('äöü'))", "äöü")
  .value(
    "structuredClone",
    "const m = new Map([[1, { a: new Date(0) }]]); const c = structuredClone(m); [c.get(1).a.getTime(), c !== m]",
    [0, true]
  )
  .value("base64", "atob(btoa('hello'))", "hello")
  .value("randomness", "[crypto.randomUUID().length, crypto.getRandomValues(new Uint8Array(4)).length]", [36, 4])
  .value("digests", "(await crypto.subtle.digest('SHA-256', new Uint8Array())).byteLength", 32)
  .value("aborting", "const c = new AbortController(); c.abort(); c.signal.aborted", true)
  .value(
    "events",
    "const t = new EventTarget(); let heard = 0; t.addEventListener('x', () => heard++); t.dispatchEvent(new Event('x')); heard",
    1
  )
  .value("the clock", "typeof performance.now() + typeof Date.now()", "numbernumber")
  .value("headers and bodies", "new Headers({ a: '1' }).get('a') + await new Response('body').text()", "1body")
  .value(
    "streams",
    "let s = ''; for await (const c of new ReadableStream({ start(c) { c.enqueue('a'); c.enqueue('b'); c.close() } })) s += c\ns",
    "ab"
  )
  .value(
    "what reaches the world is not there",
    "[typeof fetch, typeof WebSocket, typeof process, typeof require, typeof module]",
    ["undefined", "undefined", "undefined", "undefined", "undefined"]
  )
  .value("instanceof within the cell", [
    "class E extends TypeError {}",
    "[[] instanceof Array, {} instanceof Object, /x/ instanceof RegExp, (() => 1) instanceof Function, (async () => 1)() instanceof Promise, new Map() instanceof Map, " +
    "new Date() instanceof Date, new E() instanceof E, new E() instanceof TypeError, new E() instanceof Error, new Error() instanceof TypeError, new TypeError() instanceof E]"
  ], [true, true, true, true, true, true, true, true, true, true, false, false])
  .value(
    "errors of the engine are errors",
    "let e; try { null.x } catch (error) { e = error }\n[e instanceof TypeError, e instanceof Error, e instanceof RangeError]",
    [true, true, false]
  )

export const timers = new Group("timers")
  .value(
    "setTimeout passes its arguments",
    "await new Promise((done) => setTimeout((a, b) => done(a + b), 1, 2, 3))",
    5
  )
  .value(
    "setInterval, until it is cleared",
    "let n = 0; await new Promise((done) => { const id = setInterval(() => { if (++n === 3) { clearInterval(id); done() } }, 1) })\nn",
    3
  )
  .value(
    "clearTimeout",
    "let fired = false; const id = setTimeout(() => { fired = true }, 1); clearTimeout(id); await new Promise((done) => setTimeout(done, 20)); fired",
    false
  )
  .value(
    "queueMicrotask comes before a timer",
    "const order = []; setTimeout(() => order.push('timer')); queueMicrotask(() => order.push('microtask')); await new Promise((done) => setTimeout(done, 20)); order",
    [
      "microtask",
      "timer"
    ]
  )
  .value("a timer of an earlier cell goes on", [
    "let late = 0; setTimeout(() => { late = 1 }, 10);",
    "await new Promise((done) => setTimeout(done, 60)); late"
  ], 1)
  .problem("a timer takes a function", "setTimeout('code', 1)", { name: "TypeError", message: "function" })
  .test("what a timer prints later is told with the next cell", async ({ run, value }) => {
    await value("setTimeout(() => console.log('late'), 5);")
    const { report } = await run("await new Promise((done) => setTimeout(done, 50))")
    equal(report.stdout, "late\n", "stdout")
  })
  .test("timers end with a reset", async ({ reset, set, value }) => {
    await set("seen", [])
    await value("setInterval(() => seen.push(1), 5);")
    await reset()
    await new Promise((done) => setTimeout(done, 30))
    equal(await value("typeof seen"), "undefined", "seen")
  })
  .problem("there may not be too many", "for (let i = 0; i < 20000; i++) setTimeout(() => {}, 60000)", {
    name: "RangeError",
    message: "too many timers"
  })

const pause = "await new Promise((done) => setTimeout(done, 30))"

export const strays = new Group("strays")
  .test("a rejection nobody awaits is told with the next cell", async ({ run, value }) => {
    await value("Promise.reject(new Error('lost')); 1")
    const { report } = await run(pause)
    includes(report.stderr, "Error: lost", "stderr")
  })
  .test("once", async ({ run, value }) => {
    await value("Promise.reject(new Error('lost')); 1")
    await run(pause)
    equal((await run(pause)).report.stderr, "", "stderr")
  })
  .test("one that is awaited later is not told", async ({ run, value }) => {
    await value("const p = (async () => { throw new Error('handled') })(); 1")
    const { report } = await run(`try { await p } catch {}\n${pause}`)
    equal(report.stderr, "", "stderr")
  })
  .test("an error in a timer", async ({ run, value }) => {
    await value("setTimeout(() => { throw new Error('in a timer') }, 1);")
    includes((await run(pause)).report.stderr, "in a timer", "stderr")
  })
  .test("an error in a microtask", async ({ run, value }) => {
    await value("queueMicrotask(() => { throw new Error('in a microtask') });")
    includes((await run(pause)).report.stderr, "in a microtask", "stderr")
  })
  .test("an error in a listener", async ({ run, value }) => {
    await value(
      "const t = new EventTarget(); t.addEventListener('x', () => { throw new Error('in a listener') }); t.dispatchEvent(new Event('x'));"
    )
    includes((await run(pause)).report.stderr, "in a listener", "stderr")
  })
  .test("a rejection in a timer", async ({ run, value }) => {
    await value("setTimeout(async () => { throw new Error('async') }, 1);")
    includes((await run(pause)).report.stderr, "async", "stderr")
  })
  .open("they are told to their own runtime", async (open) => {
    const [a, b] = [await open(), await open()]
    await a.value("Promise.reject(new Error('of a')); 1")
    await b.value(pause)
    equal((await b.run(pause)).report.stderr, "", "stderr of b")
    includes((await a.run(pause)).report.stderr, "of a", "stderr of a")
  })
