import { ByteSource } from '../formats/byte-source'
import { corrupt, Defect } from '../formats/defect'
import { PdfDocument, type PdfPage } from '../formats/document/pdf-document'
import { type PdfDictionary, PdfSyntaxError, type PdfValue } from '../formats/document/pdf-syntax'
import { PagePlate } from './page-plate'
import type { PageToSeparate, Separated } from './protocol'
import { WrittenPdf } from './written-pdf'

const MOST_NODES = 100_000
const MOST_BYTES = 256 * 1024 * 1024

/** Lists the plates of a page, and writes one of them as a PDF of a page. Runs in the sandboxed child. */
export async function separatePage({ path, page, plate: number, into }: PageToSeparate): Promise<Separated> {
  const source = new ByteSource(path)
  try {
    const document = await PdfDocument.open(source)
    const lock = await document.resolve(document.trailer.get('Encrypt'))
    if (lock !== null) return { refused: 'It is encrypted.' }
    const root = await document.dictionary(document.trailer.get('Root'))
    if (!root) throw corrupt('it has no catalogue (Root)')
    const found = await pageOf(document, root, page)
    if (!found) return { missing: 'page' }
    const list = new PagePlate(document, source, null, null)
    await list.write(found, root)
    const { plates, notes } = list.found
    const listed = { plates, notes: [...notes] }
    if (number === null) return listed
    const plate = plates[number]
    if (!plate) return { missing: 'plate' }
    const out = new WrittenPdf(into, MOST_BYTES)
    try {
      await new PagePlate(document, source, plate, out).write(found, root)
    } finally {
      out.close()
    }
    return listed
  } catch (error) {
    if (error instanceof Defect) return { refused: error.message }
    if (error instanceof PdfSyntaxError || error instanceof RangeError)
      return { refused: `The content of the page cannot be read: ${error.message}.` }
    throw error
  } finally {
    source.close()
  }
}

/** A page with what it has from the nodes above it (7.7.3); null where there are fewer. */
async function pageOf(document: PdfDocument, root: PdfDictionary, wanted: number): Promise<PdfPage | null> {
  const pending: { value: PdfValue; inherited: Map<string, PdfValue> }[] = [
    { value: root.get('Pages') ?? null, inherited: new Map() },
  ]
  let pages = 0
  for (let nodes = 0; pending.length > 0; nodes += 1) {
    if (nodes > MOST_NODES) throw corrupt('its page tree does not end')
    const { value, inherited } = pending.pop() as (typeof pending)[number]
    const node = await document.dictionary(value)
    if (!node) throw corrupt('its page tree leads to something that is no page')
    const passed = new Map(inherited)
    for (const key of ['MediaBox', 'CropBox', 'Rotate', 'Resources'])
      if (node.has(key)) passed.set(key, node.get(key) ?? null)
    const kids = await document.array(node.get('Kids'))
    if (kids) pending.push(...kids.toReversed().map((kid) => ({ value: kid, inherited: passed })))
    else {
      pages += 1
      if (pages === wanted) return { dictionary: node, inherited: passed }
    }
  }
  return null
}
