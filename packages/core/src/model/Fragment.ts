/**
 * What has arrived of one answer: enough to ask for the rest of it, and to tell it again after a later attempt was
 * void.
 */
import type { Message } from "../Message.ts"
import type { ModelPart } from "../Model.ts"

type Content = (typeof Message.cases.Assistant.Type)["content"][number]
type Opaque = Extract<Content, { _tag: "Reasoning" }>["opaque"]

export class Fragment {
  /** Text of the whole answer so far. */
  text = ""
  /** Actions that are complete. */
  actions = 0
  /** Something has streamed, if only thoughts. */
  begun = false
  #content: Array<Content> = []
  #said = ""
  #thought = ""

  push(part: ModelPart): void {
    switch (part._tag) {
      case "TextDelta":
        if (part.text === "") return
        this.begun = true
        this.text += part.text
        this.#said += part.text
        return
      case "ReasoningDelta":
        this.begun = true
        this.#closeText()
        this.#thought += part.text
        return
      case "ReasoningEnd":
        this.#closeText()
        this.#closeThought(part.opaque)
        return
      case "ActionStart":
        this.begun = true
        this.#closeText()
        return
      case "ActionEnd":
        this.actions++
    }
  }

  /** A thought that was cut is dropped: without its end a provider would not take it back. */
  cut(): void {
    this.#thought = ""
  }

  /** As a message to hand back; empty where only cut thoughts arrived. */
  content(): ReadonlyArray<Content> {
    return this.#said === "" ? this.#content : [...this.#content, { _tag: "Text", text: this.#said }]
  }

  /** The parts that tell all this again. */
  retold(): Array<ModelPart> {
    return this.content().flatMap((part): Array<ModelPart> => {
      if (part._tag === "Text") return [{ _tag: "TextDelta", text: part.text }]
      if (part._tag !== "Reasoning") return []
      const end: ModelPart = part.opaque === undefined
        ? { _tag: "ReasoningEnd" }
        : { _tag: "ReasoningEnd", opaque: part.opaque }
      return part.text === "" ? [end] : [{ _tag: "ReasoningDelta", text: part.text }, end]
    })
  }

  copy(): Fragment {
    const copy = new Fragment()
    copy.text = this.text
    copy.#content = [...this.#content]
    copy.#said = this.#said
    return copy
  }

  #closeText(): void {
    if (this.#said === "") return
    this.#content.push({ _tag: "Text", text: this.#said })
    this.#said = ""
  }

  #closeThought(opaque: Opaque): void {
    if (this.#thought === "" && opaque === undefined) return
    this.#content.push({ _tag: "Reasoning", text: this.#thought, ...(opaque === undefined ? undefined : { opaque }) })
    this.#thought = ""
  }
}
