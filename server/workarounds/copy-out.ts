import type { Readable } from 'node:stream'

/**
 * The bytes of a `copy … to stdout` (`.readable()` of postgres 3.4). The driver pauses its socket while the reader lags, and
 * goes on when the reader asks for more: a stream that has ended is not asked any more, and the next query of the connection
 * would wait for ever. During a copy it refuses queries: one that was left is read to its end, and goes nowhere.
 */
export async function* copyOut(stream: Readable): AsyncGenerator<Buffer, void> {
  try {
    yield* stream.iterator({ destroyOnReturn: false })
  } finally {
    if (!stream.destroyed && !stream.readableEnded) for await (const rest of stream) void rest
    stream._read(0)
  }
}
