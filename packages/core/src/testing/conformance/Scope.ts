import { Group } from "./Case.ts"

export const scope = new Group("scope")
  .value("let persists", ["let a = 1", "a"], 1)
  .value("const persists", ["const a = 1", "a"], 1)
  .value("var persists", ["var a = 1", "a"], 1)
  .value("a function persists", ["function f() { return 2 }", "f()"], 2)
  .value("a class persists", ["class A { m() { return 3 } }", "new A().m()"], 3)
  .value("object patterns declare", [
    "const { a, b: { c = 5 }, ...rest } = { a: 1, b: {}, x: 2, y: 3 }",
    "[a, c, rest]"
  ], [1, 5, { x: 2, y: 3 }])
  .value("array patterns declare", ["const [a, , b = 7, ...rest] = [1, 2, undefined, 4, 5]", "[a, b, rest]"], [1, 7, [
    4,
    5
  ]])
  .value("several declarators declare", ["let a = 1, b = a + 1, c", "[a, b, c]"], [1, 2, undefined])
  .value("a declaration without a value is undefined", ["let a", "a === undefined"], true)
  .value("var without a value keeps the old one", ["var a = 1", "var a", "a"], 1)
  .value("var in a block reaches the top", ["if (true) { var a = 4 }", "a"], 4)
  .value("var in a for head reaches the top", ["for (var i = 0; i < 3; i++) {}", "i"], 3)
  .value("let in a block stays there", ["{ let inner = 1 }", "typeof inner"], "undefined")
  .value("later cells assign", ["let n = 1", "n += 1", "n++", "n"], 3)
  .value("an old closure sees the new value", ["let n = 1; const read = () => n", "n = 5", "read()"], 5)
  .value("an old function sees a redefined one", [
    "const price = () => 1; const total = () => price() * 2",
    "const price = () => 10",
    "total()"
  ], 20)
  .value("a function calls itself through the namespace", [
    "let calls = 0; function fib(n) { calls++; return n < 2 ? n : fib(n - 1) + fib(n - 2) }",
    "const plain = fib; const memo = new Map(); fib = (n) => memo.has(n) ? memo.get(n) : (memo.set(n, plain(n)), memo.get(n))",
    "[fib(30), calls < 100]"
  ], [832040, true])
  .value("a function is hoisted within its cell", "const a = early(); function early() { return 6 }\na", 6)
  .value("functions keep their names", [
    "function declared() {}; const arrow = () => 1; class Named {}",
    "[declared.name, arrow.name, Named.name]"
  ], [
    "declared",
    "arrow",
    "Named"
  ])
  .value("a property of globalThis is a variable", ["globalThis.made = 8", "made"], 8)
  .value("a variable is a property of globalThis", ["const made = 8", "globalThis.made"], 8)
  .problem("an assignment to nothing fails", "nowhere = 1", {
    name: "ReferenceError",
    message: "nowhere is not defined"
  })
  .value("typeof of nothing does not fail", "typeof nowhere", "undefined")
  .value("a loop over a thousand cells keeps its sum", [
    "let sum = 0",
    ...Array.from({ length: 50 }, (_, i) => `sum += ${i}`),
    "sum"
  ], 1225)
  .open("two runtimes have two namespaces", async (open) => {
    const [a, b] = [await open(), await open()]
    await a.value("const mine = 1")
    await b.problem("mine")
  })

export const redeclaration = new Group("redeclaration")
  .value("const again", ["const a = 1", "const a = 2", "a"], 2)
  .value("let over const", ["const a = 1", "let a = 2; a++", "a"], 3)
  .value("const over let", ["let a = 1", "const a = 2", "a"], 2)
  .value("var over const", ["const a = 1", "var a = 2", "a"], 2)
  .value("a function over const", ["const a = 1", "function a() { return 2 }", "a()"], 2)
  .value("const over a function", ["function a() {}", "const a = 2", "a"], 2)
  .value("a class over a function", ["function A() {}", "class A { x = 2 }", "new A().x"], 2)
  .value("a function again", ["function a() { return 1 }", "function a() { return 2 }", "a()"], 2)
  .value("a class again; old instances keep theirs", [
    "class A { v() { return 1 } }; const old = new A()",
    "class A { v() { return 2 } }",
    "[old.v(), new A().v()]"
  ], [1, 2])
  .value("an initialiser may read the older value", ["let a = 1", "let a = a + 1", "a"], 2)
  .value("a name of the runtime may be hidden", ["const URL = 'mine'", "URL"], "mine")
  .test("a hidden name is a variable", async (opened) => {
    await opened.value("const performance = 3")
    if (await opened.variable("performance") === undefined) throw new Error("performance is not listed")
  })
