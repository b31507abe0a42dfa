// Placeholder until the real parser lands minutes from now: it takes everything as text.
export type FenceFormat = "fence" | { readonly open: string; readonly close: string }
export type FenceResult =
  | { readonly _tag: "Block"; readonly code: string; readonly text: string }
  | { readonly _tag: "Unterminated"; readonly code: string; readonly text: string }
  | { readonly _tag: "NearMiss"; readonly kind: "no-run" | "wrong-tag" | "tag"; readonly language: string; readonly code: string; readonly text: string }
  | { readonly _tag: "None"; readonly text: string }
export class FenceParser {
  text = ""
  constructor(_format: FenceFormat) {}
  push(delta: string): { readonly text: string; readonly code: string; readonly complete: boolean } { this.text += delta; return { text: delta, code: "", complete: false } }
  end(): { readonly text: string; readonly code: string } { return { text: "", code: "" } }
  get result(): FenceResult { return { _tag: "None", text: this.text } }
}
