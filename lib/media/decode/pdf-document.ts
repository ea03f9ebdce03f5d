import { readFile } from 'node:fs/promises'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/**
 * Lends a PDF to be read, not painted: none of its scripts is run and none of its fonts loaded. Where a crash harms
 * no one; rejects with the reader's reason.
 */
export async function withPdf<T>(path: string, use: (document: PDFDocumentProxy) => Promise<T>): Promise<T> {
  const task = getDocument({
    data: new Uint8Array(await readFile(path)),
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    verbosity: 0,
  })
  const document = await task.promise
  try {
    return await use(document)
  } finally {
    await task.destroy()
  }
}
