import type * as Schema from "effect/Schema"
import { type FenceFormat, FenceParser, type FenceResult } from "../action/FenceParser.ts"
import type { Action, Message } from "../Message.ts"
import type { FinishReason, ModelPart } from "../Model.ts"
import type { Tokenizer } from "../Tokenizer.ts"
import { noUsage, type Usage } from "../Usage.ts"
import { CodeDeltas } from "./CodeDeltas.ts"

type AssistantMessage = typeof Message.cases.Assistant.Type
type Content = AssistantMessage["content"][number]
type Show = (tag: "TextDelta" | "ReasoningDelta" | "CodeDelta", text: string) => void

/**
 * Folds the parts of one streamed answer into a message. Synchronous, since it sees every delta. A second `Start` (a
 * retry, a fallback) voids all that came before it.
 */
export class Answer {
  finish: FinishReason = "unknown"
  /** Set when the answer has ended. */
  spent: Usage = noUsage
  /** Arguments of actions that are not valid JSON: what was wrong, by the action's id. */
  readonly malformed = new Map<string, string>()
  readonly #show: Show
  readonly #makeFence: (() => FenceParser) | undefined
  /** How a block begins in the text. */
  readonly #opening: string
  readonly #drain: number
  readonly #tokenizer: Tokenizer
  #content: Array<Content> = []
  #actions: Array<Action> = []
  #text = ""
  #pendingText = ""
  #reasoning = ""
  #open: { readonly id: string; readonly name: string; json: string; readonly code: CodeDeltas } | undefined
  #fence: FenceParser | undefined
  #complete = false
  #drained = 0
  #usage: Usage | undefined
  #opaque: AssistantMessage["opaque"]

  /** `drain`: tokens that are read on after the first complete block, for the usage that comes last. */
  constructor(
    options: {
      readonly show: Show
      readonly fence: FenceFormat | undefined
      readonly drain: number
      readonly tokenizer: Tokenizer
    }
  ) {
    this.#show = options.show
    const { fence } = options
    this.#makeFence = fence === undefined ? undefined : () => new FenceParser(fence)
    this.#opening = typeof fence === "object" ? fence.open : "```ts run"
    this.#fence = this.#makeFence?.()
    this.#drain = options.drain
    this.#tokenizer = options.tokenizer
  }

  /** All text of the answer so far. */
  get text(): string {
    return this.#text
  }

  /** Something has arrived. */
  get begun(): boolean {
    return this.#text !== "" || this.#reasoning !== "" || this.#content.length > 0 || this.#open !== undefined
  }

  get actions(): ReadonlyArray<Action> {
    return this.#actions
  }

  /** The first block is complete: nothing that follows belongs to the answer. */
  get complete(): boolean {
    return this.#complete
  }

  get fence(): FenceResult | undefined {
    return this.#fence?.result
  }

  /** Takes one part and tells whether enough was read. */
  push(part: ModelPart): boolean {
    switch (part._tag) {
      case "Start":
        this.#reset()
        break
      case "TextDelta":
        return this.#pushText(part.text)
      case "ReasoningDelta":
        this.#closeText()
        this.#reasoning += part.text
        this.#show("ReasoningDelta", part.text)
        break
      case "ReasoningEnd":
        this.#closeReasoning(part.opaque)
        break
      case "ActionStart":
        this.#closeReasoning()
        this.#closeText()
        this.#open = { id: part.id, name: part.name, json: "", code: new CodeDeltas() }
        break
      case "ActionDelta":
        this.#pushAction(part.json)
        break
      case "ActionEnd":
        this.#closeAction()
        break
      case "Usage":
        this.#usage = part.usage
        break
      case "Finish":
        this.finish = part.reason
        this.#opaque = part.opaque
        return true
    }
    return false
  }

  /** Closes what is open. `id` names a fenced block, which has no id of its own. */
  end(id: string): AssistantMessage {
    this.#closeReasoning()
    if (this.#fence !== undefined) this.#closeFence(this.#fence, id)
    this.#closeText()
    return { _tag: "Assistant", content: this.#content, ...(this.#opaque && { opaque: this.#opaque }) }
  }

  /** What the provider reported, or an estimate: `input` tokens are the caller's to know. */
  usage(input: () => number): Usage {
    if (this.#usage !== undefined) return this.#usage
    const reasoning = this.#content.reduce(
      (sum, part) => part._tag === "Reasoning" ? sum + this.#tokenizer.count(part.text) : sum,
      0
    )
    const code = this.#actions.reduce((sum, action) => sum + this.#tokenizer.count(JSON.stringify(action.input)), 0)
    return {
      input: input(),
      output: this.#tokenizer.count(this.#text) + code + reasoning,
      cacheRead: 0,
      cacheWrite: 0,
      reasoning,
      estimated: true
    }
  }

  #reset(): void {
    this.#content = []
    this.#actions = []
    this.#text = this.#pendingText = this.#reasoning = ""
    this.#open = undefined
    this.#complete = false
    this.#drained = 0
    this.#fence = this.#makeFence?.()
    this.malformed.clear()
  }

  #pushText(text: string): boolean {
    if (this.#complete) {
      this.#drained += this.#tokenizer.count(text)
      return this.#drained > this.#drain
    }
    if (this.#fence === undefined) {
      if (this.#reasoning !== "") this.#closeReasoning()
      this.#addText(text)
      return false
    }
    const shown = this.#fence.push(text)
    this.#addText(shown.text)
    if (shown.code !== "") this.#show("CodeDelta", shown.code)
    this.#complete = shown.complete
    return false
  }

  #addText(text: string): void {
    if (text === "") return
    this.#text += text
    this.#pendingText += text
    this.#show("TextDelta", text)
  }

  #pushAction(json: string): void {
    if (this.#open === undefined) return
    this.#open.json += json
    const code = this.#open.code.push(json)
    if (code !== "") this.#show("CodeDelta", code)
  }

  #closeAction(): void {
    const open = this.#open
    if (open === undefined) return
    this.#open = undefined
    let input: Schema.Json = {}
    try {
      if (open.json !== "") input = JSON.parse(open.json)
    } catch (error) {
      input = open.json
      this.malformed.set(open.id, (error as SyntaxError).message)
    }
    this.#addAction({ _tag: "Action", id: open.id, name: open.name, input })
  }

  #addAction(action: Action): void {
    this.#content.push(action)
    this.#actions.push(action)
  }

  #closeFence(fence: FenceParser, id: string): void {
    const rest = fence.end()
    this.#addText(rest.text)
    if (rest.code !== "") this.#show("CodeDelta", rest.code)
    const { result } = fence
    if (result._tag === "Block") {
      this.#closeText()
      this.#addAction({ _tag: "Action", id, name: "run", input: { code: result.code.replace(/\r?\n$/, "") } })
      this.finish = "action"
    } else if (result._tag === "Unterminated") {
      // It was shown as code; as a piece of the conversation it is text.
      const piece = `${this.#opening}\n${result.code}`
      this.#text += piece
      this.#pendingText += piece
    }
  }

  #closeText(): void {
    if (this.#pendingText === "") return
    this.#content.push({ _tag: "Text", text: this.#pendingText.toWellFormed() })
    this.#pendingText = ""
  }

  #closeReasoning(opaque?: Readonly<Record<string, Schema.Json>>): void {
    if (this.#reasoning === "" && opaque === undefined) return
    this.#content.push({ _tag: "Reasoning", text: this.#reasoning, ...(opaque && { opaque }) })
    this.#reasoning = ""
  }
}
