/**
 * Reads a large trajectory without holding its text: one step at a time is cut out of the file and parsed, and what is
 * around the steps at the end.
 */
import { open } from "node:fs/promises"

/** Bytes that are read at a time, always into the same memory. */
const chunkSize = 1 << 18

/**
 * Gives one step after the other, and at the end the document around them. Throws `DamagedDocument` where it is none.
 */
export async function* readSteps(file: string): AsyncGenerator<unknown, unknown, undefined> {
  const scanner = new Scanner()
  const chunk = Buffer.allocUnsafe(chunkSize)
  await using handle = await open(file)
  for (;;) {
    const { bytesRead } = await handle.read(chunk, 0, chunkSize)
    if (bytesRead === 0) return scanner.end()
    yield* scanner.take(chunk.subarray(0, bytesRead))
  }
}

/** The whole document. Rejects with `DamagedDocument`. */
export const readDocument = async (file: string): Promise<unknown> => {
  const steps: Array<unknown> = []
  const reading = readSteps(file)
  for (;;) {
    const { done, value } = await reading.next()
    if (done !== true) steps.push(value)
    else return steps.length === 0 ? value : { ...value as object, steps }
  }
}

/** A `SyntaxError` with the line at which the piece that cannot be parsed begins. */
export class DamagedDocument extends SyntaxError {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

const quote = 0x22
const backslash = 0x5c
const newline = 0x0a
const comma = 0x2c
const colon = 0x3a
const opening = (byte: number): boolean => byte === 0x7b || byte === 0x5b
const closing = (byte: number): boolean => byte === 0x7d || byte === 0x5d

/** Knows strings, depth, and when it is inside of the `steps` of the root. */
class Scanner {
  #steps: Array<unknown> = []
  /** What is around the steps, and the step that has begun. */
  readonly #around: Array<Buffer> = []
  #step: Array<Buffer> = []
  #depth = 0
  #inString = false
  #escaped = false
  #inSteps = false
  #line = 1
  #stepLine = 1
  /** The last string of depth 1, as far as it may be the key `steps`. */
  #key = ""
  #isKey = false

  /** Gives the steps that are complete now. */
  take(chunk: Buffer): ReadonlyArray<unknown> {
    this.#steps = []
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at]!
      if (byte === newline) this.#line++
      if (this.#inString) {
        this.#string(byte)
        continue
      }
      if (byte === quote) {
        this.#inString = true
        if (this.#depth === 1) this.#key = ""
      } else if (opening(byte)) {
        if (this.#inSteps && this.#depth === 2) {
          this.#keep(chunk.subarray(from, at))
          from = at
          this.#stepLine = this.#line
        }
        this.#depth++
        if (this.#depth === 2 && this.#isKey && byte === 0x5b) this.#inSteps = true
      } else if (closing(byte)) {
        this.#depth--
        if (this.#inSteps && this.#depth === 2) {
          this.#step.push(chunk.subarray(from, at + 1))
          from = at + 1
          this.#parseStep()
        } else if (this.#depth === 1) this.#inSteps = false
      } else if (byte === comma) {
        // Between steps nothing is kept: the list of what is around stays an empty one.
        if (this.#inSteps && this.#depth === 2) {
          this.#keep(chunk.subarray(from, at))
          from = at + 1
        }
        if (this.#depth === 1) this.#isKey = false
      } else if (byte === colon && this.#depth === 1) this.#isKey = this.#key === "steps"
    }
    const rest = chunk.subarray(from)
    if (this.#inSteps && this.#depth > 2) this.#step.push(Buffer.from(rest))
    else this.#keep(rest)
    return this.#steps
  }

  end(): unknown {
    if (this.#depth !== 0 || this.#inString) throw new DamagedDocument("the file was cut off", this.#line)
    return parse(this.#around, 1)
  }

  /** A copy: the chunk is read into again. */
  #keep(piece: Buffer): void {
    if (piece.length > 0) this.#around.push(Buffer.from(piece))
  }

  #string(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === backslash) this.#escaped = true
    else if (byte === quote) this.#inString = false
    else if (this.#depth === 1 && this.#key.length < 6) this.#key += String.fromCharCode(byte)
  }

  #parseStep(): void {
    this.#steps.push(parse(this.#step, this.#stepLine))
    this.#step = []
  }
}

const parse = (pieces: ReadonlyArray<Buffer>, line: number): unknown => {
  try {
    const [first] = pieces
    return JSON.parse((pieces.length === 1 ? first! : Buffer.concat(pieces)).toString("utf8"))
  } catch (error) {
    throw new DamagedDocument(error instanceof Error ? error.message : String(error), line)
  }
}
