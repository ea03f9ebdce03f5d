import { inflateSync } from 'node:zlib'
import type { ProvenanceFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { type FoundManifest, readManifest } from './manifest'

/** What lies in a file of where it comes from: a manifest of C2PA and packets of XMP. */
export type Traces = { manifest: FoundManifest | null; xmp: string[] }

const MOST_MANIFEST_BYTES = 32 * 1024 * 1024
const MOST_XMP_BYTES = 4 * 1024 * 1024
const MOST_PARTS = 100_000

const FINDERS: Readonly<Record<string, (source: ByteSource) => Traces>> = {
  'image/jpeg': findInJpeg,
  'image/png': findInPng,
  'image/webp': findInWebp,
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
  }
}

/** IPTC Photo Metadata, Digital Source Type: an address of the vocabulary, or its last part alone. */
function sourceTypesInXmp(packet: string): string[] {
  return [...packet.matchAll(/DigitalSourceType(?:>|\s+rdf:resource=["']|=["'])\s*([^<"'\s]{1,200})/gi)].flatMap(
    ([, value]) => value?.split('/').at(-1) ?? [],
  )
}

function findInJpeg(source: ByteSource): Traces {
  const traces: Traces = { manifest: null, xmp: [] }
  const parts = new Map<number, Buffer[]>()
  let extent = 0
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
      parts.set(box, listed)
      extent += length + 2
    }
    const mark = 'http://ns.adobe.com/xap/1.0/\0'
    if (marker === 0xe1 && content.toString('latin1', 0, mark.length) === mark)
      traces.xmp.push(content.toString('utf8', mark.length))
    at += length + 2
  }
  const store = [...parts.values()].map((each) => Buffer.concat(each)).find(isStore)
  if (store) traces.manifest = { bytes: store, extent }
  return traces
}

function findInPng(source: ByteSource): Traces {
  const traces: Traces = { manifest: null, xmp: [] }
  for (let at = 8, seen = 0; at + 12 <= source.size && seen < MOST_PARTS; seen += 1) {
    const head = source.bytes(at, 8)
    const [length, type] = [head.readUInt32BE(0), head.toString('latin1', 4, 8)]
    if (type === 'caBX' && length <= MOST_MANIFEST_BYTES)
      traces.manifest = { bytes: Buffer.from(source.upTo(at + 8, length)), extent: length + 12 }
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
      traces.manifest = { bytes: Buffer.from(source.upTo(at + 8, length)), extent: length + 9 }
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
        // Version and flags, a purpose that ends with 0, and of a manifest an offset of eight bytes.
        const content = source.upTo(start + 16, size)
        const end = content.indexOf(0, 4)
        if (content.toString('latin1', 4, end) === 'manifest')
          traces.manifest = { bytes: Buffer.from(content.subarray(end + 9)), extent: length }
      }
      if (id === XMP_BOX && size <= MOST_XMP_BYTES) traces.xmp.push(source.upTo(start + 16, size).toString('utf8'))
    }
    at += length
  }
  return traces
}

/** A superbox: the store of manifests is one. */
const isStore = (bytes: Buffer) => bytes.toString('latin1', 4, 8) === 'jumb'
