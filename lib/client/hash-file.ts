import { sha256 } from '@noble/hashes/sha2'
import { bytesToHex } from '@noble/hashes/utils'

/** Small enough that the page responds in between, large enough that reading is no matter of seconds. */
const SLICE_BYTES = 4 * 1024 * 1024

/**
 * The SHA-256 of a file in hexadecimal, slice by slice: a file of any size, also where the page has no secure context and
 * the browser therefore keeps its own hash to itself. `onProgress` is given the share that is done, 0 to 1.
 */
export async function hashFile(file: Blob, onProgress: (share: number) => void = () => {}): Promise<string> {
  const hash = sha256.create()
  for (let from = 0; from < file.size; from += SLICE_BYTES) {
    hash.update(new Uint8Array(await file.slice(from, from + SLICE_BYTES).arrayBuffer()))
    onProgress(Math.min(1, (from + SLICE_BYTES) / file.size))
  }
  return bytesToHex(hash.digest())
}
