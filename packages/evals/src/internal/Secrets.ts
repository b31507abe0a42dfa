/**
 * Keeps secrets out of files that are committed: what looks like a key, or is one of this process, is found before a
 * recording is written.
 */

/** Where a secret was found. The secret itself is in no message. */
export interface SecretFound {
  /** What it looks like, as in `OpenAI key` or `the value of GITHUB_TOKEN`. */
  readonly kind: string
  /** Of the text, from 0. */
  readonly at: number
}

/** Prefixes that providers give their keys, each with the least of what follows. */
const prefixes: ReadonlyArray<readonly [kind: string, pattern: RegExp]> = [
  ["Anthropic key", /\bsk-ant-[A-Za-z0-9_-]{16,}/],
  ["OpenAI key", /\bsk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{20,}/],
  ["OpenRouter key", /\bsk-or-[A-Za-z0-9_-]{16,}/],
  ["Google key", /\bAIza[A-Za-z0-9_-]{30,}/],
  ["Groq key", /\bgsk_[A-Za-z0-9]{20,}/],
  ["xAI key", /\bxai-[A-Za-z0-9]{20,}/],
  ["Hugging Face token", /\bhf_[A-Za-z0-9]{20,}/],
  ["GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})/],
  ["AWS access key", /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ["Slack token", /\bxox[abprs]-[A-Za-z0-9-]{10,}/],
  ["Stripe key", /\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}/],
  ["private key", /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/],
  ["bearer token", /\b[Bb]earer\s+[A-Za-z0-9._~+/-]{20,}=*/],
  ["key in an address", /[?&](?:key|api_key|apikey|access_token|token)=[A-Za-z0-9._~-]{12,}/],
  ["key in a header", /["']?(?:x-api-key|api-key|x-goog-api-key)["']?\s*[:=]\s*["']?[A-Za-z0-9._~-]{12,}/i]
]

/** What stands where a secret was taken out. */
const redacted = /redacted|removed|scrubbed|filtered|placeholder|example|dummy|fake|mock|xxxx|\*\*\*|test|your[-_]/i

export interface SecretOptions {
  /** Whose values named `*_KEY`, `*_TOKEN` or `*_SECRET` are secrets. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** The first secret in a text, if there is one. Long opaque texts (base64, signatures) are none by themselves. */
export const findSecret = (text: string, options: SecretOptions = {}): SecretFound | undefined => {
  for (const [name, value] of Object.entries(options.env ?? process.env)) {
    if (value === undefined || value.length < 12 || !/_(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name)) continue
    const at = text.indexOf(value)
    if (at >= 0) return { kind: `the value of ${name}`, at }
  }
  for (const [kind, pattern] of prefixes) {
    for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      if (!insideOpaque(text, match.index) && !redacted.test(match[0]) && varied(match[0])) {
        return { kind, at: match.index }
      }
    }
  }
  return undefined
}

/** In the middle of base64, such as encrypted reasoning, anything may look like a prefix. */
const insideOpaque = (text: string, at: number): boolean =>
  /[A-Za-z0-9+/=]{40}$/.test(text.slice(Math.max(0, at - 40), at))

/** A real key has many different characters; `sk-aaaaaaaaaaaaaaaaaaaa` is a stand-in. */
const varied = (text: string): boolean => new Set(text).size >= 10
