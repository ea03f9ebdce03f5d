import { PDFiumLibrary } from '@hyzyla/pdfium'
import type { ByteSource } from '../byte-source'
import { corrupt } from '../defect'

export const PDFIUM_ENGINE = 'Greenroom PDF reader, PDFium (@hyzyla/pdfium 2.1)'
const MAX_OPENED = 300

/** Opens every page with the engine that Chrome shows it with. Throws a Defect when a page cannot be opened. */
export async function openPages(source: ByteSource, expected: number): Promise<void> {
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(source.whole()).catch((error: unknown) => {
      throw corrupt(`PDFium cannot open it (${error instanceof Error ? error.message : ''})`)
    })
    try {
      const count = document.getPageCount()
      if (count === 0) throw corrupt(`PDFium finds no page where ${expected} are listed`)
      for (let index = 0; index < Math.min(count, MAX_OPENED); index += 1) {
        try {
          document.getPage(index).getOriginalSize()
        } catch (error) {
          throw corrupt(`page ${index + 1} cannot be opened (${error instanceof Error ? error.message : ''})`)
        }
      }
    } finally {
      document.destroy()
    }
  } finally {
    library.destroy()
  }
}
