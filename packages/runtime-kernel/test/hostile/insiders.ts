/**
 * Cells of somebody who has read the sources of the kernel: they go for the key of markers, for the objects that the
 * kernel's own code stands on, for what is copied on the way, and for the host that takes it up.
 */
import type { Hostile } from "./corpus.ts"

/** Held if the cell gives exactly this. */
const held = (name: string, code: string, gives: unknown = "held"): Hostile => ({ name, code, gives })

/** Tries to change something that others stand on. */
const frozen = (name: string, object: string): Hostile =>
  held(
    `frozen: ${name}`,
    `const o = ${object}; let changed = []
    for (const key of ["pwned", ...Reflect.ownKeys(o)]) { const was = Object.getOwnPropertyDescriptor(o, key); try { Object.defineProperty(o, key, { value: () => "pwned", configurable: true }); if (was?.value !== o[key]) changed.push(String(key)) } catch {} }
    try { if (Object.setPrototypeOf(o, { pwned: 1 }) && o.pwned) changed.push("prototype") } catch {}
    changed.join() || "held"`
  )

/** Runs `code` with what the kernel makes of \`make\`, and says whether it saw a marker or something with the key. */
const looksForKey = (name: string, code: string): Hostile =>
  held(
    `the key: ${name}`,
    `const seen = []; const isKey = (x) => typeof x === "string" && /\\0[0-9a-f]{32}/.test(x)
    const look = (x, d = 0) => { if (isKey(x)) { seen.push(x); return x } if (typeof x === "string" || x === null || (typeof x !== "object" && typeof x !== "function") || d > 4) return x; try { for (const k of Reflect.ownKeys(x)) { if (isKey(k)) seen.push(k); look(Object.getOwnPropertyDescriptor(x, k)?.value, d + 1) } } catch {} return x }
    const text = (bytes) => { let s = ""; for (const b of new Uint8Array(bytes)) s += String.fromCharCode(b); return look(s) }
    try { ${code} } catch (error) { look(error) }
    seen.length === 0 ? "held" : "seen " + seen.length`
  )

/** One of each kind of value. */
const kinds = [
  "[1, 2]",
  "[{ a: 1 }]",
  "new Map([[1, 2]])",
  "new Set([1])",
  "new Uint8Array([1])",
  "new Date(0)",
  "/x/g",
  "new RangeError('x')",
  "Promise.resolve(1)",
  "function f() {}",
  "class K { m() {} }",
  "new (class P { x = 1 })()",
  "Object('text')",
  "new URL('http://a/')",
  "({ a: { b: 1 } })",
  "new ArrayBuffer(4)",
  "(function* () { yield 1 })()",
  "new AggregateError([new Error('y')], 'x')",
  "new AbortController().signal",
  "new Headers({ a: '1' })"
]

/** All that anybody might ask of the value is code that throws; it is seen, printed, handed over and thrown. */
const liar = (kind: string): Hostile =>
  held(
    `lies in every way: ${kind}`,
    `const v = ${kind}; const all = new Set(["toJSON", "then", "length", "size", "byteLength", "detached", Symbol.toStringTag, Symbol.iterator, Symbol.toPrimitive, Symbol.species, Symbol.hasInstance, Symbol.for("nodejs.util.inspect.custom")])
    for (let p = v; p !== null; p = Object.getPrototypeOf(p)) for (const key of Reflect.ownKeys(p)) if (key !== "__proto__") all.add(key)
    for (const key of all) try { Object.defineProperty(v, key, { get() { throw new Error("a lie") }, configurable: true }) } catch {}
    console.log(v, [v]); console.table([v]); console.dir(v)
    let how = []; for (const act of [() => keep([v]), () => db.query({ v }), () => db.each(() => { throw v })]) { try { await act(); how.push("crossed") } catch (error) { how.push("refused") } }
    globalThis.kept = [v]; how.length`,
    3
  )

export const insiders: ReadonlyArray<Hostile> = [
  ...kinds.map(liar),
  looksForKey(
    "memory behind bytes of the host",
    "text(db.bytes().buffer); text(db.view().buffer); text(db.floats().buffer)"
  ),
  looksForKey(
    "memory behind bytes that came back",
    "const back = await keep(new Uint8Array(8)); text(back.buffer); text((await keep(new DataView(new ArrayBuffer(3)))).buffer)"
  ),
  looksForKey(
    "methods of an error's list",
    "const e = new AggregateError([() => 1], 'x'); e.errors = Object.assign([() => 1], { map(f) { look(f(() => 1)); return [] }, forEach(f) { look(f(() => 1)) } }); await keep(e)"
  ),
  looksForKey(
    "methods of arrays",
    "for (const name of ['every', 'map', 'forEach', 'some', 'filter', 'flatMap', 'reduce']) Object.defineProperty(Array.prototype, name, { value(f) { look(f); try { look(f(() => 1, 0)) } catch {} return [] }, configurable: true }); await keep([[() => 1]], [1])"
  ),
  looksForKey(
    "iterators of arrays, maps and sets",
    "Array.prototype[Symbol.iterator] = function () { look(this); return { next: () => ({ done: true }) } }; try { Map.prototype.entries.call = function (m) { look(m); return [] } } catch {} await keep([() => 1], new Map([[1, () => 1]]), new Set([() => 1]))"
  ),
  looksForKey(
    "setters under markers",
    "for (const p of [Object.prototype, Array.prototype, Function.prototype]) for (const k of ['ref', 'yours', 'far', 'error', 'd', 'm', 'id', 'kind', '0']) Object.defineProperty(p, k, { set(v) { look(v); look(this) }, get() { look(this); return undefined }, configurable: true }); await keep(() => 1, db, [db]); db.fail()"
  ),
  looksForKey(
    "setters on what the host gives",
    "const p = Object.getPrototypeOf(db.query({ a: 1 })[0]); for (const k of ['ref', 'yours', 'error', 'd', 'm']) Object.defineProperty(p, k, { set(v) { look(v); look(this) }, configurable: true }); db.row(); db.query(db)"
  ),
  looksForKey(
    "the stack of a failure",
    "let err; try { db.fail() } catch (e) { err = e } for (const C of [err.constructor, Object.getPrototypeOf(err.constructor)]) C.prepareStackTrace = (e, frames) => { look(e); for (const f of frames) { look(f.getThis?.()); look(f.getFunction?.()) } return 'x' }; try { db.fail() } catch (e) { look(e.stack) } await db.later().catch((e) => look(e.stack))"
  ),
  looksForKey(
    "a reference's own parts",
    "look(db); look(Object.getPrototypeOf(db)); look(Object.getOwnPropertyDescriptors(db)); look(db.query); look(add)"
  ),
  looksForKey(
    "what is printed of a reference",
    "look(String(db.query)); look(`${add}`); console.log(db, add, [db]); look(JSON.stringify([db, add]))"
  ),
  looksForKey(
    "a proxy around a reference",
    "const p = new Proxy(db, { get(t, k, r) { look(k); look(r); return Reflect.get(t, k) }, getOwnPropertyDescriptor(t, k) { look(k); return undefined }, ownKeys() { return ['a'] } }); await keep(p); p.rows"
  ),
  looksForKey(
    "toJSON on the way",
    "Object.prototype.toJSON = function (k) { look(this); look(k); return 1 }; Array.prototype.toJSON = Object.prototype.toJSON; String.prototype.toJSON = Object.prototype.toJSON; db.query([() => 1]); db.query({ a: 1 }, 'x')"
  ),

  held(
    "bytes end where they end",
    "[db.bytes().buffer.byteLength, db.view().buffer.byteLength, db.floats().buffer.byteLength, new Uint8Array(db.bytes().buffer).length]",
    [3, 3, 16, 3]
  ),
  held(
    "bytes that lie about their length",
    "const u = new Uint8Array([1, 2, 3, 4]); let n = 0; Object.defineProperty(u, 'byteLength', { get: () => n++ % 2 ? 400 : 1 }); const [back] = [await keep(u)]; [back.length, [...back]]",
    [4, [1, 2, 3, 4]]
  ),
  held(
    "bytes that lie about their memory",
    "const u = new Uint8Array([1, 2]); Object.defineProperty(u, 'buffer', { get: () => new ArrayBuffer(64) }); Object.defineProperty(u, 'byteOffset', { value: 7 }); [...await keep(u)]",
    [1, 2]
  ),
  held(
    "bytes that lie about their class",
    "const u = new Uint8Array([1, 2]); Object.defineProperty(u, Symbol.toStringTag, { value: 'Float64Array' }); Object.defineProperty(u, 'constructor', { get() { throw 1 } }); [...await keep(u)]",
    [1, 2]
  ),
  held(
    "bytes of another prototype",
    "const u = Object.setPrototypeOf(new Uint8Array([1, 2]), { get buffer() { throw 1 }, get byteLength() { return 1e9 } }); [...await keep(u)]",
    [1, 2]
  ),
  held(
    "bytes as the value of the cell, lying",
    "const u = new Uint8Array([7]); Object.defineProperty(u, 'byteLength', { get() { throw 1 } }); ({ u })",
    { u: new Uint8Array([7]) }
  ),
  held(
    "memory that was given away",
    "const b = new ArrayBuffer(8); const v = new Uint8Array(b); structuredClone(b, { transfer: [b] }); const [x, y] = [await keep(b), await keep(v)]; [x.byteLength, y.length]",
    [0, 0]
  ),
  held(
    "memory that grows",
    "const b = new ArrayBuffer(2, { maxByteLength: 8 }); const v = new Uint8Array(b); b.resize(4); (await keep(v)).length",
    4
  ),

  frozen("Array of the kernel", "Object.getPrototypeOf(db.query(1))"),
  frozen("Object of the kernel", "Object.getPrototypeOf(db.query({ a: 1 })[0])"),
  frozen("Buffer", "Object.getPrototypeOf(db.bytes())"),
  frozen("the class of Buffer", "db.bytes().constructor"),
  frozen("errors of the kernel", "Object.getPrototypeOf((() => { try { db.fail() } catch (e) { return e } })())"),
  frozen(
    "the class of errors of the kernel",
    "Object.getPrototypeOf((() => { try { db.fail() } catch (e) { return e } })().constructor)"
  ),
  frozen(
    "promises of the kernel",
    "Object.getPrototypeOf((() => { const p = db.later(); p.catch(() => {}); return p })())"
  ),
  frozen("then of promises", "(() => { const p = db.later(); p.catch(() => {}); return p.then })()"),
  frozen("regular expressions of the kernel", "Object.getPrototypeOf(db.pattern())"),
  frozen("what steps through matches", "Object.getPrototypeOf(db.pattern()[Symbol.matchAll]('x'))"),
  frozen(
    "what all iterators share",
    "Object.getPrototypeOf(Object.getPrototypeOf(db.pattern()[Symbol.matchAll]('x')))"
  ),
  frozen("functions of the kernel", "Object.getPrototypeOf(setTimeout)"),
  frozen("call of functions", "Object.getPrototypeOf(setTimeout).call"),
  frozen(
    "asynchronous functions of the kernel",
    "Object.getPrototypeOf(Object.getPrototypeOf(crypto.subtle.digest)) === Object.prototype ? Object.getPrototypeOf(crypto.subtle.digest) : Object.getPrototypeOf(crypto.subtle.digest)"
  ),
  frozen("entries of maps", "Map.prototype.entries"),
  frozen("Response, which namespaces share", "Response.prototype"),
  frozen("streams, which namespaces share", "ReadableStream"),
  frozen("the class of a host object", "Object.getPrototypeOf(db)"),
  frozen("Intl", "Intl.DateTimeFormat.prototype"),

  held(
    "a function of the host that waits",
    "let r; try { db.then = (done) => done('pwned'); r = 'set' } catch (e) { r = e.name } [r, typeof (await db.self()).query]",
    ["TypeError", "function"]
  ),
  held(
    "what the host prints by: a cell changes no more than its own view",
    "const r = []; for (const k of ['toString', 'valueOf', 'toJSON', 'hasOwnProperty', 'isPrototypeOf', '__proto__', 'constructor']) { try { db[k] = () => 'pwned'; r.push(k) } catch {} } [r.join(), typeof (await keep(1))]",
    ["toString,valueOf", "number"]
  ),
  held(
    "a getter defined on a host object",
    "Object.defineProperty(db, 'rows', { get() { return 'pwned' }, configurable: true }); await keep(db); 'held'"
  ),
  held(
    "the descriptor of what is forbidden",
    "[Object.getOwnPropertyDescriptor(db, 'constructor'), Object.getOwnPropertyDescriptor(db, '__proto__'), Object.keys(db).includes('constructor'), Object.keys(add).join(), Object.getOwnPropertyNames(Type).includes('prototype') ? typeof Type.prototype.constructor.constructor : 'none']",
    [undefined, undefined, false, "", "function"]
  ),
  held(
    "keys that pass for others",
    "const r = []; for (const k of ['cons\\u0074ructor', '\\u005f_proto__', ['constructor'], { toString: () => '__proto__' }, new String('prototype')]) { try { r.push(typeof db[k]?.constructor?.constructor?.('return process.pid')) } catch (e) { r.push(e.name) } } r.includes('number')",
    false
  ),

  held(
    "data that leads back to itself",
    "const a = [1]; a.push(a); const m = new Map(); m.set(m, m); const s = new Set(); s.add(s); const [x, y, z] = await keep([a, m, s]).then((all) => all); [x[1] === x, y.get(y) === y, z.has(z)]",
    [true, true, true]
  ),
  held(
    "an error that leads back to itself",
    "const e = new Error('x'); e.cause = e; e.list = [e]; const b = await keep(e); [b.cause === b, b.list[0] === b, b.message]",
    [true, true, "x"]
  ),
  held(
    "a failure that leads back to itself",
    "const e = new Error('x'); e.cause = e; let r; try { await db.each(() => { throw e }) } catch (x) { r = [x.message, x.cause === x] } r",
    ["x", true]
  ),
  held(
    "an error with a list without end",
    "const e = new AggregateError([], 'x'); Object.defineProperty(e, 'errors', { value: { length: 1e9, 0: 1 } }); const f = new AggregateError([], 'y'); f.errors = Array(2 ** 32 - 1); const b = await keep(e, f); b.message",
    "x"
  ),
  held(
    "an array as long as there are numbers",
    "const a = []; a.length = 4e9; a[5] = 1; const b = await keep(a); [b.length, b[5], Object.keys(b).length]",
    [4e9, 1, 1]
  ),
  held(
    "an array with a function for a name",
    "const a = [,]; a.extra = () => 1; const b = await keep(a); [b.length, typeof b.extra]",
    [1, "function"]
  ),
  held(
    "an array that answers twice",
    "let n = 0; const a = [1]; Object.defineProperty(a, 0, { get: () => n++ ? () => 1 : 1, enumerable: true }); let r; try { await keep(a); r = 'kept' } catch (e) { r = e.name } typeof r",
    "string"
  ),
  ...[500, 900, 1_100, 1_700, 2_500, 3_300, 6_000, 20_000].flatMap((levels) => [
    held(
      `${levels} levels, there and back`,
      `let o = {}; for (let i = 0; i < ${levels}; i++) o = { o }; let r; try { await keep(o); r = "crossed" } catch (e) { r = e.name } r`,
      levels < 1_000 ? "crossed" : "RangeError"
    ),
    held(
      `${levels} levels from the host`,
      `const r = []; for (const f of [() => db.deep(${levels}), () => db.deepLater(${levels}), () => db.each(() => db.deep(Math.min(900, ${levels})))]) { try { await f(); r.push("crossed") } catch (e) { r.push(e.name) } } r.slice(0, 2)`,
      levels < 1_000 ? ["crossed", "crossed"] : ["RangeError", "RangeError"]
    )
  ]),
  {
    name: "6,000 levels as the value",
    code: "let o = {}; for (let i = 0; i < 6000; i++) o = { o }; o",
    gives: "[cannot leave the kernel: data in more than 1000 levels cannot cross: flatten it, or hand it over in parts]"
  },
  held(
    "a list of 6,000 links as a variable",
    "let list = null; for (let i = 0; i < 6000; i++) list = { i, next: list }; list.i",
    5_999
  ),
  held(
    "6,000 levels given by a function of the cell",
    "let r; try { await db.each(() => { let o = []; for (let i = 0; i < 6000; i++) o = [o]; return o }) } catch (e) { r = e.name } r",
    "RangeError"
  ),

  held(
    "calls of the host at the edge of the stack",
    "let tries = 0, ok = 0; const wrong = []; const dig = () => { try { dig() } catch { if (tries++ < 300) try { const [got] = db.query(tries); got === tries ? ok++ : wrong.push([tries, got]) } catch (e) { if (e.name !== 'RangeError') wrong.push(e.name) } throw 1 } }\ntry { dig() } catch {}\n[wrong, ok > 0, db.query('after')]",
    [[], true, ["after"]]
  ),
  held(
    "posts to the host at the edge of the stack",
    "let tries = 0; const all = []; const dig = () => { try { dig() } catch { if (tries++ < 2000) try { all.push(keep(tries)) } catch {} throw 1 } }\ntry { dig() } catch {}\nconst got = await Promise.all(all); [got.length > 0, got.filter((x) => !Number.isInteger(x)).slice(0, 3)]",
    [true, []]
  ),
  held(
    "print at the edge of the stack",
    "let n = 0; const dig = () => { try { dig() } catch { if (n++ < 100) try { console.log(n) } catch {} throw 1 } }\ntry { dig() } catch {}\ndb.query('after')",
    ["after"]
  ),

  held(
    "a call over the limit is not made",
    "const before = db.made; const all = []; let refused; try { for (;;) all.push(db.counted()) } catch (e) { refused = e.name } [refused, db.made - before === all.length]",
    ["RangeError", true]
  ),
  held(
    "the keys of a host object, without end",
    "const many = await keep(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => ['k' + i, i]))); Object.keys(many).length",
    5_000
  ),
  held(
    "__proto__ as a key, both ways",
    'const o = JSON.parse(\'{"__proto__": {"pwned": 1}, "a": {"__proto__": {"pwned": 2}}}\'); const b = await keep(o); [Object.keys(b).join(), b.pwned, b.a.pwned, ({}).pwned, Object.getPrototypeOf(b) === Object.getPrototypeOf(await keep({}))]',
    ["__proto__,a", undefined, undefined, undefined, true]
  ),
  held(
    "__proto__ in an error, a map and a set",
    "const e = Object.defineProperty(new Error('x'), '__proto__', { value: { pwned: 1 }, enumerable: true }); const b = await keep([e, new Map([['__proto__', { pwned: 1 }]]), new Set(['__proto__'])]); [b[0] instanceof Error, b[0].pwned, b[1].get('__proto__').pwned, b[1].pwned]",
    [true, undefined, 1, undefined]
  ),
  held(
    "a symbol in a box, and symbols as keys",
    "const b = await keep({ boxed: Object(Symbol('x')), [Symbol('k')]: 1, [Symbol.toPrimitive]: () => 1 }); Reflect.ownKeys(b).map(String).join()",
    "boxed"
  ),
  held(
    "a date, an expression and an address that lie",
    "const d = new Date(5); Object.defineProperty(d, 'getTime', { value: () => 9 }); Object.defineProperty(d, 'toISOString', { get() { throw 1 } }); const r = /x/g; Object.defineProperty(r, 'source', { get() { throw 1 } }); const u = new URL('http://a/'); Object.defineProperty(u, 'href', { value: { evil: 1 } }); const [x, y, z] = await keep([d, r, u]); [x.getTime(), y.source, z.href]",
    [5, "x", "http://a/"]
  ),
  held(
    "an address that is none",
    "let r; try { await keep(Object.create(URL.prototype)); r = 'crossed' } catch (e) { r = e.name } r",
    "TypeError"
  ),
  held(
    "maps and sets that lie",
    "const m = new Map([[1, 2]]); for (const k of ['entries', Symbol.iterator, 'forEach']) Object.defineProperty(m, k, { get() { throw 1 } }); Object.defineProperty(m, 'size', { value: 1e9 }); const s = new Set([1]); Object.defineProperty(s, 'values', { get() { throw 1 } }); const [x, y] = await keep([m, s]); [x.get(1), y.has(1)]",
    [2, true]
  ),
  held(
    "promises that lie",
    "const p = Promise.resolve(1); p.then = () => { throw 1 }; p.constructor = { [Symbol.species]: function () { throw 2 } }; let r; try { r = typeof (await keep([p])) } catch (e) { r = 'refused' } typeof r",
    "string"
  ),
  held(
    "a generator that lies",
    "function* g() { yield 1 } const it = g(); it.next = () => ({ get done() { throw 1 } }); it.return = 5; await keep(it); 'held'"
  ),
  held(
    "timers with the arguments of others",
    "const r = []; for (const a of [[() => {}, { valueOf() { throw new RangeError('v') } }], [() => {}, Symbol()], [() => {}, 5n], [{ toString: () => 'x' }, 1]]) { try { r.push(typeof setTimeout(...a)) } catch (e) { r.push(e.name) } } r",
    ["RangeError", "TypeError", "number", "TypeError"]
  ),
  held(
    "the guards of loops, replaced",
    "let r = []; for (const name of ['__g', '__t', '__b', '__c', '__import']) { try { globalThis[name] = () => {}; r.push(name) } catch {} } let n = 0; while (n < 1e5) n++\nn",
    100_000
  ),
  {
    name: "a loop after the guards were replaced",
    code:
      "try { globalThis.__g = () => {}; globalThis.__t = () => {}; globalThis.__b = 1e9 } catch {}\nfor (;;) { try { __b = 1e9 } catch {} }",
    ends: ["timeout", "run", "syntax"]
  },
  held(
    "an iterator of the host, stepped from elsewhere",
    "const it = db.steps(); const other = { __proto__: it }; let r; try { r = other.next().value } catch (e) { r = e.name } [typeof r, it.next().value >= 0]",
    ["string", true]
  ),
  held(
    "an abort that listens to itself",
    "const c = db.abort(); c.signal.addEventListener('abort', () => { throw new Error('listener') }); c.signal.onabort = () => { throw 1 }; c.abort(); await new Promise((done) => setTimeout(done, 10)); c.signal.aborted",
    true
  ),
  held(
    "listeners of a host that fail",
    "db.emitter.on('x', async () => { throw new Error('listener') }); db.emitter.emit('x'); await new Promise((done) => setTimeout(done, 10)); 'held'"
  ),
  held(
    "a promise of the host that cannot cross",
    "const { deep } = db.promises(); let r; try { await deep; r = 'crossed' } catch (e) { r = e.name } r",
    "RangeError"
  ),
  held(
    "a promise of the host for what it must not give",
    "let r; try { await db.promises().world; r = 'crossed' } catch (e) { r = e.name } r",
    "TypeError"
  ),
  held(
    "a host function that gives the world",
    "const r = []; for (const f of [() => tools.get({ a: 1 }, 'constructor'), () => db.world(), () => db.world2()]) { try { r.push(typeof f()?.pid) } catch (e) { r.push(e.name) } } r.includes('number')",
    false
  )
]
