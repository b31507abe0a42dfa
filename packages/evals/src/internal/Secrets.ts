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

/** A header in a text, in JSON, or in JSON that stands in JSON. */
const header = (name: string, value: string): RegExp => {
  const quote = `(?:\\\\*["'])?`
  return new RegExp(`\\b${name}${quote}\\s*[:=,]\\s*\\[?${quote}${value}`, "i")
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
  ["key in a header", header("(?:x-api-key|api-key|x-goog-api-key)", "[A-Za-z0-9._~-]{12,}")],
  ["password in a header", header("(?:proxy-)?authorization", "basic\\s+[A-Za-z0-9+/]{8,}=*")],
  ["cookie", header("(?:set-)?cookie", "[\\w-]+=[A-Za-z0-9._~%+/-]{16,}")]
]

/** What stands where a secret was taken out. */
const redacted = /redacted|removed|scrubbed|filtered|placeholder|example|dummy|fake|mock|xxxx|\*\*\*|test|your[-_]/i

export interface SecretOptions {
  /** Whose values named `*_KEY`, `*_TOKEN` or `*_SECRET` are secrets. Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
  /** What looks like a secret and is known to be none, such as a public key of a web page. */
  readonly allow?: ReadonlyArray<RegExp> | undefined
}

/** The first secret in a text, if there is one. Long opaque texts (base64, signatures) are none by themselves. */
export const findSecret = (text: string, options: SecretOptions = {}): SecretFound | undefined => {
  for (const [name, value] of Object.entries(options.env ?? process.env)) {
    if (value === undefined || value.length < 12 || !/_(?:KEY|TOKEN|SECRET|PASSWORD)$/.test(name)) continue
    // As it is, and as it stands in JSON: a private key has several lines.
    for (const form of new Set([value, JSON.stringify(value).slice(1, -1)])) {
      const at = text.indexOf(form)
      if (at >= 0) return { kind: `the value of ${name}`, at }
    }
  }
  for (const [kind, pattern] of prefixes) {
    for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      const found = !insideOpaque(text, match.index) && !redacted.test(match[0]) && varied(match[0])
      if (found && !isAllowed(match[0], options)) {
        return { kind, at: match.index }
      }
    }
  }
  return named(text, options)
}

const isAllowed = (text: string, { allow = [] }: SecretOptions): boolean => allow.some((pattern) => pattern.test(text))

/** A value whose name says what it is, and which looks made by chance. */
const assigned =
  /(?:password|passwd|secret|(?:access|auth|bearer|refresh)[_-]?token|api[_-]?key)\\?["']?\s*[:=]\s*\\?["']([A-Za-z0-9+/_=-]{20,200})\\?["']/gi

const named = (text: string, options: SecretOptions): SecretFound | undefined => {
  for (const match of text.matchAll(assigned)) {
    const value = match[1]!
    if (
      entropy(value) >= 3.8 && /\d.*\d.*\d/.test(value) && /[A-Za-z]/.test(value) && !redacted.test(match[0]) &&
      !isAllowed(match[0], options)
    ) {
      return { kind: "a secret by its name", at: match.index }
    }
  }
  return undefined
}

/** Bits for each character: prose and names have less than what chance made. */
const entropy = (text: string): number => {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}

/** In the middle of base64 of either alphabet, such as encrypted reasoning, anything may look like a prefix. */
const insideOpaque = (text: string, at: number): boolean =>
  /[A-Za-z0-9+/=_-]{40}$/.test(text.slice(Math.max(0, at - 40), at))

/** A real key has many different characters; `sk-aaaaaaaaaaaaaaaaaaaa` is a stand-in. */
const varied = (text: string): boolean => new Set(text).size >= 10
