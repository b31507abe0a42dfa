/**
 * Says why a request was not found: which recording is nearest to it, and where the two differ.
 */
import type * as Schema from "effect/Schema"
import { type Difference, differenceLine, jsonDiff } from "../internal/JsonDiff.ts"
import type { Cassette, RecordedAnswer } from "./Cassette.ts"
import type { Matching } from "./Matching.ts"
import type { IdentifiedRequest } from "./ModelRequests.ts"

/** One request that found no recording. */
export interface Miss {
  readonly why: "unknown" | "exhausted"
  readonly key: string
  /** Model call of the conversation, from 1. */
  readonly step: number
  /** As in `answer 3 of scripted scripted-1`. */
  readonly nearest: string | undefined
  readonly differences: ReadonlyArray<Difference>
  /** All of it, as text. */
  readonly report: string
}

export const missOf = (
  cassette: Cassette,
  request: IdentifiedRequest,
  why: Miss["why"],
  unused: ReadonlyArray<RecordedAnswer>,
  remedy: string
): Miss => {
  const step = 1 + request.messages.filter(({ value }) => tagOf(value) === "Assistant").length
  const { model = "", provider = "", purpose } = request.head
  const subject = `step ${step} (${purpose ?? "any"}) of ${`${provider} ${model}`.trim() || "any model"}`
  const found = why === "exhausted" ? undefined : nearestOf(cassette, request, unused)
  const differences = found === undefined ? [] : differencesOf(cassette, found, request)
  const number = found === undefined ? 0 : cassette.answers.indexOf(found) + 1
  const nearest = found && `answer ${number} of ${cassette.answers.length}`
  const lines = [
    why === "exhausted"
      ? `${subject} was asked once more than it was recorded: all recordings of this request are used up.`
      : `${subject} was not recorded.`,
    ...(nearest === undefined ? [] : [`The nearest recording is ${nearest}; it differs here:`]),
    ...differences.map((difference) => `  ${differenceLine(difference)}`),
    ...ignored(cassette.matching),
    remedy
  ]
  return { why, key: request.key, step, nearest, differences, report: lines.join("\n") }
}

/** What does not count by declaration is said, so that nobody looks for it. */
export const ignored = ({ ignore, volatile }: Matching): ReadonlyArray<string> => {
  const rules = [...ignore, ...volatile.map(({ path, pattern }) => `${path} (${pattern})`)]
  return rules.length === 0 ? [] : [`Not compared: ${rules.join(", ")}.`]
}

/** Of the same model and purpose, most messages in common, then fewest differences; used ones count less. */
const nearestOf = (
  cassette: Cassette,
  { head, messages }: IdentifiedRequest,
  unused: ReadonlyArray<RecordedAnswer>
): RecordedAnswer | undefined => {
  const own = new Set(messages.map(({ hash }) => hash))
  const free = new Set(unused)
  let best: { readonly answer: RecordedAnswer; readonly score: ReadonlyArray<number> } | undefined
  for (const answer of cassette.answers) {
    const path = pathOf(cassette, answer.request.messages)
    const common = path.filter(({ hash }) => own.has(hash)).length
    const { request } = answer
    const score = [
      Number(request.provider === head.provider && request.model === head.model) +
      Number(request.purpose === head.purpose),
      Number(request.system === head.system),
      common,
      -Math.abs(path.length - messages.length),
      Number(free.has(answer))
    ]
    if (best === undefined || isBetter(score, best.score)) best = { answer, score }
  }
  return best?.answer
}

const isBetter = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): boolean => {
  const at = a.findIndex((value, index) => value !== b[index])
  return at >= 0 && a[at]! > b[at]!
}

const pathOf = (cassette: Cassette, hash: string | undefined) => {
  const path: Array<{ readonly hash: string; readonly value: Schema.Json }> = []
  for (let at = hash; at !== undefined;) {
    const node = cassette.messages.get(at)
    if (node === undefined) break
    path.push({ hash: at, value: node.value })
    at = node.after
  }
  return path.reverse()
}

/** Both requests in full, compared. A recording made from a log knows no system prompt: that is said instead. */
const differencesOf = (
  cassette: Cassette,
  { request }: RecordedAnswer,
  came: IdentifiedRequest
): ReadonlyArray<Difference> => {
  const { actions, messages, system, ...options } = request
  const { actions: _, messages: __, system: ___, ...cameAll } = came.head
  const known = system !== undefined
  const expected = {
    ...options,
    ...(known && { system: cassette.contents.get(system), actions: actions && cassette.contents.get(actions) }),
    messages: pathOf(cassette, messages).map(({ value }) => value)
  }
  const actual = {
    ...(known
      ? cameAll
      : { provider: cameAll.provider, model: cameAll.model, purpose: cameAll.purpose, choice: "unknown" }),
    ...(known && { system: came.system, actions: came.actions }),
    messages: came.messages.map(({ value }) => value)
  }
  const found = jsonDiff(expected, actual, 8)
  return found.length > 0 || known ? found : [{
    path: "$.system, $.actions or $.maxOutputTokens",
    expected: "something else (a session's log does not hold them)",
    came: "this"
  }]
}

const tagOf = (value: Schema.Json): unknown =>
  typeof value === "object" && value !== null && "_tag" in value ? value["_tag"] : undefined
