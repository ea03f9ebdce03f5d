import type { ByteSource } from '../byte-source'
import { bomb, corrupt } from '../defect'
import type { Examined } from '../format'
import { imageFacts, MAX_PIXELS, openRaster, RASTER_ENGINE, rasterDefect, readMetadata, readOpacity } from './raster'
import { validateAttributes, validateElement, validateInstruction, validateStyleSheet } from './svg-content'
import { parseXml, type XmlElement } from './xml'

const MAX_BYTES = 64 * 1024 * 1024
/** Elements drawn once every reference is followed. Real drawings stay far below. */
const MAX_DRAWN = 500_000
/** The image is drawn to prove that it can be, at no more than this size. */
const PROOF_PIXELS = 4_000_000

/**
 * SVG: SVG 2 (W3C). Strict XML, no script, nothing loaded from elsewhere, a bounded number of elements to draw, and
 * drawn once. Nothing is cleaned: what is not acceptable is refused.
 */
export async function examineSvg(source: ByteSource): Promise<Examined> {
  if (source.size > MAX_BYTES) throw bomb(`a drawing of ${Math.round(source.size / 2 ** 20)} MB`)
  const bytes = source.whole()
  const graph = new ReferenceGraph()
  const open: XmlElement[] = []
  let styles = ''
  parseXml(decode(bytes), {
    open: (element) => {
      if (open.length === 0 && element.localName !== 'svg') throw corrupt(`its root is <${element.name}> and not <svg>`)
      open.push(element)
      validateElement(element)
      validateAttributes(element)
      graph.open(element)
    },
    close: () => {
      const element = open.pop()
      if (element?.localName === 'style') {
        validateStyleSheet(styles)
        styles = ''
      }
      graph.close()
    },
    text: (text) => {
      if (open.at(-1)?.localName === 'style') styles += text
    },
    instruction: validateInstruction,
  })
  const drawn = graph.drawn()
  if (drawn > MAX_DRAWN) throw bomb(`its references draw more than ${MAX_DRAWN} elements`)
  const metadata = await readMetadata(bytes)
  await draw(bytes, metadata.width, metadata.height)
  return {
    media: {
      ...imageFacts('svg', metadata),
      densityDpi: null,
      bitDepth: null,
      isOpaque: await readOpacity(bytes, metadata),
      colourSpace: 'srgb',
    },
    engine: RASTER_ENGINE,
  }
}

/** By its mark, or the encoding it declares (XML 1.0, appendix F). */
function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const declared = /^<\?xml[^>]*encoding\s*=\s*["']([\w.-]+)["']/.exec(bytes.toString('latin1', 0, 200))?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(declared, { fatal: true }).decode(bytes)
  } catch {
    throw corrupt(`its text is not valid ${declared.toUpperCase()}`)
  }
}

/** The whole drawing, scaled down when it is large: the decoder's limit is on pixels, not on what they cost. */
async function draw(bytes: Buffer, width: number, height: number): Promise<void> {
  if (width * height > MAX_PIXELS * 16) throw bomb(`a drawing of ${width} × ${height} pixels`)
  const scale = Math.min(1, Math.sqrt(PROOF_PIXELS / (width * height)))
  try {
    await openRaster(bytes)
      .resize({ width: Math.max(1, Math.round(width * scale)) })
      .png({ compressionLevel: 0 })
      .toFile('/dev/null')
  } catch (error) {
    throw rasterDefect(error)
  }
}

/** Counts what is drawn when `use`, patterns, masks, markers and filters are followed: references may multiply. */
class ReferenceGraph {
  private readonly starts: number[] = []
  private readonly ends: number[] = []
  private readonly stack: number[] = []
  private readonly byId = new Map<string, number>()
  private readonly references: { from: number; to: string }[] = []
  private readonly known = new Map<number, number>()
  private readonly running = new Set<number>()

  open(element: XmlElement): void {
    const index = this.starts.length
    this.starts.push(index)
    this.ends.push(index + 1)
    this.stack.push(index)
    const id = element.attributes.get('id')
    if (id !== undefined && !this.byId.has(id)) this.byId.set(id, index)
    for (const [name, value] of element.attributes) {
      const isLink = name === 'href' || name.endsWith(':href')
      if (isLink && element.localName !== 'a' && value.startsWith('#'))
        this.references.push({ from: index, to: value.slice(1) })
      if (!value.includes('url(')) continue
      for (const [, to] of value.matchAll(/url\(\s*["']?#([^"')]+)["']?\s*\)/g))
        if (to) this.references.push({ from: index, to })
    }
  }

  close(): void {
    const index = this.stack.pop()
    if (index !== undefined) this.ends[index] = this.starts.length
  }

  drawn(): number {
    return this.starts.length === 0 ? 0 : this.weigh(0)
  }

  /** Elements drawn for one element. A circle draws nothing more: the specification makes it an error. */
  private weigh(index: number): number {
    const known = this.known.get(index)
    if (known !== undefined) return known
    if (this.running.has(index)) return 0
    this.running.add(index)
    const end = this.ends[index] ?? index + 1
    let weight = end - index
    for (let at = this.firstFrom(index); at < this.references.length; at += 1) {
      const reference = this.references[at]
      if (!reference || reference.from >= end) break
      const target = this.byId.get(reference.to)
      if (target !== undefined) weight += this.weigh(target)
      if (weight > MAX_DRAWN) break
    }
    this.running.delete(index)
    this.known.set(index, weight)
    return weight
  }

  /** References stand in the order of their elements. */
  private firstFrom(index: number): number {
    let [low, high] = [0, this.references.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.references[middle]?.from ?? 0) < index) low = middle + 1
      else high = middle
    }
    return low
  }
}
