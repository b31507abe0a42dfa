import { type CellProblem, type ParsedCell, Platform, Security, type SecurityRule } from "@daylight/core"
import { parseCell } from "@daylight/core/syntax"
import * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { ofTag, play, told } from "../support.ts"

const parsed = (code: string): ParsedCell => {
  const cell = parseCell(code, Platform.defaultValue().strip)
  if ("stage" in cell) assert.fail(`${cell.message} in: ${code}`)
  return cell
}

const check = (rules: ReadonlyArray<SecurityRule>, code: string, bound: ReadonlyArray<string> = ["db"]) =>
  Security.make(rules).check(parsed(code), new Set(bound))

const texts = (problems: ReadonlyArray<CellProblem>) => problems.map(({ message }) => message)

describe("rules of one's own", () => {
  const noDrop: SecurityRule = { _tag: "Call", paths: ["db.drop*"], instead: "Ask first." }

  it("a function by its path, however it is reached, each place once", () => {
    for (
      const code of [
        "db.drop()",
        "db?.drop()",
        'db["dr" + "op"]()',
        "const d = db; d.drop()",
        "const { drop } = db; drop()",
        "const { drop: away } = db; away()",
        "const away = db.drop; away()",
        "db.drop.call(db)",
        "rows.forEach(db.drop)",
        "new db.dropper()",
        "(0, db.drop)()",
        "await db.dropAll()"
      ]
    ) assert.deepEqual(texts(check([noDrop], code)).length, 1, code)
  })

  it("leaves what merely has the same name alone", () => {
    for (
      const code of ["cart.drop()", "const drop = 1; drop", "function f(db) { db.drop() }", "({ drop: 1 })", "db.dip()"]
    ) {
      assert.deepEqual(check([noDrop], code), [], code)
    }
  })

  it("say rule, line, column and what to do instead", () => {
    const [problem] = check([{ ...noDrop, name: "NoDrop" }], "const a = 1\n  db.drop(a)")
    assert.deepInclude(problem, {
      stage: "security",
      name: "SecurityViolation",
      message: "'db.drop' may not be called (rule NoDrop)",
      line: 2,
      column: 3,
      hint: "Ask first."
    })
  })

  it("imports by glob, with exceptions", () => {
    const rules: ReadonlyArray<SecurityRule> = [{ _tag: "Import", modules: ["**"], except: ["lodash", "node:path"] }]
    assert.deepEqual(check(rules, 'import _ from "lodash"\nimport { join } from "node:path"'), [])
    assert.lengthOf(check(rules, 'import a from "lodash/fp"\nimport b from "node:fs"'), 2)
  })

  it("a pattern over the whole text, once, also beside an expression of 2,000 terms", () => {
    const rule: SecurityRule = { _tag: "Pattern", pattern: /password/gi }
    const long = Array.from({ length: 2_000 }, (_, i) => i).join(" + ")
    assert.lengthOf(check([rule], `// Password\nconst sum = ${long}\nconst password = 1`), 1)
    assert.deepEqual(check([rule], long), [])
  })

  it("all that are broken are reported, in the order of the text", () => {
    const problems = Security.standard.check(parsed('process.exit()\neval("1")\nimport "node:fs"'), new Set())
    assert.deepEqual(problems.map(({ line }) => line), [1, 2, 3])
  })

  it("any check; one that throws forbids the cell", () => {
    const custom = (check: Extract<SecurityRule, { _tag: "Custom" }>["check"]): SecurityRule => ({
      _tag: "Custom",
      name: "Mine",
      check
    })
    assert.deepEqual(texts(check([custom(({ names }) => names.has("x") ? [{ what: "no x" }] : [])], "let x = 1")), [
      "no x (rule Mine)"
    ])
    const failing = custom(() => {
      throw new Error("a bug")
    })
    assert.deepEqual(texts(check([failing], "1")), ["the rule failed: a bug (rule Mine)"])
  })

  it("do not follow what a variable is made of for ever", () => {
    const grows = 'let k = "a"\n' + "k = k + k + k\n".repeat(200) + "db[k]()"
    const started = performance.now()
    assert.deepEqual(Security.standard.check(parsed(grows), new Set(["db"])), [])
    assert.isBelow(performance.now() - started, 1_000)
  })
})

describe("presets", () => {
  const names = (security: Security, code: string) => texts(security.check(parsed(code), new Set(["rows"]))).length

  it("strict forbids reflection, imports and computed calls as well", () => {
    for (
      const code of [
        "Reflect.ownKeys(rows)",
        "new Proxy(rows, {})",
        "rows[0].constructor.name",
        "Object.getPrototypeOf(rows)",
        'import path from "node:path"',
        "rows[rows[0]]()",
        "add instanceof Function",
        "import.meta.url"
      ]
    ) {
      assert.isAtLeast(names(Security.strict, code), 1, code)
      assert.strictEqual(names(Security.standard, code), 0, code)
    }
    assert.strictEqual(names(Security.strict, "rows.map((row, i) => rows[i].amount).sort()"), 0)
  })

  it("standard can be relaxed by name, and none is none", () => {
    const granted = Security.make([{
      _tag: "Preset",
      name: "standard",
      except: { imports: ["node:fs"], globals: ["process"] }
    }])
    assert.strictEqual(names(granted, 'import "node:fs"; process.pid'), 0)
    assert.strictEqual(names(granted, 'import "node:net"'), 1)
    assert.strictEqual(names(Security.none, 'eval("1")'), 0)
  })
})

describe("in a session", () => {
  it("a forbidden cell is not run, and the model is told what to do instead", async () => {
    const { events, requests } = await play({
      bindings: [],
      script: [{ code: "globalThis.ran = true\nprocess.exit(1)\neval('1')" }, { code: "typeof ran" }, "ok"]
    })
    const text = told(requests[1])
    assert.include(
      text,
      "[security error] SecurityViolation: 'process' may not be used (rule Global) (line 2, column 1)"
    )
    assert.include(text, "line 3, column 1: 'eval' makes code from text")
    assert.include(text, "Use what the application has bound")
    assert.include(told(requests[2]), "undefined")
    assert.strictEqual(ofTag(events, "CellEnded")[0]!.report.problem?.stage, "security")
  })

  it("a syntax error is told as one", async () => {
    const { requests } = await play({ bindings: [], script: [{ code: "const = eval(" }, "ok"] })
    assert.include(told(requests[1]), "[syntax error]")
    assert.notInclude(told(requests[1]), "security")
  })

  it("a name that an earlier cell declared is the cell's own", async () => {
    const { requests } = await play({
      bindings: [],
      script: [{ code: "const process = (x) => x + 1" }, { code: "process(41)" }, "ok"]
    })
    assert.include(told(requests[2]), "42")
  })

  it("rules that fail as a whole forbid", async () => {
    const failing: Security = {
      check: () => {
        throw new Error("a bug")
      }
    }
    const { requests } = await play({
      bindings: [],
      services: Layer.succeed(Security, failing),
      script: [{ code: "1 + 1" }, "ok"]
    })
    assert.include(told(requests[1]), "the rules failed: a bug")
  })
})
