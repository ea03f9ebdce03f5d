import type { Printable } from './printable'
import { renderBatchReport } from './render-batch-report'
import { renderCertificate } from './render-certificate'
import { renderContactSheet } from './render-contact-sheet'
import { renderEstimate } from './render-estimate'

/** Draws a document as PDF 1.7. The same document gives the same bytes. */
export function render(document: Printable): Promise<Buffer> {
  switch (document.kind) {
    case 'estimate':
      return renderEstimate(document.sheet)
    case 'certificate':
      return renderCertificate(document.certificate)
    case 'report':
      return renderBatchReport(document.report)
    case 'contact_sheet':
      return renderContactSheet(document.sheet, document.images)
  }
}
