import { SANDBOXED_PROGRAMS } from '@/lib/sandbox/programs'
import { PdfProcess, type WrittenPdf } from '../pdf-process'
import type { Separated, SeparatorJobs } from './protocol'

const separator = new PdfProcess<SeparatorJobs>(
  { program: SANDBOXED_PROGRAMS.separator, maxBytes: 1024 * 1024 * 1024, maxResultBytes: 1024 * 1024 },
  { busy: 'Too many pages are being separated at the moment.', failed: 'The page could not be separated' },
)

/**
 * The plates of a page of a PDF, and one of them as a PDF, made in a sandboxed process.
 * @param page from 1
 * @param plate of those listed, from 0; null: none is drawn, and there is no `pdf`
 * @throws DomainError `unavailable` when it could not be done, or too many wait
 */
export async function separatePdf(
  source: string,
  page: number,
  plate: number | null,
): Promise<{ separated: Separated; pdf: WrittenPdf | null }> {
  const ended = await separator.run(
    'separate',
    (into) => ({ path: source, page, plate, into }),
    (result) => plate !== null && 'plates' in result,
  )
  return 'refused' in ended ? { separated: ended, pdf: null } : { separated: ended.result, pdf: ended.written }
}

/** Ends the waiting processes, so that a process that is done can leave at once. */
export const closeSeparator = () => separator.close()
