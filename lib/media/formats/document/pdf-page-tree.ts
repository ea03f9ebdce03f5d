import { bomb, corrupt } from '../defect'
import type { PdfDocument, PdfPage } from './pdf-document'
import type { PdfDictionary, PdfValue } from './pdf-syntax'

const MAX_PAGES = 20_000

/**
 * The pages of the page tree (ISO 32000-2, 7.7.3) in order, with what they inherit from its nodes. It is read as far as they
 * are taken.
 * @throws Defect where the tree leads to what is no page, runs in a circle, or has more than 20,000 pages
 */
export async function* pagesOf(document: PdfDocument, root: PdfDictionary): AsyncGenerator<PdfPage> {
  let pages = 0
  const seen = new Set<PdfDictionary>()
  const pending: { value: PdfValue; inherited: Map<string, PdfValue> }[] = [
    { value: root.get('Pages') ?? null, inherited: new Map() },
  ]
  while (pending.length > 0) {
    const { value, inherited } = pending.shift() as (typeof pending)[number]
    const node = await document.dictionary(value)
    if (!node) throw corrupt('its page tree leads to something that is no page')
    if (seen.has(node)) throw corrupt('its page tree runs in a circle')
    seen.add(node)
    const passed = new Map(inherited)
    for (const key of ['MediaBox', 'CropBox', 'Rotate', 'Resources'])
      if (node.has(key)) passed.set(key, node.get(key) ?? null)
    const kids = await document.array(node.get('Kids'))
    if (kids) {
      pending.unshift(...kids.map((kid) => ({ value: kid, inherited: passed })))
      continue
    }
    pages += 1
    if (pages > MAX_PAGES) throw bomb(`more than ${MAX_PAGES} pages`)
    yield { dictionary: node, inherited: passed }
  }
}
