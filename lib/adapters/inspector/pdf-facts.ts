import type { DocumentFacts, DocumentFont, DocumentImage, PageBox, PageFacts } from '@/lib/checks/facts'
import { corrupt } from './defect'
import type { PdfPage } from './pdf'
import type { PdfDocument } from './pdf-document'
import { isDictionary, type PdfDictionary, PdfName, PdfStream, type PdfValue } from './pdf-syntax'

const MM_PER_POINT = 25.4 / 72
const MAX_PAGES_LISTED = 2000
const MAX_LISTED = 1000

/** Collects what the checks ask of a document while its objects pass by. */
export class PdfFactsBuilder {
  private readonly fonts: PdfDictionary[] = []
  private readonly images: PdfDictionary[] = []
  private readonly colourSpaces: PdfValue[] = []
  private hasJavaScript = false
  private hasLaunchAction = false
  private hasTransparency = false

  constructor(private readonly document: PdfDocument) {}

  /** Looks at one dictionary; `stream` when it heads one. */
  see(dictionary: PdfDictionary, stream?: PdfStream): void {
    const type = nameOf(dictionary.get('Type'))
    const subtype = nameOf(dictionary.get('Subtype'))
    const action = nameOf(dictionary.get('S'))
    if (action === 'JavaScript' || dictionary.has('JS')) this.hasJavaScript = true
    if (action === 'Launch') this.hasLaunchAction = true
    if (action === 'Transparency') this.hasTransparency = true
    if (type === 'Font' && this.fonts.length < MAX_LISTED) this.fonts.push(dictionary)
    if (subtype === 'Image' && stream && this.images.length < MAX_LISTED) this.images.push(dictionary)
    if (isDictionary(dictionary.get('ColorSpace')))
      this.colourSpaces.push(...(dictionary.get('ColorSpace') as PdfDictionary).values())
    else if (dictionary.has('ColorSpace')) this.colourSpaces.push(dictionary.get('ColorSpace') ?? null)
    if (dictionary.has('CS') && nameOf(dictionary.get('S')) === 'Transparency')
      this.colourSpaces.push(dictionary.get('CS') ?? null)
    for (const key of ['ca', 'CA']) {
      const alpha = dictionary.get(key)
      if (typeof alpha === 'number' && alpha < 1) this.hasTransparency = true
    }
    const mask = dictionary.get('SMask')
    if (mask !== undefined && mask !== null && nameOf(mask) !== 'None') this.hasTransparency = true
    const blend = nameOf(dictionary.get('BM'))
    if (blend !== undefined && blend !== 'Normal' && blend !== 'Compatible') this.hasTransparency = true
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
    const { spaces, spots } = await this.listColours()
    const pageSizes: PageFacts[] = []
    for (const page of pages.slice(0, MAX_PAGES_LISTED))
      pageSizes.push(await this.pageFacts(page, pageSizes.length + 1))
    const text = async (key: string) => textOf(await document.resolve(information?.get(key)))
    const x = await text('GTS_PDFXVersion')
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
      hasTransparency: this.hasTransparency,
      hasOptionalContent: root.has('OCProperties'),
      isTagged: (await document.resolve((await document.dictionary(root.get('MarkInfo')))?.get('Marked'))) === true,
      isLinearized: false,
      pdfxVersion: x ?? inXmp(xmp, 'GTS_PDFXVersion'),
      pdfaVersion: pdfaVersion(xmp),
      outputIntent: await this.outputIntent(root),
      fonts: await this.listFonts(),
      images: await this.listImages(),
      colourSpaces: spaces,
      spotColours: spots,
      title: await text('Title'),
      author: await text('Author'),
      creator: await text('Creator'),
      producer: await text('Producer'),
    }
  }

  private async pageFacts(page: PdfPage, number: number): Promise<PageFacts> {
    const box = async (key: string, isInherited: boolean) =>
      this.box(page.dictionary.get(key) ?? (isInherited ? page.inherited.get(key) : undefined))
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

  /** A rectangle in points, its corners in either order (7.9.5), in millimetres. */
  private async box(value: PdfValue | undefined): Promise<PageBox | null> {
    const corners = await this.document.array(value)
    if (!corners || corners.length < 4) return null
    const numbers: number[] = []
    for (const corner of corners.slice(0, 4)) numbers.push((await this.document.number(corner)) ?? Number.NaN)
    const [a, b, c, d] = numbers as [number, number, number, number]
    if (numbers.some(Number.isNaN)) return null
    const mm = (points: number) => Math.round(points * MM_PER_POINT * 1000) / 1000
    return {
      xMm: mm(Math.min(a, c)),
      yMm: mm(Math.min(b, d)),
      widthMm: mm(Math.abs(c - a)),
      heightMm: mm(Math.abs(d - b)),
    }
  }

  private async listFonts(): Promise<DocumentFont[]> {
    const fonts = new Map<string, DocumentFont>()
    for (const font of this.fonts) {
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

  private async listColours(): Promise<{ spaces: string[]; spots: string[] }> {
    const spaces = new Set<string>()
    const spots = new Set<string>()
    for (const space of this.colourSpaces) {
      const described = await this.describeSpace(space)
      if (described !== null) spaces.add(described)
      const parts = await this.document.array(space)
      const family = await this.document.name(parts?.[0])
      const colorants =
        family === 'Separation'
          ? [parts?.[1] ?? null]
          : family === 'DeviceN'
            ? ((await this.document.array(parts?.[1])) ?? [])
            : []
      for (const colorant of colorants) {
        const name = await this.document.name(colorant)
        if (name !== undefined && !['None', 'All', 'Cyan', 'Magenta', 'Yellow', 'Black'].includes(name))
          spots.add(name.slice(0, 100))
      }
    }
    return { spaces: [...spaces].sort(), spots: [...spots].sort().slice(0, MAX_LISTED) }
  }

  private async describeSpace(space: PdfValue): Promise<string | null> {
    const found = await this.document.resolve(space)
    if (found instanceof PdfName) return found.name
    if (!Array.isArray(found)) return null
    const family = await this.document.name(found[0])
    if (family === 'ICCBased') {
      const components = await this.document.number((await this.document.dictionary(found[1]))?.get('N'))
      return `ICCBased ${{ 1: 'Grey', 3: 'RGB', 4: 'CMYK' }[components ?? 0] ?? ''}`.trim()
    }
    if (family === 'Indexed' || family === 'I') return `Indexed ${(await this.baseName(found[1])) ?? ''}`.trim()
    return family ?? null
  }

  private async baseName(space: PdfValue | undefined): Promise<string | undefined> {
    const found = await this.document.resolve(space)
    if (found instanceof PdfName) return found.name
    return Array.isArray(found) ? this.document.name(found[0]) : undefined
  }

  private async outputIntent(root: PdfDictionary): Promise<string | null> {
    const intents = (await this.document.array(root.get('OutputIntents'))) ?? []
    const intent = await this.document.dictionary(intents[0])
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

/** A text string: UTF-16 or UTF-8 by its mark, else PDFDocEncoding, whose letters are those of Latin 1 (7.9.2.2). */
function textOf(value: PdfValue): string | null {
  if (!Buffer.isBuffer(value)) return null
  const text =
    value[0] === 0xfe && value[1] === 0xff
      ? Buffer.from(value.subarray(2, value.length & ~1))
          .swap16()
          .toString('utf16le')
      : value[0] === 0xef && value[1] === 0xbb
        ? value.toString('utf8', 3)
        : value.toString('latin1')
  return text.slice(0, 500) || null
}

function inXmp(xmp: string, key: string): string | null {
  return new RegExp(`${key}(?:>|=["'])([^<"']{1,60})`).exec(xmp)?.[1] ?? null
}

function pdfaVersion(xmp: string): string | null {
  const part = inXmp(xmp, 'pdfaid:part')
  return part === null ? null : `PDF/A-${part}${(inXmp(xmp, 'pdfaid:conformance') ?? '').toLowerCase()}`
}
