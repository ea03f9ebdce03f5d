import { readFileSync, writeFileSync } from 'node:fs'
import { PDFDocument, PDFName } from '@cantoo/pdf-lib'

/**
 * Gives every page that states neither trim nor art box a trim box: the page as it is shown (ISO 32000-1, 14.11.2). Written as
 * an incremental update (7.5.6): the original stands before it, byte for byte.
 */
export async function stateTrimBoxes(from: string, into: string): Promise<void> {
  const bytes = readFileSync(from)
  const document = await PDFDocument.load(bytes, { forIncrementalUpdate: true, updateMetadata: false })
  const snapshot = document.takeSnapshot()
  for (const page of document.getPages()) {
    if (page.node.get(PDFName.of('TrimBox')) || page.node.get(PDFName.of('ArtBox'))) continue
    const { x, y, width, height } = page.getCropBox()
    snapshot.markRefForSave(page.ref)
    page.node.set(PDFName.of('TrimBox'), document.context.obj([x, y, x + width, y + height]))
  }
  const added = await document.saveIncremental(snapshot)
  writeFileSync(into, Buffer.concat([bytes, added]))
}
