import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { PdfProcess, type WrittenPdf } from '../pdf-process'
import type { AnnotatorJobs, Remark } from './protocol'

const annotator = new PdfProcess<AnnotatorJobs>(
  { program: SANDBOXED_PROGRAMS.annotator, maxBytes: 1536 * 1024 * 1024, maxResultBytes: 64 * 1024 },
  {
    busy: 'Too many documents are being written at the moment.',
    failed: 'The comments could not be written into the PDF',
  },
)

/**
 * A copy of a PDF with comments in it as annotations, written in a sandboxed process.
 * @returns `refused`: a sentence why nothing can be written into the file
 * @throws DomainError `unavailable` when it could not be done, or too many wait
 */
export async function annotatePdfFile(
  source: string,
  remarks: readonly Remark[],
): Promise<WrittenPdf | { refused: string }> {
  const ended = await annotator.run(
    'annotate',
    (into) => ({ path: source, into, remarks }),
    (result) => !('refused' in result),
  )
  if ('refused' in ended) return ended
  if ('refused' in ended.result) return ended.result
  return ended.written as WrittenPdf
}

/** Ends the waiting processes, so that a process that is done can leave at once. */
export const closeAnnotator = () => annotator.close()
