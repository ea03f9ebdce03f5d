import { box } from '@/fixtures/pdf'
import { write } from '../document-files'
import { bad, good, sharing } from '../files'

const size = [220, 307] as const

const withBleed = (bleed: number | null, entries = '') =>
  write({
    pages: [
      {
        size,
        entries: `${box('TrimBox', size, 5)} ${bleed === null ? '' : box('BleedBox', size, 5 - bleed)} ${entries}`,
      },
    ],
  })
const oneSide = box('BleedBox', size, [2, 2, 2, 2.6])

export const FILES = sharing({ thresholds: { min_mm: 3 } }, [
  good('bleed-3.pdf', withBleed(3)),
  good('bleed-2.95.pdf', withBleed(2.95)),
  good('bleed-5.pdf', withBleed(5)),
  good('inch.pdf', withBleed(3.175), { thresholds: { min_mm: 3.175 } }),
  bad('bleed-2.8.pdf', withBleed(2.8)),
  bad('bleed-0.pdf', withBleed(0)),
  bad('no-bleed-box.pdf', withBleed(null)),
  bad('one-side.pdf', withBleed(null, oneSide)),
  // What lies outside of the sheet is not there.
  bad('beyond.pdf', withBleed(8), { thresholds: { min_mm: 6 } }),
  bad(
    'second.pdf',
    write({ pages: [{ size, entries: `${box('TrimBox', size, 5)} ${box('BleedBox', size, 2)}` }, { size }] }),
  ),
])
