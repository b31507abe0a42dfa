import { assert, describe, it } from "@effect/vitest"
import { OpenAi } from "@daylight/providers/openai"
import * as Effect from "effect/Effect"
import { classify } from "../../src/internal/Classify.ts"
import { loopback } from "../support/Loopback.ts"
import { answer } from "../support/Requests.ts"

const tag = (thrown: unknown) => classify(thrown, 0)._tag
const caused = (message: string, code: string, name = "Error") =>
  Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error(message), { code, name }) })

describe("classify", () => {
  it("tells what never reached a server apart by the cause", () => {
    assert.strictEqual(tag(caused("connect ECONNREFUSED 127.0.0.1:1", "ECONNREFUSED")), "Connection")
    assert.strictEqual(tag(caused("getaddrinfo ENOTFOUND nowhere", "ENOTFOUND")), "Connection")
    assert.strictEqual(tag(caused("other side closed", "UND_ERR_SOCKET", "SocketError")), "Connection")
    assert.strictEqual(tag(caused("Headers Timeout Error", "UND_ERR_HEADERS_TIMEOUT")), "Timeout")
    assert.strictEqual(tag(caused("Body Timeout Error", "UND_ERR_BODY_TIMEOUT")), "Timeout")
    assert.strictEqual(tag(caused("certificate has expired", "CERT_HAS_EXPIRED")), "Unknown")
    assert.strictEqual(tag(caused("self-signed certificate", "DEPTH_ZERO_SELF_SIGNED_CERT")), "Unknown")
    assert.strictEqual(tag(caused("Invalid URL", "ERR_INVALID_URL")), "InvalidRequest")
  })

  it.live("says which server is not there, and not that a fetch failed", () =>
    Effect.gen(function*() {
      const { url } = yield* Effect.scoped(loopback(() => {}))
      for (const baseUrl of [url, url.replace("127.0.0.1", "localhost")]) {
        const { error } = yield* answer(yield* OpenAi.make({ model: "m", baseUrl }))
        assert.strictEqual(error?.reason._tag, "Connection")
        assert.match(error?.reason.detail ?? "", /^connect ECONNREFUSED \S+:\d+$/)
      }
    }))

  it("takes no slip of a program for a lost connection", () => {
    assert.strictEqual(tag(new TypeError("connection is not a function")), "Unknown")
    assert.strictEqual(tag(new ReferenceError("socket is not defined")), "Unknown")
    assert.strictEqual(tag(new Error("the connection was lost")), "Connection")
    assert.strictEqual(tag(new Error("something else")), "Unknown")
  })

  it("has an answer to everything that can be thrown", () => {
    const loop: { cause?: unknown } = {}
    loop.cause = loop
    for (
      const thrown of [
        undefined,
        null,
        0,
        "",
        "text",
        {},
        [],
        loop,
        { error: null },
        { status: "teapot" },
        Symbol("x"),
        () => {}
      ]
    ) {
      assert.isString(tag(thrown))
    }
  })

  it("reads tokens and window where they are told", () => {
    const overflow = (message: string) => {
      const failure = classify({ status: 400, error: { message } }, 0)
      return failure._tag === "ContextOverflow" ? [failure.tokens, failure.window] : failure._tag
    }
    assert.deepStrictEqual(overflow("prompt is too long: 210000 tokens > 200000 maximum"), [210_000, 200_000])
    assert.deepStrictEqual(
      overflow(
        "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens."
      ),
      [130_000, 128_000]
    )
    assert.deepStrictEqual(
      overflow("The input token count (1200000) exceeds the maximum number of tokens allowed (1048576)."),
      [1_200_000, 1_048_576]
    )
    assert.deepStrictEqual(
      overflow("Prompt contains 40000 tokens, too large for model with 32768 maximum context length"),
      [40_000, 32_768]
    )
    assert.deepStrictEqual(
      overflow("This model's maximum prompt length is 131072 but the request contains 200000 tokens."),
      [200_000, 131_072]
    )
    assert.deepStrictEqual(overflow("the request exceeds the available context size"), [undefined, undefined])
  })

  it("keeps a page of HTML to its words, and to a length that can be read", () => {
    const page = classify({
      status: 503,
      error: `<html><head><style>p{}</style></head><body><p>down</p>${"x".repeat(5_000)}</body></html>`
    }, 0)
    assert.isTrue(page.detail.startsWith("down"))
    assert.isAtMost(page.detail.length, 1_000)
  })
})
