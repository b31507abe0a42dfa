import { Binding, type Live, Secret, Secrets, Session, SessionStore } from "@daylight/core"
import { Agent } from "@daylight/core"
import { ScriptedModel } from "@daylight/core/testing"
import { VmRuntime } from "@daylight/runtime-vm"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { z } from "zod"
import { ofTag, play, told } from "../support.ts"
import { queued } from "./support.ts"

const value = "sk_live_4242abcdef"
const stripeKey = Binding.secret("stripeKey", () => value)

/** A payment service that wants the key itself. */
const charger = () => {
  const seen: Array<unknown> = []
  const charge = Binding.func((key: string, options: { readonly headers: Record<string, string> }) => {
    seen.push(key, options)
    return `charged with ${key}`
  }, { name: "charge", input: z.tuple([z.string().startsWith("sk_"), z.looseObject({})]) })
  return { seen, charge }
}

const everything = (live: ReadonlyArray<Live>, rest: unknown): string => JSON.stringify([live, rest])

describe("a secret", () => {
  it("reaches the function it is passed to, also within plain data, and nothing else", async () => {
    const { charge, seen } = charger()
    const { events, live, outcome, requests } = await play({
      bindings: [stripeKey, charge],
      script: [
        { code: "await charge(stripeKey, { headers: { authorization: stripeKey } })" },
        {
          code:
            "console.log(stripeKey, String(stripeKey), `${stripeKey}`, JSON.stringify({ stripeKey }), stripeKey + '', Object.values(stripeKey))\n" +
            "const copy = { inner: [stripeKey] }\ncopy"
        },
        "done"
      ]
    })
    assert.strictEqual(outcome.reason, "completed")
    assert.deepEqual(seen, [value, { headers: { authorization: value } }])
    assert.notInclude(everything(live, requests), value)
    assert.include(told(requests[1]), "charged with [secret stripeKey]")
    assert.include(told(requests[2]), "[secret stripeKey]")
    assert.deepEqual(ofTag(events, "CallStarted")[0]!.args, [
      { _tag: "Secret", name: "stripeKey" },
      { _tag: "Json", value: { headers: { authorization: "[secret stripeKey]" } } }
    ])
  })

  it("is kept out of output, errors, variables, prompts, answers and what watches live", async () => {
    const leak = Binding.func(() => value, { name: "leak", effect: "none" })
    const fail = Binding.func(() => {
      throw new Error(`the key ${value} is not valid`)
    }, { name: "fail", effect: "none" })
    const { live, requests } = await play({
      bindings: [stripeKey, leak, fail],
      prompt: `my key is ${value}, is that safe?`,
      script: [
        {
          code: "const mine = leak()\nconsole.log(mine)\nconsole.error(`${mine}`);\n[typeof mine, mine === stripeKey]"
        },
        { code: "fail()" },
        { code: "finish({ mine })" }
      ]
    })
    assert.notInclude(everything(live, requests), value)
    assert.include(told(requests[1]), "[secret stripeKey]")
    assert.include(told(requests[1]), "[ 'object', true ]")
  })

  it("is judged and shown to a person without its value", async () => {
    const { charge, seen } = charger()
    const policed: Array<unknown> = []
    const { agent, queue, run } = queued({
      policy: {
        decide: ({ args }) => {
          policed.push(...args)
          return Effect.succeed({ _tag: "Ask", why: "money" })
        }
      },
      bindings: [stripeKey, charge],
      script: [{ code: "await charge(stripeKey, {})" }, "done"]
    })
    await using _ = agent
    const running = run()
    const { call, key } = await queue.next()
    assert.instanceOf(call.args[0], Secret)
    assert.instanceOf(policed[0], Secret)
    queue.decide(key, {
      _tag: "Allow",
      scope: "once",
      args: [{ _tag: "Secret", name: "stripeKey" }, { _tag: "Json", value: {} }]
    }, "ann")
    await running
    assert.deepEqual(seen, [value, {}])
  })

  it("that a bad argument goes with is not told in the problem", async () => {
    const { charge } = charger()
    const other = Binding.secret("other", () => "not-a-stripe-key")
    const { live, requests } = await play({
      bindings: [other, charge],
      script: [{ code: "await charge(other, { a: 1 })" }, "done"]
    })
    assert.include(told(requests[1]), "invalid arguments")
    assert.notInclude(everything(live, requests), "not-a-stripe-key")
  })

  it("made into something else by the application is beyond what is found: only the exact text is", async () => {
    const leak = Binding.func(() => Buffer.from(value).toString("base64"), { name: "leak", effect: "none" })
    const { requests } = await play({ bindings: [stripeKey, leak], script: [{ code: "leak()" }, "done"] })
    assert.include(told(requests[1]), Buffer.from(value).toString("base64"))
  })

  it("is not in the log of a store", () =>
    Effect.gen(function*() {
      const { charge } = charger()
      const session = yield* Session.open(Agent.make({ name: "agent", bindings: [stripeKey, charge] }))
      yield* session.run(`go with ${value}`)
      const store = yield* SessionStore
      const log: ReadonlyArray<unknown> = yield* Stream.runCollect(store.dump(session.id))
      assert.isAbove(log.length, 5)
      assert.notInclude(JSON.stringify(log), value)
    }).pipe(
      Effect.scoped,
      Effect.provide([
        ScriptedModel.layer([{ code: "await charge(stripeKey, {})" }, "done"]),
        VmRuntime.layer,
        SessionStore.layerMemory
      ]),
      Effect.runPromise
    ))
})

describe("where secrets come from", () => {
  const found = (secrets: Secrets, name: string) => Effect.runPromise(secrets.get(name))

  it("the environment, by name and in capitals", async () => {
    const env = { STRIPE_KEY: "a", plain: "b", MY_TOKEN: "c" }
    assert.strictEqual(await found(Secrets.environment({ env }), "stripeKey"), "a")
    assert.strictEqual(await found(Secrets.environment({ env }), "plain"), "b")
    assert.strictEqual(await found(Secrets.environment({ env, prefix: "MY_" }), "token"), "c")
    assert.isUndefined(await found(Secrets.environment({ env }), "other"))
  })

  it("a file of lines or of JSON, functions, and the first that knows", async () => {
    const folder = mkdtempSync(join(tmpdir(), "secrets-"))
    const lines = join(folder, "a.env")
    const json = join(folder, "b.json")
    writeFileSync(lines, '# keys\nexport STRIPE_KEY="sk 1"\nother = two \n')
    writeFileSync(json, '{ "token": "three" }')
    assert.strictEqual(await found(Secrets.file(lines), "stripeKey"), "sk 1")
    assert.strictEqual(await found(Secrets.file(lines), "other"), "two")
    assert.strictEqual(await found(Secrets.file(json), "token"), "three")
    const all = Secrets.firstOf(Secrets.file(lines), Secrets.from(async (name) => `made ${name}`))
    assert.strictEqual(await found(all, "other"), "two")
    assert.strictEqual(await found(all, "missing"), "made missing")
    const error = await found(Secrets.file(join(folder, "none")), "x").catch((error) => error)
    assert.include(error.message, "secrets file")
  })

  it("one that has no value, or too short a one, is named when the session opens", async () => {
    const open = (binding: Binding, env: Record<string, string>) =>
      play({ bindings: [binding], services: Layer.succeed(Secrets, Secrets.environment({ env })), script: ["ok"] })
    const missing = await open(Binding.secret("apiKey"), {}).catch((error) => error)
    assert.include(missing.message, "secret apiKey: has no value")
    const short = await open(Binding.secret("pin"), { PIN: "1234" }).catch((error) => error)
    assert.include(short.message, "fewer than 6 characters")
    assert.strictEqual((await open(Binding.secret("apiKey"), { API_KEY: "long enough" })).outcome.reason, "completed")
  })
})
