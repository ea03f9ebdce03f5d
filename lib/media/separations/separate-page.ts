import { ByteSource } from '../formats/byte-source'
import { corrupt, Defect } from '../formats/defect'
import { PdfDocument, type PdfPage } from '../formats/document/pdf-document'
import { pagesOf } from '../formats/document/pdf-page-tree'
import { type PdfDictionary, PdfSyntaxError } from '../formats/document/pdf-syntax'
import { PagePlate } from './page-plate'
import type { PageToSeparate, Separated } from './protocol'
import { WrittenPdf } from './written-pdf'

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

/** Null where there are fewer pages. @param wanted from 1 */
async function pageOf(document: PdfDocument, root: PdfDictionary, wanted: number): Promise<PdfPage | null> {
  let number = 0
  for await (const page of pagesOf(document, root)) {
    number += 1
    if (number === wanted) return page
  }
  return null
}
