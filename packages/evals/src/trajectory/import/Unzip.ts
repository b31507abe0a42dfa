/** Reads zip files, as far as logs of Inspect need it: stored, deflated and Zstandard entries. */
import { inflateRawSync, zstdDecompressSync } from "node:zlib"
import { RecordingError } from "../../RecordingError.ts"

/** Contents by name. Throws `RecordingError` for a file that is damaged or cut off. */
export const unzip = (bytes: Uint8Array, file: string): ReadonlyMap<string, Uint8Array> => {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const damaged = (problem: string) =>
    new RecordingError({ file, problem: `is a damaged zip file: ${problem}`, remedy: "Restore the file" })
  const end = data.lastIndexOf(Buffer.from("PK\u0005\u0006"))
  if (end < 0 || end + 22 > data.length) throw damaged("its directory is missing, so it was cut off")
  const entries = new Map<string, Uint8Array>()
  let at = data.readUInt32LE(end + 16)
  for (let n = data.readUInt16LE(end + 10); n > 0; n--) {
    if (at + 46 > data.length || data.readUInt32LE(at) !== 0x02014b50) throw damaged("its directory cannot be read")
    const method = data.readUInt16LE(at + 10)
    const size = data.readUInt32LE(at + 20)
    const [name, extra, comment] = [28, 30, 32].map((offset) => data.readUInt16LE(at + offset)) as [
      number,
      number,
      number
    ]
    const local = data.readUInt32LE(at + 42)
    const title = data.toString("utf8", at + 46, at + 46 + name)
    const from = local + 30 + data.readUInt16LE(local + 26) + data.readUInt16LE(local + 28)
    try {
      entries.set(title, unpack(data.subarray(from, from + size), method))
    } catch (error) {
      throw damaged(`${title}: ${error instanceof Error ? error.message : String(error)}`)
    }
    at += 46 + name + extra + comment
  }
  return entries
}

const unpack = (data: Uint8Array, method: number): Uint8Array => {
  switch (method) {
    case 0:
      return data
    case 8:
      return inflateRawSync(data)
    case 93:
      return zstdDecompressSync(data)
    default:
      throw new Error(`it is packed by method ${method}, which is not known`)
  }
}
