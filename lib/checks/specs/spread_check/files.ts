import { writeFileSync } from 'node:fs'
import { PDFDocument } from '@cantoo/pdf-lib'
import { box } from '@/fixtures/pdf'
import { write } from '../document-files'
import { bad, good, sharing } from '../files'

/** Pages of these sizes, millimetres, with a sheet of 5 mm around the trim. */
const pages = (...sizes: (readonly [number, number])[]) =>
  write({
    pages: sizes.map(([width, height]) => ({
      size: [width + 10, height + 10],
      entries: box('TrimBox', [width + 10, height + 10], 5),
    })),
  })
const A4 = [210, 297] as const
const A3 = [420, 297] as const
/** By another library, without boxes but the sheet. */
const sheets =
  (...sizes: (readonly [number, number])[]) =>
  async (file: string) => {
    const document = await PDFDocument.create()
    for (const [width, height] of sizes) document.addPage([(width * 72) / 25.4, (height * 72) / 25.4])
    writeFileSync(file, await document.save())
  }

export const FILES = [
  ...sharing({ thresholds: { rule: 'single_pages' } }, [
    good('single.pdf', pages(A4, A4, A4, A4)),
    good('single-sheets.pdf', sheets(A4, A4)),
    good('insert-of-another-height.pdf', pages(A4, [420, 200])),
    bad('one-spread.pdf', pages(A4, A3, A4)),
    bad('spread-sheets.pdf', sheets(A4, A3, A3, A4)),
  ]),
  bad('all-spreads.pdf', pages(A3, A3), { thresholds: { rule: 'single_pages', page_width_mm: 210 } }),
  good('spreads-inside.pdf', pages(A4, A3, A3, A4), { thresholds: { rule: 'spreads_inside' } }),
  bad('single-inside.pdf', pages(A4, A3, A4, A4), { thresholds: { rule: 'spreads_inside' } }),
]
