import type { ImageFacts } from '../../facts'
import type { ByteSource } from '../byte-source'
import { corrupt, Defect, truncated } from '../defect'
import type { Examined } from '../format'

const DOS_HEADER_BYTES = 30
const SCAN_BYTES = 64 * 1024
/** A drawing without %%EOF is read as a program up to this size. */
const MAX_SCANNED_BYTES = 64 * 1024 * 1024

/**
 * EPS: Encapsulated PostScript 3.0 and Document Structuring Conventions 3.0 (Adobe TN 5002, 5001). PostScript is a
 * program: it is never run here. What can be validated without running it is its frame. Only the header and the bounding
 * box are required (TN 5002, section 2.1); a drawing that closes with %%EOF, as most do, may have other bytes behind it.
 */
export function examineEps(source: ByteSource): Examined {
  const { start, end } = postScriptPart(source)
  const head = source
    .bytes(start, Math.min(SCAN_BYTES, end - start))
    .toString('latin1')
    .replace(/^\x04/, '')
  if (!isDrawing(head)) {
    throw new Defect(
      'type_mismatch',
      'The file is a PostScript program, not an EPS drawing. Save it as EPS or PDF.',
      'EPS drawing (.eps)',
    )
  }
  const tailStart = Math.max(start, end - SCAN_BYTES)
  const tail = source.bytes(tailStart, end - tailStart).toString('latin1')
  const box = boundingBox(head, tail)
  const isClosed = /(^|[\r\n])[ \t]*%%EOF/.test(tail) || /showpage[\s\S]{0,2000}$/.test(tail)
  if (!isClosed) validateEnd(source, start, end)
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
    // Writers without a preview leave anything in its place.
    if (length === 0 && at > 4) continue
    if (offset + length > source.size)
      throw truncated(`${what} at byte ${offset} has ${length} bytes, the file ${source.size}`)
  }
  return { start: table.readUInt32LE(4), end: table.readUInt32LE(4) + table.readUInt32LE(8) }
}

/**
 * The mark of EPS, or, of the time before it, a structured program of one page with a bounding box. Spaces are as writers
 * put them.
 */
function isDrawing(head: string): boolean {
  const line = /^[^\r\n]*/.exec(head)?.[0] ?? ''
  if (/^%!PS-Adobe-\d+\.\d+[ \t]+EPSF[- ]?\d+\.\d+/i.test(line)) return true
  const pages = Number(/[\r\n]%%Pages:[ \t]*(\d+)/.exec(head)?.[1] ?? 0)
  return /^%!PS-Adobe-\d/.test(line) && pages <= 1 && /[\r\n]%%BoundingBox:/.test(head)
}

const NUMBER = String.raw`[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?`
const BOX = new RegExp(
  String.raw`[\r\n]%%(?:HiRes|Exact)?BoundingBox:[ \t]*(${NUMBER})[ \t]+(${NUMBER})[ \t]+(${NUMBER})[ \t]+(${NUMBER})`,
  'g',
)

/** The first in the header; the last of the file where the header leaves it to the end (TN 5001, “(atend)”). */
function boundingBox(head: string, tail: string): [number, number, number, number] {
  const header = head.slice(0, /[\r\n]%%EndComments/.exec(head)?.index ?? head.length)
  const stated = [...header.matchAll(BOX), ...[...tail.matchAll(BOX)].reverse(), ...head.matchAll(BOX)]
  for (const found of stated) {
    const box = found.slice(1, 5).map(Number) as [number, number, number, number]
    if (box[2] > box[0] && box[3] > box[1]) return box
  }
  if (stated[0]) throw corrupt(`the bounding box ${stated[0][0].trim().slice(0, 60)} is empty`)
  throw corrupt('it does not state its bounding box')
}

function colourSpaceOf(head: string): string | null {
  if (/%%DocumentProcessColors:.*(Cyan|Magenta|Yellow)/i.test(head)) return 'cmyk'
  if (/%%DocumentProcessColors:\s*Black\s*[\r\n]/i.test(head)) return 'grey'
  return null
}

/**
 * A drawing without %%EOF has to be a whole program: every procedure, string and array is closed, and every gsave, save
 * and begin undone. Data in binary cannot be read that way; a drawing that holds some needs its %%EOF.
 */
function validateEnd(source: ByteSource, start: number, end: number): void {
  if (end - start > MAX_SCANNED_BYTES) throw truncated('the closing %%EOF is missing')
  const program = source.bytes(start, end - start).toString('latin1')
  const left = unclosed(program)
  if (left !== null) throw truncated(`the closing %%EOF is missing, and ${left}`)
}

const PAIRS: Readonly<Record<string, readonly [what: string, step: 1 | -1]>> = {
  gsave: ['gsave', 1],
  grestore: ['gsave', -1],
  save: ['save', 1],
  restore: ['save', -1],
  begin: ['begin', 1],
  end: ['begin', -1],
}

/** What a PostScript program leaves open, as a phrase; null when nothing (PostScript Language Reference, section 3.2). */
function unclosed(program: string): string | null {
  const open = new Map<string, number>()
  const brackets: string[] = []
  const tokens =
    /%[^\r\n]*|\((?<text>)|<~[^~]*(?<ascii85>~>|$)|<<|>>|<[\s\da-fA-F]*(?<hex>>|$)|[{}[\]]|\/?[^\s()<>[\]{}/%]+|\//g
  for (let found = tokens.exec(program); found; found = tokens.exec(program)) {
    const [token] = found
    if (found.groups?.text !== undefined) {
      const after = endOfText(program, tokens.lastIndex)
      if (after < 0) return 'a text is not closed'
      tokens.lastIndex = after
    } else if (found.groups?.ascii85 === '' || found.groups?.hex === '') return 'a text is not closed'
    else if (token === '{' || token === '[' || token === '<<') brackets.push(token)
    else if (token === '}' || token === ']' || token === '>>') brackets.pop()
    else if (brackets.length === 0) {
      const pair = PAIRS[token]
      if (pair) open.set(pair[0], (open.get(pair[0]) ?? 0) + pair[1])
    }
  }
  if (brackets.length > 0) return `“${brackets.at(-1)}” is not closed`
  const [pending] = [...open].filter(([, count]) => count > 0)
  return pending ? `“${pending[0]}” is not undone` : null
}

/** Behind the bracket that closes a text; -1 when none does. Brackets within are counted, escaped ones are not. */
function endOfText(program: string, from: number): number {
  let depth = 1
  for (let at = from; at < program.length; at += 1) {
    const sign = program[at]
    if (sign === '\\') at += 1
    else if (sign === '(') depth += 1
    else if (sign === ')') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}

/**
 * A document within the drawing that is not closed: the file was cut, whatever its end says. Other %%Begin and %%End are
 * comments that programs write carelessly. Lines are read whole, however the pieces of the file fall.
 */
function validateBalance(source: ByteSource, start: number, end: number): void {
  let open = 0
  let rest = ''
  for (const piece of [...source.pieces(start, end), Buffer.from('\n')]) {
    const text = rest + piece.toString('latin1')
    const cut = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'))
    for (const [, what] of text.slice(0, cut + 1).matchAll(/(?:^|[\r\n])%%(Begin|End)Document\b/g)) {
      open = what === 'Begin' ? open + 1 : Math.max(0, open - 1)
    }
    rest = text.slice(Math.max(cut, text.length - 4096))
  }
  if (open > 0) throw truncated('the part that %%BeginDocument opens is not closed')
}
