import { crc32 } from 'node:zlib'
import { inflate } from '../inflate'
import type { ZipEntry } from './zip-directory'
import { DEFLATED, LOCAL_MARK, readOwnHeader, STORED } from './zip-header'

/** Smaller entries are unpacked when the archive is whole; that takes no time anybody would notice. */
const WORTHWHILE_BYTES = 1024 * 1024
/** An entry that claims to grow more than this is not unpacked before the whole archive is validated. */
const MAX_RATIO = 100
/** Small enough to stay in the processor's cache between reading and adding up. */
const PIECE_BYTES = 128 * 1024

export type Unpacked = { size: number; sum: number }

/** A file that is still coming in. */
export type Arrival = {
  /**
   * Bytes from `offset`, in memory of their own or in `into`; at once when they are there, or else waited for. null when
   * the file ends before them.
   */
  bytes(offset: number, length: number, into?: Buffer): Promise<Buffer | null> | Buffer | null
}

/**
 * The large entries of an archive, unpacked while it comes in, so that little is left to do at its last byte. It only
 * ever saves work: what the archive is, and whether an entry is one, the directory at its end decides.
 */
export class ZipAhead {
  private readonly unpacked = new Map<string, Unpacked>()

  /** Goes from header to header until the entries end, or one does not say how long it is (APPNOTE.TXT 4.4.4, bit 3). */
  async follow(arrival: Arrival): Promise<void> {
    let at = 0
    for (;;) {
      const head = await arrival.bytes(at, 30)
      if (head?.readUInt32LE(0) !== LOCAL_MARK) return
      const entry = readOwnHeader(head, at)
      if (entry === null) return
      if (entry.compressedSize >= WORTHWHILE_BYTES) {
        const unpacked = await this.unpack(entry, arrival)
        if (unpacked === null) return
        this.unpacked.set(placeOf(entry), unpacked)
      }
      at = entry.dataStart + entry.compressedSize
    }
  }

  /** What came out of an entry, if it was unpacked already. */
  find(entry: ZipEntry): Unpacked | undefined {
    return this.unpacked.get(placeOf(entry))
  }

  private async unpack(entry: OwnHeader, arrival: Arrival): Promise<Unpacked | null> {
    if (entry.method === STORED) return addUp(entry, arrival)
    if (entry.method !== DEFLATED || entry.size > entry.compressedSize * MAX_RATIO) return null
    let sum = 0
    const onOutput = (chunk: Buffer) => {
      sum = crc32(chunk, sum)
    }
    const { size, consumed } = await inflate(piecesOf(entry, arrival), { raw: true, limit: entry.size, onOutput })
    return consumed <= entry.compressedSize ? { size, sum } : null
  }
}

type OwnHeader = NonNullable<ReturnType<typeof readOwnHeader>>

const placeOf = ({ dataStart, compressedSize, method }: OwnHeader) => `${method}:${dataStart}:${compressedSize}`

/** Waits only for what is not there yet: a turn of the event loop for each piece would cost as much as adding it up. */
async function addUp({ dataStart, compressedSize }: OwnHeader, arrival: Arrival): Promise<Unpacked | null> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES)
  const end = dataStart + compressedSize
  let sum = 0
  for (let at = dataStart; at < end; at += PIECE_BYTES) {
    const coming = arrival.bytes(at, Math.min(PIECE_BYTES, end - at), buffer)
    const piece = coming instanceof Promise ? await coming : coming
    if (piece === null) return null
    sum = crc32(piece, sum)
  }
  return { size: compressedSize, sum }
}

async function* piecesOf({ dataStart, compressedSize }: OwnHeader, arrival: Arrival): AsyncGenerator<Buffer> {
  const end = dataStart + compressedSize
  for (let at = dataStart; at < end; at += PIECE_BYTES) {
    const piece = await arrival.bytes(at, Math.min(PIECE_BYTES, end - at))
    if (piece === null) return
    yield piece
  }
}
