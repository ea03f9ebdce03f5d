import sharp from 'sharp'
import type { ByteSource } from '../byte-source'
import { bomb, corrupt, encrypted, malware } from '../defect'
import type { Examined } from '../format'
import { limitPixels } from '../image/raster'
import { describeTraces } from '../provenance/provenance'
import { PdfDocument, type PdfPage } from './pdf-document'
import { PdfFactsBuilder } from './pdf-facts'
import { countUnpacked } from './pdf-filters'
import { type InkSamples, isInked, isSmallEnough, isTurnedOver, sampleInks, sampleJpegInks } from './pdf-image-inks'
import { pagesOf } from './pdf-page-tree'
import { openPages, PDFIUM_ENGINE } from './pdf-pages'
import { findTraces } from './pdf-provenance'
import { isDictionary, type PdfDictionary, PdfName, PdfReference, PdfStream, type PdfValue } from './pdf-syntax'

const MAX_UNPACKED = 8 * 1024 ** 3
/** Memory of PDFium is memory of this process: larger files are validated by their structure alone. */
const MAX_PDFIUM_BYTES = 200 * 1024 * 1024
const MAX_JPEG_BYTES = 64 * 1024 * 1024

/**
 * PDF: ISO 32000-2. Every object that can be reached is read where the cross-reference puts it, every stream is
 * unpacked, every page is opened by PDFium.
 */
export async function examinePdf(source: ByteSource): Promise<Examined> {
  const document = await PdfDocument.open(source)
  if (document.trailer.has('Encrypt') && (await document.resolve(document.trailer.get('Encrypt'))) !== null) {
    throw encrypted('The document is protected by a password or by permissions')
  }
  const root = await document.dictionary(document.trailer.get('Root'))
  if (!root) throw corrupt('it has no catalogue (Root)')
  const facts = new PdfFactsBuilder(document)
  await walk(document, facts)
  const pages = await readPages(document, root)
  const startsByItself = await findAction(document, root, pages, facts)
  const media = await facts.build(root, pages)
  if (source.size <= MAX_PDFIUM_BYTES) await openPages(source, pages.length)
  // What it starts is a reason to refuse it, not one to say nothing else of it.
  const violations = startsByItself === null ? [] : [malware(startsByItself).toViolation()]
  const provenance = describeTraces(source, await findTraces(document, root))
  return { media: { ...media, provenance }, violations, engine: PDFIUM_ENGINE }
}

/** Everything that hangs on the trailer, each object once. */
async function walk(document: PdfDocument, facts: PdfFactsBuilder): Promise<void> {
  const seen = new Set<number>()
  const pending: PdfValue[] = [...document.trailer.values()]
  let unpacked = 0
  while (pending.length > 0) {
    let value = pending.pop() as PdfValue
    if (value instanceof PdfReference) {
      if (seen.has(value.number)) continue
      seen.add(value.number)
      const what = `object ${value.number}`
      value = await document.resolve(value)
      if (value instanceof PdfStream) {
        unpacked += await validateStream(document, value, what, facts)
        if (unpacked > MAX_UNPACKED) throw bomb(`its streams unpack to more than ${MAX_UNPACKED / 2 ** 30} GB`)
      }
    }
    if (value instanceof PdfStream) {
      facts.see(value.dictionary, value)
      pending.push(...value.dictionary.values())
    } else if (isDictionary(value)) {
      facts.see(value)
      pending.push(...value.values())
    } else if (Array.isArray(value)) {
      pending.push(...value)
    }
  }
}

async function validateStream(
  document: PdfDocument,
  stream: PdfStream,
  what: string,
  facts: PdfFactsBuilder,
): Promise<number> {
  const steps = await document.filters(stream)
  const size = await countUnpacked(() => document.pieces(stream), stream.length, steps, `the stream of ${what}`)
  const last = steps.at(-1)?.name
  const isImage =
    stream.dictionary.get('Subtype') instanceof PdfName &&
    (stream.dictionary.get('Subtype') as PdfName).name === 'Image'
  if (!isImage) return size
  const [width, height] = [
    await document.number(stream.dictionary.get('Width')),
    await document.number(stream.dictionary.get('Height')),
  ]
  const hasSize = width !== undefined && height !== undefined && width > 0 && height > 0
  if (hasSize) limitPixels(width, height)
  const isInk = hasSize && isSmallEnough(width, height) && (await isInked(document, stream))
  if ((last === 'DCTDecode' || last === 'DCT') && stream.length <= MAX_JPEG_BYTES) {
    const samples = await validateJpeg(document, stream, what, isInk)
    if (samples) facts.noteInks(stream, samples)
  } else if (isInk && (last === undefined || last === 'FlateDecode') && size === width * height * 4) {
    const samples = sampleInks(await document.data(stream, what), width, height, await isTurnedOver(document, stream))
    if (samples) facts.noteInks(stream, samples)
  }
  return size
}

/** Images inside a document are decoded too, though with wider limits: readers repair what printers accept. */
async function validateJpeg(
  document: PdfDocument,
  stream: PdfStream,
  what: string,
  isInk: boolean,
): Promise<InkSamples | null> {
  const data = await document.data(stream, what)
  try {
    if (isInk) return await sampleJpegInks(data, await isTurnedOver(document, stream))
    await sharp(data, { failOn: 'error', sequentialRead: true }).png({ compressionLevel: 0 }).toFile('/dev/null')
    return null
  } catch (error) {
    throw corrupt(
      `the image in ${what} cannot be decoded (${error instanceof Error ? error.message.split('\n')[0] : ''})`,
    )
  }
}

async function readPages(document: PdfDocument, root: PdfDictionary): Promise<PdfPage[]> {
  const pages: PdfPage[] = []
  for await (const page of pagesOf(document, root)) pages.push(page)
  if (pages.length === 0) throw corrupt('it has no pages')
  return pages
}

/** What runs by itself when the file or a page is opened or closed, saved or printed (ISO 32000-1, 12.6.3), as a sentence; null when nothing does. A script behind a form field is only reported to the checks. */
async function findAction(
  document: PdfDocument,
  root: PdfDictionary,
  pages: PdfPage[],
  facts: PdfFactsBuilder,
): Promise<string | null> {
  const form = await document.dictionary(root.get('AcroForm'))
  const xfa = form && (await document.resolve(form.get('XFA')))
  const hasScript = xfa ? await holdsScript(document, xfa) : false
  if (hasScript) facts.noteScript()
  const names = await document.dictionary(root.get('Names'))
  if (await document.dictionary(names?.get('JavaScript'))) return RUNS_SCRIPT
  const triggers: PdfValue[] = [root.get('OpenAction') ?? null]
  for (const holder of [root, ...pages.map((page) => page.dictionary)]) {
    const additional = await document.dictionary(holder.get('AA'))
    if (additional) triggers.push(...additional.values())
  }
  for (const trigger of triggers) {
    const found = await followAction(document, trigger, 0)
    if (found) return found
  }
  return hasScript ? 'The form of the document holds a script (XFA)' : null
}

const RUNS_SCRIPT = 'The document runs JavaScript by itself (when it is opened, closed, saved or printed)'

async function followAction(document: PdfDocument, value: PdfValue, depth: number): Promise<string | null> {
  const action = await document.dictionary(value)
  if (!action || depth > 20) return null
  const kind = await document.name(action.get('S'))
  if (kind === 'JavaScript' || action.has('JS')) return RUNS_SCRIPT
  if (kind === 'Launch')
    return 'The document starts another program by itself (when it is opened, closed, saved or printed)'
  const next = await document.resolve(action.get('Next'))
  for (const follower of Array.isArray(next) ? next : [next]) {
    const found = await followAction(document, follower, depth + 1)
    if (found) return found
  }
  return null
}

async function holdsScript(document: PdfDocument, xfa: PdfValue): Promise<boolean> {
  for (const part of Array.isArray(xfa) ? xfa : [xfa]) {
    const found = await document.resolve(part)
    if (
      found instanceof PdfStream &&
      /<(\w+:)?script[\s>]/i.test((await document.data(found, 'the form')).toString('latin1'))
    )
      return true
  }
  return false
}
