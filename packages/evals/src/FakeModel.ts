/**
 * A model that answers by rules instead of a script: whoever asks, in whatever order. For suites in which several
 * agents share a model, or in which it does not matter how often something is asked.
 */
import { Model, ModelError, type ModelRequest, type Purpose } from "@daylight/core"
import { type Reply, ScriptedModel, type ScriptOptions } from "@daylight/core/testing"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"

/** All that is given has to hold. A text is looked for as it is, upper and lower case alike. */
export interface Matcher {
  /** In the last message of the user. */
  readonly prompt?: string | RegExp | undefined
  /** In the system prompt. */
  readonly system?: string | RegExp | undefined
  /** In the last message, if it is what actions gave. */
  readonly result?: string | RegExp | undefined
  /** Answers of the model so far: 0 is the first call of a conversation. */
  readonly step?: number | undefined
  readonly purpose?: Purpose | undefined
  /** Anything else. */
  readonly where?: ((request: ModelRequest) => boolean) | undefined
}

export interface FakeRule {
  readonly when: Matcher
  readonly reply: Reply | ((request: ModelRequest) => Reply)
  /** How often it may be used. Default: always. */
  readonly times?: number | undefined
}

/** The first rule that fits answers; where none does the call fails, and says what it was asked. */
const layer = (rules: ReadonlyArray<FakeRule>, options: ScriptOptions = {}): Layer.Layer<Model> =>
  Layer.sync(Model, () => {
    const used = rules.map(() => 0)
    const chosen: Array<FakeRule["reply"]> = []
    const speaking = ScriptedModel.make((request, index) => {
      const reply = chosen[index]!
      return typeof reply === "function" ? reply(request) : reply
    }, options)
    return Model.of({
      info: speaking.info,
      stream: (request) =>
        Stream.suspend(() => {
          const at = rules.findIndex(({ times = Infinity, when }, index) =>
            used[index]! < times && matches(when, request)
          )
          if (at < 0) return Stream.fail(unanswered(speaking.info, rules, used, request))
          used[at]!++
          chosen.push(rules[at]!.reply)
          return speaking.stream(request)
        })
    })
  })

const matches = ({ prompt, purpose, result, step, system, where }: Matcher, request: ModelRequest): boolean =>
  (purpose === undefined || purpose === request.purpose) &&
  (step === undefined || step === stepOf(request)) &&
  has(prompt, promptOf(request)) && has(system, request.system) && has(result, resultOf(request)) &&
  (where === undefined || where(request))

const has = (wanted: string | RegExp | undefined, text: string): boolean => {
  if (wanted === undefined) return true
  return typeof wanted === "string" ? text.toLowerCase().includes(wanted.toLowerCase()) : new RegExp(wanted).test(text)
}

const stepOf = ({ messages }: ModelRequest): number => messages.filter(({ _tag }) => _tag === "Assistant").length

const promptOf = ({ messages }: ModelRequest): string => {
  const last = messages.findLast((message) => message._tag === "User")
  return last?._tag === "User" ? last.content.map((part) => part._tag === "Text" ? part.text : "").join("\n") : ""
}

const resultOf = ({ messages }: ModelRequest): string => {
  const last = messages.at(-1)
  if (last?._tag !== "Result") return ""
  return last.content.flatMap(({ content }) => content.map((part) => part._tag === "Text" ? part.text : "")).join("\n")
}

const unanswered = (
  { model, provider }: Model["Service"]["info"],
  rules: ReadonlyArray<FakeRule>,
  used: ReadonlyArray<number>,
  request: ModelRequest
): ModelError => {
  const spent = rules.filter(({ times = Infinity }, index) => used[index]! >= times).length
  const detail = `none of ${rules.length} rules fits${
    spent === 0 ? "" : ` (${spent} used up)`
  }: ${request.purpose}, step ${stepOf(request)}, prompt ${
    JSON.stringify(promptOf(request).slice(0, 200))
  }. Add a rule.`
  return new ModelError({ provider, model, reason: { _tag: "NotRecorded", detail } })
}

/**
 * ```ts
 * import { createAgent } from "@daylight/core/promise"
 * import { FakeModel } from "@daylight/evals"
 * import { VmRuntime } from "@daylight/runtime-vm"
 *
 * const model = FakeModel.layer([
 *   { when: { prompt: "sum", step: 0 }, reply: { code: "6 + 7" } },
 *   { when: { result: /13/ }, reply: "It is 13." }
 * ])
 * await using agent = createAgent({ name: "adder", model, runtime: VmRuntime.layer })
 * await agent.ask("What is the sum?") // => "It is 13."
 * ```
 */
export const FakeModel = { layer }
