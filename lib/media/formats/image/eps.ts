import type { ImageFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { corrupt, Defect, truncated } from '../defect'
import type { Examined } from '../format'

const DOS_HEADER_BYTES = 30
const SCAN_BYTES = 64 * 1024

/**
 * EPS: Encapsulated PostScript 3.0 and Document Structuring Conventions 3.0 (Adobe TN 5002, 5001). PostScript is a
 * program: it is never run here. What can be validated without running it is its frame.
 */
export function examineEps(source: ByteSource): Examined {
  const { start, end } = postScriptPart(source)
  const head = source.bytes(start, Math.min(SCAN_BYTES, end - start)).toString('latin1')
  if (!/^%!PS-Adobe-\d\.\d EPSF-\d\.\d/.test(head)) {
    throw new Defect(
      'type_mismatch',
      'The file is a PostScript program, not an EPS drawing. Save it as EPS or PDF.',
      'EPS drawing (.eps)',
    )
  }
  const tailStart = Math.max(start, end - SCAN_BYTES)
  const tail = source.bytes(tailStart, end - tailStart).toString('latin1')
  const box = boundingBox(head, tail)
  if (!/(^|[\r\n])%%EOF[\s\0\x04]*$/.test(tail) && !/showpage[\s\S]{0,2000}$/.test(tail))
    throw truncated('the closing %%EOF is missing')
  validateBalance(source, start, end)
  const [left, bottom, right, top] = box
  const media: ImageFacts = {
    kind: 'image',
    format: 'eps',
    width: right - left,
    height: top - bottom,
    colourSpace: colourSpaceOf(head),
    hasProfile: false,
    profileName: null,
    profileColourSpace: null,
    bitDepth: null,
    channels: null,
    hasAlpha: false,
    isOpaque: null,
    densityDpi: null,
    orientation: 1,
    frames: 1,
    pages: 1,
    loopCount: null,
    frameDelaysMs: [],
    durationSeconds: null,
    hasGps: false,
    hasExif: false,
    hasXmp: head.includes('<x:xmpmeta') || head.includes('%begin_xml_packet'),
    progressive: false,
    jpegQuality: null,
    chromaSubsampling: null,
    layers: null,
    compression: null,
  }
  return { media, engine: 'Greenroom EPS reader' }
}

/** A DOS EPS file keeps the program beside a preview and says where each lies (EPSF 3.0, section 8). */
function postScriptPart(source: ByteSource): { start: number; end: number } {
  const head = source.bytes(0, 4)
  if (head.readUInt32BE(0) !== 0xc5d0d3c6) return { start: 0, end: source.size }
  const table = source.bytes(0, DOS_HEADER_BYTES, 'the header')
  for (const [at, what] of [
    [4, 'the program'],
    [12, 'the preview'],
    [20, 'the preview'],
  ] as const) {
    const [offset, length] = [table.readUInt32LE(at), table.readUInt32LE(at + 4)]
    if (offset + length > source.size)
      throw truncated(`${what} at byte ${offset} has ${length} bytes, the file ${source.size}`)
  }
  return { start: table.readUInt32LE(4), end: table.readUInt32LE(4) + table.readUInt32LE(8) }
}

function boundingBox(head: string, tail: string): [number, number, number, number] {
  for (const part of [head, tail]) {
    const found = /%%(?:HiRes)?BoundingBox:\s*(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)\s+(-?[\d.]+)/.exec(part)
    if (!found) continue
    const box = found.slice(1, 5).map(Number) as [number, number, number, number]
    if (box.every(Number.isFinite) && box[2] > box[0] && box[3] > box[1]) return box
    throw corrupt(`the bounding box ${found[0].slice(0, 60)} is empty`)
  }
  throw corrupt('it does not state its bounding box')
}

function colourSpaceOf(head: string): string | null {
  if (/%%DocumentProcessColors:.*(Cyan|Magenta|Yellow)/i.test(head)) return 'cmyk'
  if (/%%DocumentProcessColors:\s*Black\s*[\r\n]/i.test(head)) return 'grey'
  return null
}

/** What %%Begin opens, %%End has to close. Lines are read whole, however the pieces of the file fall. */
function validateBalance(source: ByteSource, start: number, end: number): void {
  const begun: string[] = []
  let rest = ''
  for (const piece of [...source.pieces(start, end), Buffer.from('\n')]) {
    const text = rest + piece.toString('latin1')
    const cut = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'))
    for (const [, what, name] of text
      .slice(0, cut + 1)
      .matchAll(/(?:^|[\r\n])%%(Begin|End)(Document|ProcSet|Resource|Font)\b/g)) {
      if (what === 'Begin') begun.push(name ?? '')
      else if (begun.pop() === undefined) throw corrupt(`%%End${name} has no beginning`)
    }
    rest = text.slice(Math.max(cut, text.length - 4096))
  }
  if (begun.length > 0) throw truncated(`the part that %%Begin${begun.at(-1)} opens is not closed`)
}
