import type { DocumentFacts, DocumentFont, DocumentImage, PageBox, PageFacts } from '../../facts'
import { corrupt } from '../defect'
import { readContents } from './pdf-contents'
import type { PdfDocument, PdfPage } from './pdf-document'
import type { InkSamples } from './pdf-image-inks'
import { PdfPainting } from './pdf-painting'
import { PdfPrint } from './pdf-print'
import { type PdfDictionary, PdfName, PdfStream, type PdfValue, textOf } from './pdf-syntax'

const MM_PER_POINT = 25.4 / 72
const MAX_PAGES_LISTED = 2000
const MAX_LISTED = 1000
/** Images whose inks are kept, 128 kB each. */
const MAX_INKED = 300

/** Collects what the checks ask of a document while its objects pass by. */
export class PdfFactsBuilder {
  private readonly images: PdfDictionary[] = []
  private readonly inks = new Map<number, InkSamples>()
  private hasJavaScript = false
  private hasLaunchAction = false

  constructor(private readonly document: PdfDocument) {}

  /** Reads one dictionary; `stream` when it heads one. */
  see(dictionary: PdfDictionary, stream?: PdfStream): void {
    const action = nameOf(dictionary.get('S'))
    if (action === 'JavaScript' || dictionary.has('JS')) this.hasJavaScript = true
    if (action === 'URI' && isScriptAddress(dictionary.get('URI'))) this.hasJavaScript = true
    if (action === 'Launch') this.hasLaunchAction = true
    if (nameOf(dictionary.get('Subtype')) === 'Image' && stream && this.images.length < MAX_LISTED)
      this.images.push(dictionary)
  }

  /** What was looked at while the image was validated. */
  noteInks({ start }: PdfStream, samples: InkSamples): void {
    if (this.inks.size < MAX_INKED) this.inks.set(start, samples)
  }

  /** A form of XFA holds its scripts in XML, where no object shows them. */
  noteScript(): void {
    this.hasJavaScript = true
  }

  async build(root: PdfDictionary, pages: PdfPage[]): Promise<DocumentFacts> {
    const { document } = this
    const information = await document.dictionary(document.trailer.get('Info'))
    const names = await document.dictionary(root.get('Names'))
    const form = await document.dictionary(root.get('AcroForm'))
    const metadata = await document.resolve(root.get('Metadata'))
    const xmp =
      metadata instanceof PdfStream
        ? (await document.data(metadata, 'the metadata')).toString('utf8').slice(0, 500_000)
        : ''
    const stated = await document.name(root.get('Version'))
    const print = new PdfPrint(document, this.inks)
    await print.readLayers(root)
    const painting = new PdfPainting(document, print)
    await painting.walk(pages)
    const { spaces, spots } = await this.listColours(painting)
    const pageSizes: PageFacts[] = []
    for (const page of pages.slice(0, MAX_PAGES_LISTED))
      pageSizes.push(await this.pageFacts(page, pageSizes.length + 1))
    const text = async (key: string) => textOf(await document.resolve(information?.get(key)))
    // The editions of 2001 name the part of the standard, and beside it the conformance that counts (ISO 15930-1, 6.13).
    const x = (await text('GTS_PDFXConformance')) ?? (await text('GTS_PDFXVersion'))
    return {
      kind: 'document',
      format: 'pdf',
      pages: pages.length,
      pageSizes,
      pdfVersion: stated !== undefined && stated > document.version ? stated : document.version,
      encrypted: false,
      hasJavaScript: this.hasJavaScript,
      hasLaunchAction: this.hasLaunchAction,
      hasForms: ((await document.array(form?.get('Fields'))) ?? []).length > 0,
      hasXfa: form?.has('XFA') ?? false,
      hasAttachments: (names?.has('EmbeddedFiles') ?? false) || root.has('AF'),
      hasTransparency: await this.isSeeThrough(painting),
      hasOptionalContent: root.has('OCProperties'),
      isTagged: (await document.resolve((await document.dictionary(root.get('MarkInfo')))?.get('Marked'))) === true,
      isLinearized: false,
      pdfxVersion: x ?? inXmp(xmp, 'GTS_PDFXConformance') ?? inXmp(xmp, 'GTS_PDFXVersion'),
      pdfaVersion: pdfaVersion(xmp),
      outputIntent: await this.outputIntent(root),
      fonts: await this.listFonts([...painting.fonts].slice(0, MAX_LISTED)),
      images: await this.listImages(),
      colourSpaces: spaces,
      spotColours: spots,
      print: print.facts,
      contents: {
        ...(await readContents(document, root, pages, pageSizes)),
        layers: print.layers,
        blendSpaces: await this.blendSpaces(painting),
      },
      title: await text('Title'),
      author: await text('Author'),
      creator: await text('Creator'),
      producer: await text('Producer'),
    }
  }

  /**
   * Alpha below one, a soft mask, a group that is blended as one, or a mode of blending that is not the plain one: the first
   * known of a list counts (11.6.3).
   */
  private async isSeeThrough({ states, drawn }: PdfPainting): Promise<boolean> {
    const { document } = this
    for (const each of [...states, ...drawn]) {
      const mask = await document.resolve(each.get('SMask'))
      if (mask !== null && nameOf(mask) !== 'None') return true
      const group = await document.dictionary(each.get('Group'))
      if ((await document.name(group?.get('S'))) === 'Transparency') return true
    }
    for (const state of states) {
      for (const key of ['ca', 'CA']) {
        const alpha = await document.number(state.get(key))
        if (alpha !== undefined && alpha < 1) return true
      }
      const mode = await document.name((await document.array(state.get('BM')))?.[0] ?? state.get('BM'))
      if (mode !== undefined && mode !== 'Normal' && mode !== 'Compatible') return true
    }
    return false
  }

  /** The spaces that groups of pages and drawings are blended in. */
  private async blendSpaces({ drawn }: PdfPainting): Promise<string[]> {
    const spaces = new Set<string>()
    for (const each of drawn) {
      const group = await this.document.dictionary(each.get('Group'))
      const space = group?.has('CS') ? await this.describeSpace(group.get('CS') ?? null) : null
      if (space) spaces.add(space)
    }
    return [...spaces].sort()
  }

  private async pageFacts(page: PdfPage, number: number): Promise<PageFacts> {
    // Points unless the page says otherwise (table 30).
    const unit = (await this.document.number(page.dictionary.get('UserUnit') ?? null)) ?? 1
    const box = async (key: string, isInherited: boolean) =>
      this.box(page.dictionary.get(key) ?? (isInherited ? page.inherited.get(key) : undefined), unit > 0 ? unit : 1)
    const mediaBox = await box('MediaBox', true)
    if (!mediaBox) throw corrupt(`page ${number} has no size (MediaBox)`)
    const cropBox = await box('CropBox', true)
    const turn = (await this.document.number(page.dictionary.get('Rotate') ?? page.inherited.get('Rotate'))) ?? 0
    const rotation = ((turn % 360) + 360) % 360
    const seen = cropBox ?? mediaBox
    const isTurned = rotation === 90 || rotation === 270
    return {
      widthMm: isTurned ? seen.heightMm : seen.widthMm,
      heightMm: isTurned ? seen.widthMm : seen.heightMm,
      rotation,
      mediaBox,
      cropBox,
      trimBox: await box('TrimBox', false),
      bleedBox: await box('BleedBox', false),
      artBox: await box('ArtBox', false),
    }
  }

  /** A rectangle in the units of its page, its corners in either order (7.9.5), in millimetres. */
  private async box(value: PdfValue | undefined, unit: number): Promise<PageBox | null> {
    const corners = await this.document.array(value)
    if (!corners || corners.length < 4) return null
    const numbers: number[] = []
    for (const corner of corners.slice(0, 4)) numbers.push((await this.document.number(corner)) ?? Number.NaN)
    const [a, b, c, d] = numbers as [number, number, number, number]
    if (numbers.some(Number.isNaN)) return null
    const mm = (points: number) => Math.round(points * unit * MM_PER_POINT * 1000) / 1000
    return {
      xMm: mm(Math.min(a, c)),
      yMm: mm(Math.min(b, d)),
      widthMm: mm(Math.abs(c - a)),
      heightMm: mm(Math.abs(d - b)),
    }
  }

  private async listFonts(used: readonly PdfDictionary[]): Promise<DocumentFont[]> {
    const fonts = new Map<string, DocumentFont>()
    for (const font of used) {
      const type = (await this.document.name(font.get('Subtype'))) ?? 'unknown'
      // A composite font is described by its descendant, which passes by itself.
      if (type === 'Type0') continue
      const base = (await this.document.name(font.get('BaseFont'))) ?? '(unnamed)'
      const descriptor = await this.document.dictionary(font.get('FontDescriptor'))
      const embedded = type === 'Type3' || ['FontFile', 'FontFile2', 'FontFile3'].some((key) => descriptor?.has(key))
      fonts.set(`${base}\0${type}`, {
        name: base.replace(/^[A-Z]{6}\+/, '').slice(0, 200),
        type,
        embedded,
        subset: /^[A-Z]{6}\+/.test(base),
      })
    }
    return [...fonts.values()]
  }

  private async listImages(): Promise<DocumentImage[]> {
    const images: DocumentImage[] = []
    for (const image of this.images) {
      images.push({
        width: (await this.document.number(image.get('Width'))) ?? 0,
        height: (await this.document.number(image.get('Height'))) ?? 0,
        bitsPerComponent: (await this.document.number(image.get('BitsPerComponent'))) ?? null,
        colourSpace: await this.describeSpace(image.get('ColorSpace') ?? null),
      })
    }
    return images
  }

  /** The spaces that pages paint with, and those that groups are blended in. */
  private async listColours(painting: PdfPainting): Promise<{ spaces: string[]; spots: string[] }> {
    const used = new Set(painting.spaces)
    for (const each of painting.drawn) {
      const blended = (await this.document.dictionary(each.get('Group')))?.get('CS')
      if (blended) used.add(blended)
    }
    const spaces = new Set<string>()
    const spots = new Set<string>()
    for (const space of used) {
      const described = await this.describeSpace(space)
      if (described !== null) spaces.add(described)
      for (const name of await this.colorants(space)) {
        if (!['None', 'All', 'Cyan', 'Magenta', 'Yellow', 'Black'].includes(name)) spots.add(name.slice(0, 100))
      }
    }
    return { spaces: [...spaces].sort(), spots: [...spots].sort().slice(0, MAX_LISTED) }
  }

  /** The inks of a space and of the one below it: an index or a pattern paints with those of its base. */
  private async colorants(space: PdfValue, depth = 0): Promise<string[]> {
    const parts = await this.document.array(space)
    const family = await this.document.name(parts?.[0])
    if (!parts || depth > 4) return []
    if (family === 'Indexed' || family === 'I' || family === 'Pattern')
      return this.colorants(parts[1] ?? null, depth + 1)
    const inks =
      family === 'Separation'
        ? [parts[1] ?? null]
        : family === 'DeviceN'
          ? ((await this.document.array(parts[1])) ?? [])
          : []
    const names: string[] = []
    for (const ink of inks) {
      const name = await this.document.name(ink)
      if (name !== undefined) names.push(name)
    }
    return names
  }

  private async describeSpace(space: PdfValue, depth = 0): Promise<string | null> {
    const found = await this.document.resolve(space)
    if (found instanceof PdfName) return found.name
    if (!Array.isArray(found) || depth > 4) return null
    const family = await this.document.name(found[0])
    if (family === 'ICCBased') {
      const components = await this.document.number((await this.document.dictionary(found[1]))?.get('N'))
      return `ICCBased ${{ 1: 'Grey', 3: 'RGB', 4: 'CMYK' }[components ?? 0] ?? ''}`.trim()
    }
    if (family === 'Indexed' || family === 'I' || family === 'Pattern') {
      const base = await this.describeSpace(found[1] ?? null, depth + 1)
      return `${family === 'Pattern' ? 'Pattern' : 'Indexed'} ${base ?? ''}`.trim()
    }
    return family ?? null
  }

  private async outputIntent(root: PdfDictionary): Promise<string | null> {
    const intents = (await this.document.array(root.get('OutputIntents'))) ?? []
    // An archive copy (PDF/A) names one of its own, which says nothing of a print job.
    let intent: PdfDictionary | undefined
    for (const value of intents) {
      const each = await this.document.dictionary(value)
      if ((await this.document.name(each?.get('S'))) === 'GTS_PDFX') intent ??= each
    }
    for (const key of ['OutputConditionIdentifier', 'OutputCondition', 'Info']) {
      const text = textOf(await this.document.resolve(intent?.get(key)))
      if (text) return text
    }
    return null
  }
}

function nameOf(value: PdfValue | undefined): string | undefined {
  return value instanceof PdfName ? value.name : undefined
}

/** An address that a viewer runs instead of opening it. */
function isScriptAddress(value: PdfValue | undefined): boolean {
  return Buffer.isBuffer(value) && /^\s*javascript:/i.test(textOf(value) ?? '')
}

function inXmp(xmp: string, key: string): string | null {
  return new RegExp(`${key}(?:>|=["'])([^<"']{1,60})`).exec(xmp)?.[1] ?? null
}

function pdfaVersion(xmp: string): string | null {
  const part = inXmp(xmp, 'pdfaid:part')
  return part === null ? null : `PDF/A-${part}${(inXmp(xmp, 'pdfaid:conformance') ?? '').toLowerCase()}`
}
