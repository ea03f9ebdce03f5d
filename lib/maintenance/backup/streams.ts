import { createHash } from 'node:crypto'
import { type Duplex, pipeline, Readable } from 'node:stream'
import { BackupError } from './target'

export type Sum = { bytes: number; sha256: string }

/** Passes bytes on, and hands their length and SHA-256 to `onEnd` when the last has gone by. What that throws ends the stream. */
export async function* summing(
  bytes: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  onEnd: (sum: Sum) => void,
): AsyncGenerator<Uint8Array, void> {
  const hash = createHash('sha256')
  let length = 0
  for await (const chunk of bytes) {
    hash.update(chunk)
    length += chunk.length
    yield chunk
  }
  onEnd({ bytes: length, sha256: hash.digest('hex') })
}

/** Passes bytes on, and fails at their end when they are not what they should be. */
export const expecting = (what: string, expected: Sum, bytes: AsyncIterable<Uint8Array>) =>
  summing(bytes, (sum) => {
    if (sum.bytes !== expected.bytes) throw new Altered(what, `${sum.bytes} bytes`, `${expected.bytes}`)
    if (sum.sha256 !== expected.sha256) throw new Altered(what, `the SHA-256 ${sum.sha256}`, expected.sha256)
  })

/** Bytes are not those that were written down. */
export class Altered extends BackupError {
  constructor(what: string, found: string, expected: string) {
    super(`${what} is damaged or was altered: it has ${found} instead of ${expected}.`)
  }
}

export async function sumOf(bytes: AsyncIterable<Uint8Array>): Promise<Sum> {
  let sum: Sum | undefined
  for await (const _ of summing(bytes, (found) => {
    sum = found
  })) {
    // Only counted.
  }
  return sum as unknown as Sum
}

/** Bytes after a transformation. An error of either side ends both, and reaches who reads. */
export function through(bytes: AsyncIterable<Uint8Array>, transform: Duplex): Duplex {
  return pipeline(Readable.from(bytes, { objectMode: false }), transform, () => {})
}

/** The JSON of each line. */
export async function* linesOf<T>(stream: AsyncIterable<Uint8Array>): AsyncGenerator<T, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line)
  }
  if (rest !== '') yield JSON.parse(rest)
}

export async function* chunksOf<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<T[], void> {
  let chunk: T[] = []
  for await (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}
