import type { Traces } from '../provenance/provenance'
import type { PdfDocument } from './pdf-document'
import { type PdfDictionary, PdfStream } from './pdf-syntax'

const MOST_XMP_BYTES = 4 * 1024 * 1024
const MOST_FILES = 1000

/** The metadata of the document, and its manifest: an associated file of that relationship (C2PA 2.1, A.4). */
export async function findTraces(document: PdfDocument, root: PdfDictionary): Promise<Traces> {
  const traces: Traces = { manifest: null, xmp: [] }
  const metadata = await document.resolve(root.get('Metadata'))
  if (metadata instanceof PdfStream) {
    const packet = await document.data(metadata, 'the metadata')
    if (packet.length <= MOST_XMP_BYTES) traces.xmp.push(packet.toString('utf8'))
  }
  for (const each of ((await document.array(root.get('AF'))) ?? []).slice(0, MOST_FILES)) {
    const file = await document.dictionary(each)
    if ((await document.name(file?.get('AFRelationship'))) !== 'C2PA_Manifest') continue
    const embedded = await document.dictionary(file?.get('EF'))
    const stream = await document.resolve(embedded?.get('F') ?? embedded?.get('UF'))
    if (stream instanceof PdfStream)
      traces.manifest = { bytes: await document.data(stream, 'the manifest'), start: null, extent: stream.length }
  }
  return traces
}
