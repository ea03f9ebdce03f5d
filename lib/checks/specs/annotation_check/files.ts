import { writeFileSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import { box } from '@/fixtures/pdf'
import { A4, write } from '../document-files'
import { bad, good, sharing } from '../files'

const annotated = (annotation: string, entries = '') =>
  write({ pages: [{ entries: `${entries} /Annots [<< /Type /Annot ${annotation} >>]` }] })
const COMMENT = '/Subtype /Text /Contents (Too blue) /Rect [100 100 120 120]'
const BLEED = `${box('BleedBox', A4, 20)} ${box('TrimBox', A4, 23)}`
const printed = { thresholds: { rule: 'none_printed' } }

/** A field with an appearance, by another library. */
const field = async (file: string) => {
  const document = await PDFDocument.create()
  const page = document.addPage([300, 300])
  document.getForm().createTextField('amount').addToPage(page, { x: 50, y: 50, width: 100, height: 20 })
  writeFileSync(file, await document.save())
}

export const FILES = sharing({ thresholds: { rule: 'none' } }, [
  good('plain.pdf', write({ pages: [{}] })),
  good('outside-of-the-bleed.pdf', annotated('/Subtype /Text /Rect [5 5 25 25]', BLEED)),
  good('printer-mark.pdf', annotated('/Subtype /PrinterMark /Rect [100 100 120 120]')),
  good('comment-on-the-screen.pdf', annotated(COMMENT), printed),
  bad('comment.pdf', annotated(COMMENT)),
  bad('comment-within-the-bleed.pdf', annotated(COMMENT, BLEED)),
  bad('link.pdf', annotated('/Subtype /Link /Rect [100 100 120 120] /Border [0 0 0]')),
  bad('field.pdf', field),
  bad('field-that-prints.pdf', field, printed),
])
