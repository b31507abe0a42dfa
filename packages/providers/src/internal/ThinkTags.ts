/**
 * Takes inline thinking (`<think>` … `</think>` at the head of an answer) out of a stream of text, however it is cut.
 * Only at the head: further down the tags are text that the model writes about.
 */

export interface ThinkTags {
  /** Calls back in order with what is certain; a possible piece of a tag waits for the next delta. */
  readonly push: (text: string, thought: (text: string) => void, said: (text: string) => void) => void
  readonly end: (thought: (text: string) => void, said: (text: string) => void) => void
}

/** `implied`: the answer begins inside the thinking, as some chat templates put the opening tag into the prompt. */
export const make = (implied: boolean): ThinkTags => {
  let state: "head" | "thinking" | "after" | "said" = implied ? "thinking" : "head"
  let held = ""

  const push: ThinkTags["push"] = (text, thought, said) => {
    if (state === "said") return said(text)
    held += text
    if (state === "head") {
      const head = held.trimStart()
      if (head.startsWith(open)) {
        state = "thinking"
        held = head.slice(open.length)
      } else if (!open.startsWith(head)) {
        state = "said"
      } else {
        return
      }
    }
    if (state === "thinking") {
      const at = held.indexOf(close)
      const certain = at >= 0 ? at : held.length - overlap(held)
      if (certain > 0) thought(held.slice(0, certain))
      held = held.slice(at >= 0 ? at + close.length : certain)
      if (at < 0) return
      state = "after"
    }
    if (state === "after") {
      held = held.trimStart()
      if (held === "") return
      state = "said"
    }
    const rest = held
    held = ""
    if (rest !== "") said(rest)
  }

  return {
    push,
    end: (thought, said) => {
      const rest = held
      held = ""
      if (rest === "" || state === "after") return
      if (state === "thinking") thought(rest)
      else said(rest)
    }
  }
}

const open = "<think>"
const close = "</think>"

/** Length of the longest end of `text` that may be the beginning of the closing tag. */
const overlap = (text: string) => {
  for (let length = Math.min(close.length - 1, text.length); length > 0; length--) {
    if (close.startsWith(text.slice(-length))) return length
  }
  return 0
}
