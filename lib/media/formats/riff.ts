import type { ByteSource } from './byte-source'
import { corrupt, printable, truncated } from './defect'

export type RiffChunk = { id: string; offset: number; length: number }

/**
 * The chunks of a RIFF or IFF file that begin between `start` and `end` (RIFF: Microsoft/IBM 1991; IFF: EA 1985). They
 * lie at even offsets; a writer that forgot the last padding byte is forgiven. Throws `truncated` when one overruns
 * `limit`, which is `end` unless the declared end is known to be written carelessly.
 */
export function readChunks(
  source: ByteSource,
  start: number,
  end: number,
  options: { isBigEndian?: boolean; limit?: number; lengthOf?: (id: string, length: number) => number } = {},
): RiffChunk[] {
  const limit = options.limit ?? end
  const chunks: RiffChunk[] = []
  let at = start
  while (at + 8 <= end) {
    const head = source.bytes(at, 8)
    const id = head.toString('latin1', 0, 4)
    if (!/^[\x20-\x7e]{4}$/.test(id)) {
      if (isPadding(source, at, end)) return chunks
      throw corrupt(`“${printable(id)}” at byte ${at} is not the name of a chunk`)
    }
    const declared = options.isBigEndian ? head.readUInt32BE(4) : head.readUInt32LE(4)
    const length = options.lengthOf?.(id, declared) ?? declared
    if (at + 8 + length > limit) {
      const there = Math.max(0, limit - at - 8)
      throw truncated(`the “${id}” chunk at byte ${at} declares ${length} bytes, ${there} are there`)
    }
    chunks.push({ id, offset: at + 8, length })
    at += 8 + length + (length % 2)
  }
  return chunks
}

function isPadding(source: ByteSource, from: number, end: number): boolean {
  for (const piece of source.pieces(from, end)) if (piece.some((byte) => byte !== 0)) return false
  return true
}
