import type { ByteSource } from './byte-source'
import { findHeader } from './video/mxf-header'

/** What the content says a file is; `mediaType` is undefined for what the service does not take. */
export type Sniffed = { mediaType: string | undefined; name: string }

const known = (mediaType: string, name: string): Sniffed => ({ mediaType, name })
const foreign = (name: string): Sniffed => ({ mediaType: undefined, name })

const HEIC_BRANDS = /^(heic|heix|heim|heis|hevc|hevx|hevm|hevs|mif1|msf1|mif2|miaf)$/
const AVIF_BRANDS = /^(avif|avis)$/
const AUDIO_BRANDS = /^(M4A |M4B |M4P )$/

/** Marks at the very start. Order matters only where one is the beginning of another. */
const SIGNATURES: readonly (readonly [bytes: string, Sniffed])[] = [
  ['\x89PNG\r\n\x1a\n', known('image/png', 'a PNG image')],
  ['\xff\xd8\xff', known('image/jpeg', 'a JPEG image')],
  ['GIF87a', known('image/gif', 'a GIF image')],
  ['GIF89a', known('image/gif', 'a GIF image')],
  ['II*\0', known('image/tiff', 'a TIFF image')],
  ['MM\0*', known('image/tiff', 'a TIFF image')],
  ['II+\0', known('image/tiff', 'a TIFF image')],
  ['MM\0+', known('image/tiff', 'a TIFF image')],
  ['8BPS', known('image/vnd.adobe.photoshop', 'a Photoshop document')],
  // A header partition pack (SMPTE ST 377-1, 7.1).
  ['\x06\x0e+4\x02\x05\x01\x01\x0d\x01\x02\x01\x01\x02', known('application/mxf', 'an MXF video')],
  ['\xc5\xd0\xd3\xc6', known('application/postscript', 'an EPS drawing')],
  ['%!PS', known('application/postscript', 'a PostScript program')],
  // Printer drivers of Windows begin with Ctrl-D, which ends the job before.
  ['\x04%!PS', known('application/postscript', 'a PostScript program')],
  ['fLaC', known('audio/flac', 'FLAC audio')],
  ['wOFF', known('font/woff', 'a WOFF font')],
  ['wOF2', known('font/woff2', 'a WOFF2 font')],
  ['OTTO', known('font/otf', 'an OpenType font')],
  ['\0\x01\0\0', known('font/ttf', 'a TrueType font')],
  ['true', known('font/ttf', 'a TrueType font')],
  ['ttcf', known('font/collection', 'a font collection')],
  ['MZ', foreign('a Windows program')],
  ['\x7fELF', foreign('a Linux program')],
  ['\xcf\xfa\xed\xfe', foreign('a macOS program')],
  ['\xce\xfa\xed\xfe', foreign('a macOS program')],
  ['\xca\xfe\xba\xbe', foreign('a macOS program or Java class')],
  ['#!', foreign('a script')],
  ['FWS', foreign('a Flash file')],
  ['CWS', foreign('a Flash file')],
  ['ZWS', foreign('a Flash file')],
  ['Rar!', foreign('a RAR archive')],
  ['7z\xbc\xaf\x27\x1c', foreign('a 7-Zip archive')],
  ['\x1f\x8b', foreign('a gzip archive')],
  ['BZh', foreign('a bzip2 archive')],
  ['\xfd7zXZ\0', foreign('an XZ archive')],
  ['\x28\xb5\x2f\xfd', foreign('a Zstandard archive')],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', foreign('an older Office document')],
  ['{\\rtf', foreign('an RTF document')],
  ['BM', foreign('a BMP image')],
  ['\0\0\x01\0', foreign('an icon file')],
  ['\xff\x0a', foreign('a JPEG XL image')],
  ['\0\0\0\x0cJXL \r\n', foreign('a JPEG XL image')],
  ['\0\0\0\x0cjP  \r\n', foreign('a JPEG 2000 image')],
  ['\x30\x26\xb2\x75\x8e\x66\xcf\x11', foreign('a Windows Media file')],
  ['FLV\x01', foreign('a Flash video')],
  ['wvpk', foreign('WavPack audio')],
  ['MThd', foreign('a MIDI file')],
  ['\0\0\x01\xba', foreign('an MPEG programme stream')],
  ['\0\0\x01\xb3', foreign('an MPEG video stream')],
]

/** Finds the type of a file by its content alone. Source: the formats' own specifications; WHATWG MIME Sniffing. */
export function sniff(source: ByteSource): Sniffed {
  const head = source.upTo(0, 4096)
  const text = head.toString('latin1')
  for (const [mark, sniffed] of SIGNATURES) {
    if (text.startsWith(mark)) return sniffed
  }
  const strong = sniffChunked(text) ?? sniffIsoMedia(head, text) ?? sniffPdf(text)
  if (strong) return strong
  const textual = sniffText(head)
  if (textual && textual.name !== PLAIN_TEXT) return textual
  return (
    sniffAudio(source, head) ?? sniffZip(source, text) ?? sniffRunIn(source) ?? textual ?? foreign('of no known type')
  )
}

/** An MXF file may have up to 64 KiB of anything before it begins. */
const sniffRunIn = (source: ByteSource) =>
  findHeader(source) === null ? undefined : known('application/mxf', 'an MXF video')

const PLAIN_TEXT = 'plain text'
/** A number and a line of times. */
const SUBRIP = /^(?:\d+[ \t]*\r?[\n\r]+)?\d{1,3}:\d{1,2}:\d{1,2}[,.:]\d{1,3}[ \t]*-->/

function sniffChunked(text: string): Sniffed | undefined {
  // The code page and the format code of the first block (EBU Tech 3264, table 2).
  if (/^\d{3}STL\d\d\.\d\d/.test(text)) return known('application/x-ebu-stl', 'EBU STL subtitles')
  const form = text.slice(8, 12)
  if (/^(RIFF|RIFX|RF64|BW64)/.test(text)) {
    if (form === 'WAVE') return known('audio/wav', 'WAV audio')
    if (form === 'WEBP') return known('image/webp', 'a WebP image')
    return foreign(form === 'AVI ' ? 'an AVI video' : 'a RIFF file')
  }
  if (text.startsWith('OggS')) {
    // The first pages hold the header of each stream (RFC 3533, section 4).
    return text.includes('\x80theora') ? known('video/ogg', 'Ogg video') : known('audio/ogg', 'Ogg audio')
  }
  if (text.startsWith('FORM') && /^AIF[FC]$/.test(form)) return known('audio/aiff', 'AIFF audio')
  if (text.startsWith('\x1aE\xdf\xa3')) {
    const docType = /\x42\x82[\x80-\xff]([a-z]+)/.exec(text.slice(0, 4096))?.[1]
    return docType === 'webm' ? known('video/webm', 'a WebM video') : known('video/x-matroska', 'a Matroska video')
  }
  return undefined
}

function sniffIsoMedia(head: Buffer, text: string): Sniffed | undefined {
  const type = text.slice(4, 8)
  if (type !== 'ftyp') {
    // QuickTime files of the time before brands begin with any of these atoms.
    return /^(moov|mdat|wide|skip|pnot|free|uuid|moof|styp)$/.test(type) && head.length >= 8
      ? known('video/quicktime', 'a QuickTime movie')
      : undefined
  }
  const end = Math.min(head.readUInt32BE(0) || head.length, head.length)
  const major = text.slice(8, 12)
  const brands = [major]
  for (let at = 16; at + 4 <= end; at += 4) brands.push(text.slice(at, at + 4))
  if (AVIF_BRANDS.test(major) || (HEIC_BRANDS.test(major) && brands.some((brand) => AVIF_BRANDS.test(brand)))) {
    return known('image/avif', 'an AVIF image')
  }
  if (HEIC_BRANDS.test(major)) return known('image/heic', 'a HEIC image')
  if (major === 'crx ') return foreign('a camera raw file')
  if (AUDIO_BRANDS.test(major)) return known('audio/mp4', 'MPEG-4 audio')
  if (major === 'qt  ') return known('video/quicktime', 'a QuickTime movie')
  return known('video/mp4', 'an MP4 video')
}

/**
 * ISO 32000 lets a reader search for the header in the first 1,024 bytes; only text may stand before it here, since binary
 * there is another format sharing the file.
 */
function sniffPdf(text: string): Sniffed | undefined {
  const header = text.slice(0, 1029).search(/%PDF-\d/)
  if (header < 0) return undefined
  const before = text.slice(0, header)
  return /^[\t\n\f\r\x20-\x7e\xef\xbb\xbf]*$/.test(before) && !/<\w/.test(before)
    ? known('application/pdf', 'a PDF document')
    : undefined
}

function sniffText(head: Buffer): Sniffed | undefined {
  const readable = decodeText(head)
  if (readable === undefined) return undefined
  if (/^WEBVTT(?:[ \t\r\n]|$)/.test(readable)) return known('text/vtt', 'WebVTT captions')
  const markup = readable.replace(/^\s+/, '')
  if (SUBRIP.test(markup)) return known('application/x-subrip', 'SubRip captions')
  if (!markup.startsWith('<')) return foreign(PLAIN_TEXT)
  const root = firstElement(markup)
  if (root === 'svg') return known('image/svg+xml', 'an SVG drawing')
  if (root === 'tt') return known('application/ttml+xml', 'TTML captions')
  if (root === 'vast') return known('application/vast+xml', 'a VAST ad tag')
  if (root === 'html' || /<!doctype html/i.test(markup)) return foreign('an HTML page')
  return foreign(root === undefined ? 'a markup file' : `a markup file whose root is <${root.slice(0, 30)}>`)
}

function decodeText(head: Buffer): string | undefined {
  if (head.length === 0) return undefined
  if (head[0] === 0xff && head[1] === 0xfe) return head.toString('utf16le').slice(1)
  if (head[0] === 0xfe && head[1] === 0xff) {
    return Buffer.from(head.subarray(0, head.length & ~1))
      .swap16()
      .toString('utf16le')
      .slice(1)
  }
  if (head.includes(0)) return undefined
  const text = head.toString('latin1').replace(/^\xef\xbb\xbf/, '')
  return /[\x01-\x08\x0e-\x1a\x1c-\x1f]/.test(text) ? undefined : text
}

/** The local name of the first element, past declarations, comments and the document type. */
function firstElement(markup: string): string | undefined {
  let rest = markup
  for (;;) {
    rest = rest.replace(/^\s+/, '')
    const end = rest.startsWith('<?')
      ? rest.indexOf('?>') + 2
      : rest.startsWith('<!--')
        ? rest.indexOf('-->') + 3
        : /^<!doctype/i.test(rest)
          ? endOfDoctype(rest)
          : -1
    if (end < 2) break
    rest = rest.slice(end)
  }
  const name = /^<([A-Za-z_][^\s/>]*)/.exec(rest)?.[1]
  if (name !== undefined) return name.slice(name.indexOf(':') + 1).toLowerCase()
  // A long prologue may push the root out of the first bytes: then the document type speaks for it.
  return /^<!doctype\s+(?:[\w-]+:)?(\w+)/i.exec(rest)?.[1]?.toLowerCase() ?? /<(?:[\w-]+:)?(svg)[\s>]/i.exec(rest)?.[1]
}

function endOfDoctype(text: string): number {
  const open = text.indexOf('[')
  const close = text.indexOf('>')
  if (open < 0 || (close >= 0 && close < open)) return close + 1
  const end = /\]\s*>/.exec(text.slice(open))
  return end ? open + end.index + end[0].length : -1
}

/** MPEG audio and ADTS have no mark of their own, only frames that follow one another. */
function sniffAudio(source: ByteSource, head: Buffer): Sniffed | undefined {
  let start = 0
  while (source.upTo(start, 3).toString('latin1') === 'ID3') {
    const tag = source.upTo(start, 10)
    if (tag.length < 10) return known('audio/mpeg', 'MP3 audio')
    start += 10 + syncSafe(tag) + (((tag[5] ?? 0) & 0x10) === 0 ? 0 : 10)
  }
  if (start > 0) {
    const after = source.upTo(start, 4)
    if (after.toString('latin1') === 'fLaC') return known('audio/flac', 'FLAC audio')
    return isAdts(after) ? known('audio/aac', 'AAC audio') : known('audio/mpeg', 'MP3 audio')
  }
  let at = 0
  while (at < head.length && head[at] === 0) at += 1
  const first = head.subarray(at, at + 4)
  if (first.length < 4 || first[0] !== 0xff) return undefined
  if (isAdts(first)) return known('audio/aac', 'AAC audio')
  const isLayer3 = ((first[1] ?? 0) & 0xe6) === 0xe2
  const isBitrate = ((first[2] ?? 0) & 0xf0) !== 0xf0 && ((first[2] ?? 0) & 0x0c) !== 0x0c
  if (isLayer3 && isBitrate && ((first[1] ?? 0) & 0x18) !== 0x08) return known('audio/mpeg', 'MP3 audio')
  return undefined
}

function isAdts(bytes: Buffer): boolean {
  return bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xf6) === 0xf0
}

/** The 28-bit size of an ID3v2 tag (id3.org, ID3v2.4 section 6.2). */
export function syncSafe(tag: Buffer): number {
  return ((tag[6] ?? 0) << 21) | ((tag[7] ?? 0) << 14) | ((tag[8] ?? 0) << 7) | (tag[9] ?? 0)
}

/** A ZIP archive is found by its end, so that data before it does not hide it. */
function sniffZip(source: ByteSource, text: string): Sniffed | undefined {
  const isZip = /^PK(\x03\x04|\x05\x06|\x07\x08|00PK)/.test(text)
  if (isZip) return known('application/zip', 'a ZIP archive')
  const tail = source.upTo(Math.max(0, source.size - 65_557), 65_557)
  return tail.includes('PK\x05\x06') ? known('application/zip', 'a ZIP archive') : undefined
}
