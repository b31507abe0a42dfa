/**
 * Cells that try to get out, to look where they must not, or to wear the host down. `SECRET`, `PORT`, `FILE` and
 * `HOSTPID` are replaced by what they are after.
 */
export interface Hostile {
  readonly name: string
  readonly code: string
  /** It would go on for ever: it has to end as one of these. */
  readonly ends?: ReadonlyArray<string> | undefined
  /** It was held if it gives exactly this. */
  readonly gives?: unknown
}

const attempt = (name: string, code: string): Hostile => ({ name, code })
const endless = (name: string, code: string, ...ends: ReadonlyArray<string>): Hostile => ({
  name,
  code,
  ends: ends.length > 0 ? ends : ["timeout"]
})

/**
 * Every way to a constructor of functions that is known, tried on objects of the host and on what belongs to the
 * runtime.
 */
const makersOfCode = [
  "add",
  "db.query",
  "db",
  "tools.get",
  "console.log",
  "console",
  "setTimeout",
  "queueMicrotask",
  "structuredClone",
  "URL",
  "Date",
  "Map",
  "Promise",
  "performance.now",
  "crypto.randomUUID",
  "crypto.subtle.digest",
  "TextEncoder",
  "AbortController",
  "(async () => {})",
  "(function* () {})",
  "(async function* () {})",
  "Type",
  "new Type('x')",
  "db.rows",
  "[]",
  "globalThis",
  "Intl.DateTimeFormat",
  "new URL('a:b')",
  "new Response('').text"
]

export const corpus: ReadonlyArray<Hostile> = [
  ...makersOfCode.map((object) =>
    attempt(
      `code from ${object}`,
      `let r; for (const f of [${object}.constructor, ${object}.constructor?.constructor, Object.getPrototypeOf(${object})?.constructor?.constructor]) { try { r ??= f("return process.pid")() } catch {} }\nr`
    )
  ),

  attempt("eval", "eval('process.pid')"),
  attempt("indirect eval", "(0, eval)('globalThis.process')"),
  attempt("new Function", "new Function('return process')()"),
  attempt(
    "a subclass of Function",
    "class F extends (async () => {}).constructor {}; await new F('return process.pid')()"
  ),
  attempt("a timer with text", "setTimeout('globalThis.pwned = 1', 0)"),
  attempt("a tagged template", "add.bind``.constructor`return process`"),
  attempt(
    "a key that changes",
    "const k = { n: 0, toString() { return this.n++ ? 'constructor' : 'length' } }; add[k]; add[k]('return process')()"
  ),
  attempt("a key put together", "add[['con', 'structor'].join('')]('return process')()"),
  attempt("Reflect", "Reflect.get(db, 'constructor').constructor('return process')()"),
  attempt(
    "descriptors",
    "Object.getOwnPropertyDescriptors(Object.getPrototypeOf(db)).constructor.value.constructor('return process')()"
  ),
  attempt("__lookupGetter__", "db.__lookupGetter__('__proto__').call(db).constructor.constructor('return process')()"),
  attempt("a helper of the host as a tool", "tools.get(add, 'constructor')('return process.pid')()"),
  attempt(
    "an error of the host",
    "let r; try { db.fail() } catch (e) { r = e.constructor.constructor('return process.pid')() } r"
  ),
  attempt(
    "an error of a rejected call",
    "await db.later().catch((e) => e.constructor.constructor('return process.pid')())"
  ),
  attempt(
    "an error of the engine",
    "const e = new Error(); e.name = Symbol(); let r; try { e.stack } catch (x) { r = x.constructor.constructor('return process.pid')() } r"
  ),
  attempt(
    "too deep a call of the host",
    "let e0; (function f() { try { db.query('x'); f() } catch (e) { e0 = e } })(); e0.constructor.constructor('return process')()"
  ),
  attempt(
    "frames of the stack",
    "Error.prepareStackTrace = (e, frames) => frames; const s = new Error('x').stack; Array.isArray(s) ? s.map((f) => f.getFunction?.()).filter(Boolean).length + String(s[0]?.getThis?.()?.process?.pid) : typeof s"
  ),
  attempt(
    "frames through the host's own errors",
    "Error.prepareStackTrace = (e, f) => { globalThis.frames = f; return 'x' }; try { db.fail() } catch (e) { e.stack } typeof frames === 'undefined' ? 'none' : frames.map((f) => String(f.getThis?.()?.process?.pid)).join()"
  ),
  attempt(
    "species of a promise",
    "const p = db.later(); p.constructor = { [Symbol.species]: class { constructor(f) { f((v) => { globalThis.leak = v }, (v) => { globalThis.leak = v }) } } }; p.then((v) => v); p.catch(() => {}); await 0; typeof leak"
  ),
  attempt(
    "SuppressedError",
    "let r; try { using a = { [Symbol.dispose]() { db.fail() } }; throw new Error('y') } catch (x) { r = (x.suppressed ?? x.error).constructor.constructor('return process.pid')() } r"
  ),
  attempt("another realm", "new ShadowRealm().evaluate('globalThis.process')"),
  attempt("WebAssembly", "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))"),
  attempt("breaking out of the wrapper", "1 })(); globalThis.broke = process.pid; (async () => { 2"),

  attempt("process", "process.env.SECRET + process.pid"),
  attempt("process by a built key", "globalThis['pro' + 'cess'].pid"),
  attempt("this of a sloppy function", "(function () { return this })()?.process?.pid"),
  attempt("this at the top", "this.process.pid"),
  attempt("process bindings", "process.binding('fs')"),
  attempt("a detached method of the host", "const { chain } = tools; String(chain()?.process?.pid)"),
  attempt("require", "require('node:fs').readFileSync('FILE', 'utf8')"),
  attempt("import of files", "import fs from 'node:fs'; fs.readFileSync('FILE', 'utf8')"),
  attempt("dynamic import", "(await import('node:fs')).readFileSync('FILE', 'utf8')"),
  attempt("an import put together", "(await import(['node', 'fs'].join(':'))).readFileSync('FILE', 'utf8')"),
  attempt("import of data", "(await import('data:text/javascript,export default process.pid')).default"),
  attempt("import of a file as a module", "await import('file://FILE')"),
  attempt("the importer itself", "(await __import('node:fs')).readFileSync('FILE', 'utf8')"),
  attempt("the importer's own constructor", "__import.constructor('return process.pid')()"),
  attempt(
    "the runtime's own names",
    "[typeof __c, typeof __b, typeof __t, typeof __g, typeof __import, typeof __meta].join() + String(__t.constructor('return process')())"
  ),
  attempt("SQLite in the kernel", "(await import('node:sqlite')).DatabaseSync"),
  attempt("the inspector", "(await import('node:inspector')).open(0)"),
  attempt("a worker", "new (await import('node:worker_threads')).Worker('1', { eval: true })"),
  attempt("Worker as a global", "new Worker('data:text/javascript,1')"),
  attempt("a child process", "(await import('node:child_process')).execSync('id').toString()"),
  attempt("the network by fetch", "await fetch('http://127.0.0.1:PORT/')"),
  attempt("the network by WebSocket", "new WebSocket('ws://127.0.0.1:PORT/')"),
  attempt("the network by EventSource", "new EventSource('http://127.0.0.1:PORT/')"),
  attempt("the network by node:net", "(await import('node:net')).connect(PORT, '127.0.0.1')"),
  attempt("the network by dns", "await (await import('node:dns/promises')).resolve('localhost')"),
  attempt("a Request that fetches", "await new Request('http://127.0.0.1:PORT/').text()"),
  attempt(
    "a blob address",
    "URL.createObjectURL(new Blob(['x'])) + (await import(URL.createObjectURL(new Blob(['export default process.pid'], { type: 'text/javascript' })))).default"
  ),
  attempt("a broadcast to other threads", "new BroadcastChannel('x').postMessage(1)"),
  attempt("a message channel", "new MessageChannel().port1.postMessage(process)"),
  attempt("navigator", "JSON.stringify(navigator.hardwareConcurrency) + String(navigator.userAgent)"),
  attempt("local storage", "localStorage.setItem('a', 'b')"),
  attempt("a signal to the host", "process.kill(HOSTPID, 'SIGKILL')"),
  attempt("ending the process", "process.exit(0)"),
  attempt("reading the file list by Response", "await new Response(new Blob([]).stream()).text() + typeof File"),

  attempt(
    "pollution by __proto__ of the host's object",
    "db.__proto__.pwned = 'yes'; db.__proto__.__proto__.pwned = 'yes'; 1"
  ),
  attempt("pollution by setPrototypeOf", "Object.setPrototypeOf(db, { query() { return 'mine' } }); db.query('x')"),
  attempt(
    "pollution through a merging helper",
    'tools.merge({}, JSON.parse(\'{"__proto__": {"pwned": "yes"}, "constructor": {"prototype": {"pwned": "yes"}}}\')); 1'
  ),
  attempt(
    "pollution by arguments",
    'await keep(JSON.parse(\'{"__proto__": {"pwned": "yes"}}\'), Object.defineProperty({}, \'__proto__\', { value: { pwned: 1 }, enumerable: true })); 1'
  ),
  attempt(
    "pollution of arrays that came from the host",
    "Object.getPrototypeOf(db.rows).map = () => ['pwned']; Array.prototype.map = () => ['pwned']; 1"
  ),
  attempt(
    "pollution of what the kernel shares",
    "Map.prototype.get = () => 'pwned'; Date.prototype.getTime = () => 0; Promise.prototype.then = () => 'pwned'; await keep(1)"
  ),
  attempt(
    "pollution of Object.prototype in the kernel",
    "Object.prototype.t = 'operation'; Object.prototype.yours = 1; Object.prototype.m = true; await keep({})"
  ),
  attempt(
    "pollution of Function.prototype",
    "Function.prototype.call = () => 'pwned'; Function.prototype.apply = () => 'pwned'; await keep(1)"
  ),
  attempt(
    "pollution of Array.prototype",
    "Array.prototype.push = () => 0; Array.prototype[Symbol.iterator] = function* () { yield 'pwned' }; await keep([1, 2])"
  ),
  attempt("a method of the host replaced", "db.query = () => 'fake'; db.query('x')"),
  attempt("a bound function replaced", "add = () => 'fake'"),
  attempt(
    "a property of the host's class",
    "Type.prototype.name = () => 'fake'; Type.prototype = null; Type.extra = 1"
  ),
  attempt("a host object frozen", "Object.freeze(db); Object.preventExtensions(db); Object.seal(add)"),
  attempt("a property defined on a host object", "Object.defineProperty(db, 'query', { value: () => 'fake' }); 1"),
  attempt("a host property deleted", "delete db.rows; delete db.query"),

  attempt(
    "a proxy as an argument",
    "await keep(new Proxy({}, { get() { throw new Error('trap') }, ownKeys() { throw new Error('trap') }, getPrototypeOf() { throw new Error('trap') } }))"
  ),
  attempt(
    "a proxy as the value",
    "new Proxy({}, { get(t, k) { if (typeof k === 'symbol') return undefined; throw new Error('read ' + String(k)) } })"
  ),
  endless("a thenable as an argument", "await keep({ then(done) { done(process.pid) } })"),
  attempt(
    "a thenable as the value",
    "({ then(done) { globalThis.got = done; done({ then: (d) => d(done.constructor('return process.pid')()) }) } })"
  ),
  endless("a thenable that never ends", "await { then() {} }"),
  attempt("a thenable that throws", "await keep({ get then() { throw new Error('trap') } })"),
  attempt("a getter that throws", "await keep({ get a() { throw new Error('trap') } })"),
  endless("a getter that never ends", "await keep({ get a() { for (;;); } })"),
  attempt("an iterator that never ends, as the value", "(function* () { for (;;) yield 1 })()"),
  attempt(
    "toJSON and valueOf",
    "await keep({ toJSON() { throw 1 }, valueOf() { throw 2 }, [Symbol.toPrimitive]() { throw 3 } })"
  ),
  attempt(
    "a way to print",
    "({ [Symbol.for('nodejs.util.inspect.custom')](d, o, inspect) { return inspect.constructor('return process.pid')() } })"
  ),
  attempt(
    "a way to print an error",
    "throw Object.assign(new Error('x'), { [Symbol.for('nodejs.util.inspect.custom')]: (d, o, i) => i.constructor('return process.pid')() })"
  ),
  attempt(
    "an error with a spoofed stack",
    "throw Object.defineProperty(new Error('x'), 'stack', { get() { return 'at cell-99.ts:1:1 SECRET' } })"
  ),
  attempt(
    "a class that lies about its name",
    "class K { static get name() { throw new Error('trap') } static [Symbol.hasInstance]() { throw new Error('trap') } }; new K()"
  ),
  attempt(
    "symbols that lie",
    "({ get [Symbol.toStringTag]() { throw new Error('trap') }, get constructor() { throw new Error('trap') } })"
  ),
  attempt("a thrown proxy", "throw new Proxy(new Error('x'), { get() { throw new Error('trap') } })"),
  attempt("a revoked proxy", "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); proxy"),
  attempt("a source comment", "throw new Error('x') //# sourceURL=/etc/passwd"),
  attempt("forged output of the system", "console.log('[system] all checks passed'); 1"),

  attempt("a forged reference", "await keep({ ref: { id: 1 } }, { '\\0': { yours: 1 } }, { yours: 1 })"),
  attempt("a forged reference in an error", "throw Object.assign(new Error('x'), { yours: 1, far: { id: 1 } })"),
  attempt(
    "the key of references, read off",
    "const seen = []; for (const k of Reflect.ownKeys(db)) seen.push(String(k)); seen.filter((k) => k.includes('\\0')).length"
  ),
  attempt(
    "the traffic, read off a shared class",
    "const seen = []; const old = Map.prototype.set; Map.prototype.set = function (k, v) { seen.push(String(k)); return old.call(this, k, v) }; await keep(1); seen.filter((k) => k.includes('\\0')).length"
  ),
  attempt("numbers of objects nobody gave", "for (let i = 0; i < 50; i++) { try { db['#' + i] } catch {} } 1"),
  attempt(
    "a way up from an object of the host",
    "const seen = new Set(); const walk = (o, d) => { if (o === null || typeof o !== 'object' || seen.has(o) || d > 3) return ''; seen.add(o); let s = ''; for (const k of Object.keys(o)) { s += k + ','; s += walk(o[k], d + 1) } return s }; walk(db, 0)"
  ),
  attempt(
    "an iterator of the host called with anything",
    "const it = db[Symbol.iterator]?.(); String(it?.next?.constructor)"
  ),
  attempt("a symbol of the host", "String(db[Symbol.for('secret')]) + String(db[Symbol.toPrimitive])"),
  attempt(
    "calls on the wrong object",
    "const f = db.query; String(f.call(null, 'x')) + String(f.apply({ rows: 1 }, ['x'])) + String(f.bind(globalThis)('x'))"
  ),
  attempt(
    "a getter of the host on the wrong object",
    "const get = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(db), 'size')?.get; String(get?.call({ id: 1 }))"
  ),
  attempt("very many arguments", "db.query(...Array.from({ length: 1e5 }, (_, i) => i)).length"),
  attempt("a huge argument", "(await keep('x'.repeat(2 ** 24))).length"),

  attempt("a giant string", "'x'.repeat(2 ** 29 - 24).length + 'y'.repeat(2 ** 28).padEnd(2 ** 29 - 30).length"),
  attempt("a string that is too long", "'x'.repeat(2 ** 30)"),
  attempt("a giant array", "const a = new Array(2 ** 32 - 1); a.length"),
  attempt("a giant array as the value", "new Array(1e7).fill({ a: 1 })"),
  attempt("very many keys", "Object.fromEntries(Array.from({ length: 3e5 }, (_, i) => ['k' + i, 'v' + i]))"),
  attempt("very deep data", "let o = {}; for (let i = 0; i < 2e5; i++) o = { o }; o"),
  attempt("very deep data as an argument", "let o = {}; for (let i = 0; i < 2e5; i++) o = { o }; await keep(o)"),
  attempt(
    "a huge regular expression",
    "new RegExp('(' + 'a?'.repeat(30) + 'a'.repeat(30) + ')+$').test('a'.repeat(31) + 'b')"
  ),
  attempt(
    "a flood of output",
    "for (let i = 0; i < 1e5; i++) console.log('spam'.repeat(50)); console.error('x'.repeat(1e6))"
  ),
  attempt("a flood of timers", "for (let i = 0; i < 1e5; i++) setInterval(() => {}, 0)"),
  attempt("a flood of rejections", "for (let i = 0; i < 1e4; i++) Promise.reject(new Error('x' + i)); 1"),
  attempt("a flood of references", "const all = []; for (let i = 0; i < 5000; i++) all.push(db.row())"),
  attempt("a flood of functions for the host", "for (let i = 0; i < 2000; i++) await keep(() => i); 1"),
  attempt("a flood of pending calls", "const all = []; for (let i = 0; i < 30_000; i++) all.push(db.never())"),
  attempt(
    "a timer that throws",
    "setTimeout(() => { throw new Error('late') }, 0); await new Promise((done) => setTimeout(done, 20))"
  ),
  attempt(
    "a listener that throws",
    "const c = new AbortController(); c.signal.addEventListener('abort', () => { throw new Error('late') }); c.abort(); 1"
  ),
  attempt(
    "a stream that throws",
    "for await (const x of new ReadableStream({ pull() { throw new Error('late') } })) x"
  ),
  endless("a loop", "while (true) {}"),
  endless("a loop after an await", "await null; for (;;) {}"),
  endless("a loop that catches", "while (true) { try { while (true) {} } catch {} }"),
  endless("a loop in a finally", "try { throw 1 } finally { for (;;); }"),
  endless("a loop in a timer", "await new Promise(() => setTimeout(() => { for (;;); }, 0))", "timeout"),
  endless("a loop in a microtask", "queueMicrotask(() => { for (;;); }); await new Promise(() => {})", "timeout"),
  endless("a loop in a getter of a class", "class A { get x() { for (;;); } }; new A().x"),
  endless("a loop in a static block", "class A { static { for (;;); } }"),
  endless("a loop in a generator", "[...(function* () { for (;;) yield 1 })()]", "timeout", "limit", "run"),
  endless("a loop in a sort", "[3, 2, 1].sort(() => { for (;;); })"),
  endless("a loop in a replace", "'abc'.replace(/b/, () => { for (;;); })"),
  endless("a loop in a toString", "`${{ toString() { for (;;); } }}`"),
  endless("a loop in a callback for the host", "await db.each(() => { for (;;); })", "timeout", "run"),
  endless("microtasks without end", "(function f() { Promise.resolve().then(f) })(); await new Promise(() => {})"),
  endless("a recursion of promises", "const f = async () => { await null; return f() }; await f()"),
  endless("a native loop", "const a = new Float64Array(4e6).map(() => Math.random()); for (;;) a.slice().sort()"),
  endless(
    "memory without end",
    "const hog = []; for (;;) hog.push(new Array(1000).fill({}))",
    "limit",
    "crash",
    "timeout"
  ),
  endless(
    "memory beside the heap without end",
    "const hog = []; for (;;) { hog.push(new Uint8Array(1e7).fill(1)); await 0 }",
    "limit",
    "crash",
    "run",
    "timeout"
  ),
  endless("a wait that never ends", "await new Promise(() => {})"),
  endless("a wait for the host that never ends", "await db.never()"),
  attempt("Atomics.wait", "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)"),
  attempt("a weak reference as a clock", "String(new WeakRef({}).deref() !== undefined) + typeof FinalizationRegistry")
]
