import { writeFileSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import { box } from '@/fixtures/pdf'
import { A4, write } from '../document-files'
import { bad, good, sharing } from '../files'

const pages = (count: number) => write({ pages: Array.from({ length: count }, () => ({})) })

const withLibrary = (count: number) => async (file: string) => {
  const document = await PDFDocument.create()
  for (let page = 0; page < count; page++) document.addPage()
  writeFileSync(file, await document.save())
}

// One node of the tree holds two pages, the other is a page itself.
const nested = write({
  pages: [{}, {}],
  objects: {
    10: '<< /Type /Pages /Count 3 /Kids [2 0 R 11 0 R] >>',
    11: `<< /Type /Page /Parent 10 0 R ${box('MediaBox', A4, 0)} /Resources << >> >>`,
  },
  root: 10,
})

const sheets = { thresholds: { multiple_of: 4 } }

export const FILES = sharing({ thresholds: { min_pages: 2, max_pages: 4 } }, [
  good('whole-sheets.pdf', pages(8), sheets),
  bad('sheet-not-full.pdf', pages(6), sheets),
  good('two.pdf', pages(2)),
  good('three.pdf', withLibrary(3)),
  good('four.pdf', pages(4)),
  good('tree-of-two.pdf', nested),
  bad('one.pdf', pages(1)),
  bad('five.pdf', withLibrary(5)),
  bad('five-by-hand.pdf', pages(5)),
])
