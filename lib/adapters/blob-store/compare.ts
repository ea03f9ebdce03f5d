import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'

async function sha256(bytes: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of bytes) hash.update(chunk)
  return hash.digest('hex')
}

/** Whether two streams carry the same bytes. */
export async function sameBytes(one: Readable, other: Readable): Promise<boolean> {
  const [a, b] = await Promise.all([sha256(one), sha256(other)])
  return a === b
}
