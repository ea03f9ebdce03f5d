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

/** A background that reaches so many millimetres beyond the trim on each side, the one on the right as given. */
const painted = (by: number, right = by, entries = '') => {
  const points = (mm: number) => ((mm * 72) / 25.4).toFixed(3)
  const [left, width, height] = [5 - by, 210 + by + right, 297 + 2 * by]
  const rectangle = [left, left, width, height].map(points).join(' ')
  return write({
    pages: [
      {
        size,
        entries: `${box('TrimBox', size, 5)} ${box('BleedBox', size, 2)} ${entries}`,
        content: `0.6 0.2 0 0.1 k ${rectangle} re f`,
      },
    ],
  })
}
const words = (content: string) =>
  write({ pages: [{ size, entries: `${box('TrimBox', size, 5)} ${box('BleedBox', size, 2)}`, content }] })

export const FILES = sharing({ thresholds: { min_mm: 3 } }, [
  good('bleed-3.pdf', withBleed(3)),
  good('bleed-2.95.pdf', withBleed(2.95)),
  good('bleed-5.pdf', withBleed(5)),
  good('inch.pdf', withBleed(3.175), { thresholds: { min_mm: 3.175 } }),
  good('painted-3.pdf', painted(3)),
  good('painted-5.pdf', painted(5)),
  good('painted-and-cropped.pdf', painted(3, 3, box('CropBox', size, 5))),
  // Ink that ends within the page needs no bleed.
  good('margin.pdf', words('0 0 0 1 k 60 60 300 300 re f')),
  bad('nothing-painted.pdf', painted(0), { onceWrong: true }),
  bad('painted-1.pdf', painted(1)),
  bad('painted-2.pdf', painted(2)),
  bad('painted-3-sides.pdf', painted(3, 0)),
  bad('nothing-painted-and-cropped.pdf', painted(0, 0, box('CropBox', size, 5))),
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
