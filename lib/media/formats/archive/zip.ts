import { createHash } from 'node:crypto'
import { crc32, inflateRawSync } from 'node:zlib'
import type { ArchiveEntry, ArchiveFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { bomb, corrupt, encrypted, malware, printable, truncated } from '../defect'
import type { Examination, Examined } from '../format'
import { inflate, OutputLimitError } from '../inflate'
import { ImfReader, isAssetMap } from './imf'
import type { ZipAhead } from './zip-ahead'
import { readDirectory, type ZipEntry } from './zip-directory'
import { DEFLATED, STORED } from './zip-header'

const MAX_OUTPUT_BYTES = 20 * 1024 ** 3
/** Above this size, an archive that grows more than a hundredfold is taken for a bomb. */
const RATIO_FREE_BYTES = 100 * 1024 ** 2
const MAX_RATIO = 100
const MAX_AT_ONCE = 8 * 1024 ** 2
const MAX_LISTED = 5000
const MAX_DOCUMENTS = 5
const MAX_DOCUMENT_CHARACTERS = 200_000
const MAX_IMF_XML = 16 * 1024 ** 2
const MAX_IMF_FILES = 64
const SYMLINK = 0xa000
/**
 * Unix file types: character device, block device, socket. Other values come from writers that fill in nothing. A pipe is
 * what Info-ZIP writes of an entry that came in through one: it has content like any file, and is unpacked as one.
 */
const DEVICES = [0x2000, 0x6000, 0xc000]

/** ZIP: APPNOTE.TXT 6.3.10 (PKWARE). Every entry is unpacked, counted and compared with its checksum. */
export async function examineZip(source: ByteSource, { ahead }: Pick<Examination, 'ahead'> = {}): Promise<Examined> {
  const { entries } = readDirectory(source)
  for (const entry of entries) validateEntry(entry)
  validateOverlap(entries)
  const declared = entries.reduce((sum, entry) => sum + entry.size, 0)
  if (declared > MAX_OUTPUT_BYTES) throw bomb(`${declared} bytes from an archive of ${source.size}`)
  if (declared > RATIO_FREE_BYTES && declared > source.size * MAX_RATIO)
    throw bomb(`${declared} bytes from an archive of ${source.size}`)
  const facts: ArchiveFacts = {
    kind: 'archive',
    format: 'zip',
    entries: [],
    entryCount: 0,
    totalSize: source.size,
    uncompressedSize: 0,
    entryPoints: [],
    nestedArchives: 0,
    documents: [],
  }
  const imf = await openImf(source, entries)
  for (const entry of entries) {
    const isDocument = isEntryPoint(entry.path) && facts.documents.length < MAX_DOCUMENTS
    const algorithm = imf?.algorithmOf(entry.path)
    const hash = algorithm ? createHash(algorithm) : null
    const trackFile = imf?.trackFileAt(entry.path)
    let text = ''
    const onOutput = (chunk: Buffer) => {
      hash?.update(chunk)
      trackFile?.take(chunk)
      if (isDocument && text.length < MAX_DOCUMENT_CHARACTERS) text += chunk.toString('utf8')
    }
    await unpack(source, entry, isDocument || hash || trackFile ? onOutput : null, ahead)
    imf?.take(entry.path, entry.size, hash?.digest('base64') ?? null, trackFile?.finish())
    facts.uncompressedSize += entry.size
    if (entry.path.endsWith('/')) continue
    facts.entryCount += 1
    const listed: ArchiveEntry = { path: entry.path, size: entry.size, compressedSize: entry.compressedSize }
    if (facts.entries.length < MAX_LISTED) facts.entries.push(listed)
    if (isEntryPoint(entry.path)) facts.entryPoints.push(entry.path)
    if (/\.(zip|rar|7z|gz|tgz|tar|jar)$/i.test(entry.path)) facts.nestedArchives += 1
    if (isDocument) facts.documents.push({ path: entry.path, text: text.slice(0, MAX_DOCUMENT_CHARACTERS) })
  }
  facts.imf = imf?.finish() ?? null
  return { media: facts, engine: `zlib ${process.versions.zlib}` }
}

/** Reads the XML files of a package in the Interoperable Master Format, of which an asset map is the sign. */
async function openImf(source: ByteSource, entries: readonly ZipEntry[]): Promise<ImfReader | null> {
  const map = entries.find(({ path }) => isAssetMap(path))
  if (!map) return null
  const files = new Map<string, Buffer>()
  for (const entry of entries) {
    if ((!/\.xml$/i.test(entry.path) && entry !== map) || entry.size > MAX_IMF_XML || files.size >= MAX_IMF_FILES)
      continue
    const parts: Buffer[] = []
    await unpack(source, entry, (chunk) => parts.push(Buffer.from(chunk)))
    files.set(entry.path, Buffer.concat(parts))
  }
  return new ImfReader(files, map.path)
}

function isEntryPoint(path: string): boolean {
  return /^([^/]+\/)?[^/]+\.html?$/i.test(path)
}

/** Nothing may leave the folder it is unpacked in, point elsewhere, or hide. */
function validateEntry(entry: ZipEntry): void {
  const name = printable(entry.writtenPath)
  if (entry.isEncrypted) throw encrypted(`The archive keeps “${name}” under a password`)
  for (const path of [entry.path, entry.writtenPath, entry.localPath]) {
    const plain = path.replaceAll('\\', '/')
    if (/[\0-\x1f]/.test(plain)) throw malware(`The name “${name}” in the archive holds control characters`)
    if (plain.startsWith('/') || /^[a-z]:/i.test(plain)) throw malware(`“${name}” in the archive has an absolute path`)
    if (plain.split('/').includes('..')) throw malware(`“${name}” in the archive would be unpacked outside its folder`)
  }
  const type = entry.mode & 0xf000
  if (type === SYMLINK) throw malware(`“${name}” in the archive is a symbolic link`)
  if (DEVICES.includes(type) && !entry.path.endsWith('/'))
    throw malware(`“${name}” in the archive is a device, not a file`)
}

/** Entries that share bytes are how a small archive unpacks to petabytes (David Fifield, 2019). */
function validateOverlap(entries: ZipEntry[]): void {
  const sorted = [...entries].sort((a, b) => a.start - b.start)
  for (let index = 1; index < sorted.length; index += 1) {
    const [before, after] = [sorted[index - 1], sorted[index]]
    if (before && after && before.dataStart + before.compressedSize > after.start) {
      throw bomb(`“${printable(before.path)}” and “${printable(after.path)}” share the same bytes`)
    }
  }
}

/** Goes through an entry, and compares it with what its headers say; `onOutput` gets its bytes. */
async function unpack(
  source: ByteSource,
  entry: ZipEntry,
  onOutput: ((chunk: Buffer) => void) | null,
  ahead?: ZipAhead,
): Promise<void> {
  const name = printable(entry.path)
  const end = entry.dataStart + entry.compressedSize
  let sum = 0
  const take = (chunk: Buffer) => {
    sum = crc32(chunk, sum)
    onOutput?.(chunk)
  }
  let size: number
  const known = onOutput ? undefined : ahead?.find(entry)
  if (known) {
    sum = known.sum
    size = known.size
  } else if (entry.method === STORED) {
    for (const piece of source.pieces(entry.dataStart, end)) take(piece)
    size = entry.compressedSize
  } else if (entry.method === DEFLATED) {
    size = await inflateEntry(source, entry, take)
  } else {
    throw corrupt(
      `“${name}” is packed by method ${entry.method}, which cannot be checked here; pack the archive with Deflate`,
    )
  }
  if (size !== entry.size) throw corrupt(`“${name}” unpacks to ${size} bytes and declares ${entry.size}`)
  if (sum !== entry.crc) throw corrupt(`the checksum of “${name}” does not match its content`)
}

/** Small entries are unpacked at one go: an archive may hold thousands, and a stream costs more than its work. */
async function inflateEntry(source: ByteSource, entry: ZipEntry, take: (chunk: Buffer) => void): Promise<number> {
  const name = printable(entry.path)
  const end = entry.dataStart + entry.compressedSize
  try {
    if (entry.size <= MAX_AT_ONCE && entry.compressedSize <= MAX_AT_ONCE) {
      const packed = source.bytes(entry.dataStart, entry.compressedSize)
      const whole = inflateRawSync(packed, { maxOutputLength: entry.size + 1 })
      take(whole)
      return whole.length
    }
    const pieces = source.pieces(entry.dataStart, end)
    return (await inflate(pieces, { raw: true, limit: entry.size, onOutput: take })).size
  } catch (error) {
    const isTooLong = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    if (isTooLong || error instanceof OutputLimitError)
      throw bomb(`“${name}” declares ${entry.size} bytes and goes on after them`)
    const message = error instanceof Error ? error.message : ''
    throw message.includes('unexpected end')
      ? truncated(`the data of “${name}” stops in the middle`)
      : corrupt(`“${name}” cannot be unpacked (${message})`)
  }
}
