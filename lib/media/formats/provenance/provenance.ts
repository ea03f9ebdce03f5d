import { inflateSync } from 'node:zlib'
import type { ProvenanceFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { type FoundManifest, readManifest } from './manifest'
import { historyInXmp, referenceInXmp, sourceTypesInXmp } from './xmp'

/** What lies in a file of where it comes from: a manifest of C2PA and packets of XMP. */
export type Traces = { manifest: FoundManifest | null; xmp: string[] }

const MOST_MANIFEST_BYTES = 32 * 1024 * 1024
const MOST_XMP_BYTES = 4 * 1024 * 1024
const MOST_PARTS = 100_000

const FINDERS: Readonly<Record<string, (source: ByteSource) => Traces>> = {
  'image/jpeg': findInJpeg,
  'image/png': findInPng,
  'image/webp': findInWebp,
  'image/gif': findInGif,
  'image/tiff': findInTiff,
  'video/mp4': findInMovie,
  'video/quicktime': findInMovie,
  'audio/mp4': findInMovie,
}

/** Undefined where files of the type are not searched; PDF is by its own reader. */
export function readProvenance(source: ByteSource, mediaType: string): ProvenanceFacts | undefined {
  const find = FINDERS[mediaType]
  return find && describeTraces(source, find(source))
}

export function describeTraces(source: ByteSource, { manifest, xmp }: Traces): ProvenanceFacts {
  const read = manifest && readManifest(source, manifest)
  const stated = new Set(xmp.flatMap(sourceTypesInXmp))
  return {
    manifest: read?.facts ?? null,
    sourceTypes: [
      ...(read?.sourceTypes ?? []).map((value) => ({ value, from: 'manifest' as const })),
      ...[...stated].map((value) => ({ value, from: 'xmp' as const })),
    ].slice(0, 20),
    reference: xmp.map(referenceInXmp).find((each) => each !== null) ?? null,
    history: xmp.map(historyInXmp).find((steps) => steps.length > 0) ?? [],
  }
}

function findInJpeg(source: ByteSource): Traces {
  const traces: Traces = { manifest: null, xmp: [] }
  const parts = new Map<number, Buffer[]>()
  let extent = 0
  let start = 0
  for (let at = 2, seen = 0; at + 4 <= source.size && seen < MOST_PARTS; seen += 1) {
    const head = source.bytes(at, 4)
    const marker = head[1] as number
    if (head[0] !== 0xff || marker === 0xda || marker === 0xd9) break
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = head.readUInt16BE(2)
    const content = source.upTo(at + 4, Math.max(0, length - 2))
    // A box in segments, each with its number and the head of the box again (ISO 19566-5, annex D).
    if (marker === 0xeb && content.toString('latin1', 0, 2) === 'JP' && content.length > 16) {
      const box = content.readUInt16BE(2)
      const listed = parts.get(box) ?? []
      listed.push(content.subarray(listed.length === 0 ? 8 : 16))
      if (extent === 0) start = at
      parts.set(box, listed)
      extent += length + 2
    }
    const mark = 'http://ns.adobe.com/xap/1.0/\0'
    if (marker === 0xe1 && content.toString('latin1', 0, mark.length) === mark)
      traces.xmp.push(content.toString('utf8', mark.length))
    at += length + 2
  }
  const store = [...parts.values()].map((each) => Buffer.concat(each)).find(isStore)
  if (store) traces.manifest = { bytes: store, start, extent }
  return traces
}

function findInPng(source: ByteSource): Traces {
  const traces: Traces = { manifest: null, xmp: [] }
  for (let at = 8, seen = 0; at + 12 <= source.size && seen < MOST_PARTS; seen += 1) {
    const head = source.bytes(at, 8)
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    if (type === 'caBX' && length <= MOST_MANIFEST_BYTES)
      traces.manifest = { bytes: Buffer.from(source.upTo(at + 8, length)), start: at, extent: length + 12 }
    if (type === 'iTXt' && length <= MOST_XMP_BYTES) {
      const packet = xmpOfText(source.upTo(at + 8, length))
      if (packet) traces.xmp.push(packet)
    }
    at += length + 12
  }
  return traces
}

function xmpOfText(content: Buffer): string | null {
  const mark = 'XML:com.adobe.xmp\0'
  if (content.toString('latin1', 0, mark.length) !== mark) return null
  const isPacked = content[mark.length] === 1
  const language = content.indexOf(0, mark.length + 2)
  const text = content.subarray(content.indexOf(0, language + 1) + 1)
  try {
    return (isPacked ? inflateSync(text, { maxOutputLength: MOST_XMP_BYTES }) : text).toString('utf8')
  } catch {
    return null
  }
}

function findInWebp(source: ByteSource): Traces {
  const traces: Traces = { manifest: null, xmp: [] }
  for (let at = 12, seen = 0; at + 8 <= source.size && seen < MOST_PARTS; seen += 1) {
    const head = source.bytes(at, 8)
    const [type, length] = [head.toString('latin1', 0, 4), head.readUInt32LE(4)]
    if (type === 'C2PA' && length <= MOST_MANIFEST_BYTES)
      traces.manifest = { bytes: Buffer.from(source.upTo(at + 8, length)), start: at, extent: length + 9 }
    if (type === 'XMP ' && length <= MOST_XMP_BYTES) traces.xmp.push(source.upTo(at + 8, length).toString('utf8'))
    at += 8 + length + (length % 2)
  }
  return traces
}

const C2PA_BOX = 'd8fec3d61b0e483c92975828877ec481'
const XMP_BOX = 'be7acfcb97a942e89c71999491e3afac'

function findInMovie(source: ByteSource): Traces {
  const traces: Traces = { manifest: null, xmp: [] }
  for (let at = 0, seen = 0; at + 8 <= source.size && seen < MOST_PARTS; seen += 1) {
    const head = source.upTo(at, 16)
    const stated = head.readUInt32BE(0)
    const isLong = stated === 1 && head.length === 16
    const length = isLong ? Number(head.readBigUInt64BE(8)) : stated === 0 ? source.size - at : stated
    if (length < 8) break
    if (head.toString('latin1', 4, 8) === 'uuid' && length > 24) {
      const start = at + (isLong ? 16 : 8)
      const [id, size] = [source.upTo(start, 16).toString('hex'), at + length - start - 16]
      if (id === C2PA_BOX && size <= MOST_MANIFEST_BYTES) {
        // Version and flags, a purpose that ends with 0, and of a manifest an offset of eight bytes. A manifest that was updated
        // stays where it is, and the others stand in a box of their own at the end.
        const content = source.upTo(start + 16, size)
        const end = content.indexOf(0, 4)
        const purpose = content.toString('latin1', 4, end)
        const bytes = Buffer.from(content.subarray(end + 9))
        if (purpose === 'manifest' || purpose === 'original')
          traces.manifest = { bytes, start: at, extent: length, updates: [] }
        if (purpose === 'update') traces.manifest?.updates?.push({ bytes, start: at })
      }
      if (id === XMP_BOX && size <= MOST_XMP_BYTES) traces.xmp.push(source.upTo(start + 16, size).toString('utf8'))
    }
    at += length
  }
  return traces
}

const GIF_MARK = Buffer.from('\x21\xff\x0bC2PA_GIF\x01\x00\x00', 'latin1')

/** An application extension, in blocks of at most 255 bytes. */
function findInGif(source: ByteSource): Traces {
  const traces: Traces = { manifest: null, xmp: [] }
  const packed = (source.upTo(10, 1)[0] as number | undefined) ?? 0
  let at = 13 + (packed & 0x80 ? 3 * 2 ** ((packed & 7) + 1) : 0)
  const pastBlocks = (from: number, taken?: Buffer[]): number => {
    for (let place = from, seen = 0; seen < MOST_PARTS * 10; seen += 1) {
      const size = source.upTo(place, 1)[0]
      if (!size) return place + 1
      taken?.push(Buffer.from(source.upTo(place + 1, size)))
      place += 1 + size
    }
    return source.size
  }
  for (let seen = 0; at + 14 <= source.size && seen < MOST_PARTS; seen += 1) {
    const head = source.upTo(at, 14)
    if (head[0] === 0x21) {
      const blocks: Buffer[] = []
      const isManifest = head.equals(GIF_MARK)
      const end = pastBlocks(isManifest ? at + 14 : at + 2, isManifest ? blocks : undefined)
      if (isManifest) traces.manifest = { bytes: Buffer.concat(blocks), start: at, extent: end - at }
      at = end
    } else if (head[0] === 0x2c) {
      const own = head[9] as number
      at = pastBlocks(at + 10 + (own & 0x80 ? 3 * 2 ** ((own & 7) + 1) : 0) + 1)
    } else break
  }
  return traces
}

/** The field of C2PA and that of XMP, of any directory. */
const [TIFF_MANIFEST, TIFF_XMP] = [0xcd41, 0x02bc]

function findInTiff(source: ByteSource): Traces {
  const traces: Traces = { manifest: null, xmp: [] }
  const order = source.upTo(0, 8)
  const isLittle = order.toString('latin1', 0, 2) === 'II'
  const short = (bytes: Buffer, place: number) => (isLittle ? bytes.readUInt16LE(place) : bytes.readUInt16BE(place))
  const long = (bytes: Buffer, place: number) => (isLittle ? bytes.readUInt32LE(place) : bytes.readUInt32BE(place))
  if (order.length < 8 || short(order, 2) !== 42) return traces
  for (let at = long(order, 4), seen = 0; at > 0 && at + 6 <= source.size && seen < 100; seen += 1) {
    const count = short(source.bytes(at, 2), 0)
    const fields = Buffer.from(source.upTo(at + 2, count * 12 + 4))
    if (fields.length < count * 12 + 4) break
    for (let n = 0; n < count; n += 1) {
      const [tag, length, place] = [short(fields, n * 12), long(fields, n * 12 + 4), long(fields, n * 12 + 8)]
      if (tag === TIFF_MANIFEST && length <= MOST_MANIFEST_BYTES)
        traces.manifest = { bytes: Buffer.from(source.upTo(place, length)), start: place, extent: length + 12 }
      if (tag === TIFF_XMP && length <= MOST_XMP_BYTES) traces.xmp.push(source.upTo(place, length).toString('utf8'))
    }
    at = long(fields, count * 12)
  }
  return traces
}

/** A superbox: the store of manifests is one. */
const isStore = (bytes: Buffer) => bytes.toString('latin1', 4, 8) === 'jumb'
