import { createInflate, createInflateRaw, type Zlib } from 'node:zlib'

export type Inflated = {
  /** Bytes that really came out. */
  size: number
  /** Compressed bytes that were used up; what follows them is not part of the stream. */
  consumed: number
}

/** The output of a stream went past the limit. */
export class OutputLimitError extends Error {
  constructor(readonly limit: number) {
    super(`more than ${limit} bytes came out`)
    this.name = 'OutputLimitError'
  }
}

/**
 * Inflates a stream to its end and counts what comes out, holding none of it: the declared size is no promise.
 *
 * Throws zlib's error for damaged or cut data (its checksum included) and `OutputLimitError` above `limit` bytes.
 */
export async function inflate(
  pieces: Iterable<Buffer> | AsyncIterable<Buffer>,
  options: { raw?: boolean; limit: number; onOutput?: (chunk: Buffer) => void },
): Promise<Inflated> {
  const stream = options.raw ? createInflateRaw({ chunkSize: 256 * 1024 }) : createInflate({ chunkSize: 256 * 1024 })
  let size = 0
  const done = new Promise<void>((resolve, reject) => {
    stream.on('error', reject)
    stream.on('end', resolve)
    stream.on('close', resolve)
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > options.limit) stream.destroy(new OutputLimitError(options.limit))
      else options.onOutput?.(chunk)
    })
  })
  // A failure may come while the next piece is being read; it is reported by the await below.
  done.catch(() => undefined)
  for await (const piece of pieces) {
    if (stream.destroyed || stream.writableEnded) break
    if (!stream.write(piece)) await drained(stream)
  }
  if (!stream.destroyed) stream.end()
  await done
  return { size, consumed: (stream as Zlib).bytesWritten }
}

function drained(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      for (const event of ['drain', 'close', 'error', 'end']) stream.off(event, settle)
      resolve()
    }
    for (const event of ['drain', 'close', 'error', 'end']) stream.once(event, settle)
  })
}

/** Inflates a small stream into memory. Throws as `inflate` does. */
export async function inflateWhole(data: Buffer, options: { raw?: boolean; limit: number }): Promise<Buffer> {
  const chunks: Buffer[] = []
  await inflate([data], { ...options, onOutput: (chunk) => chunks.push(chunk) })
  return Buffer.concat(chunks)
}
