import { box } from '@/fixtures/pdf'
import { A4, write } from '../document-files'
import { bad, good, sharing } from '../files'

const sheet = (size: readonly [number, number], entries = '') => write({ pages: [{ size, entries }] })

const trimmed = (width: number, height: number, entries = '') => {
  const size = [width + 10, height + 10] as const
  return sheet(size, `${box('TrimBox', size, 5)} ${entries}`)
}
const asks = (thresholds: object) => ({ thresholds: { ...thresholds } })
const boxes = `${box('TrimBox', A4, 5)} ${box('BleedBox', A4, 2)}`

export const FILES = sharing({ thresholds: { width_mm: 210, height_mm: 297 } }, [
  good('a4.pdf', sheet(A4)),
  good('trimmed.pdf', trimmed(210, 297)),
  good('within.pdf', trimmed(210.45, 296.55)),
  good('turned.pdf', trimmed(297, 210, '/Rotate 90')),
  // 1/72 inch times ten: what is larger than 5 m is written so (14.11.2 and 7.7.3.3, UserUnit).
  good('user-unit.pdf', sheet([21, 29.7], '/UserUnit 10'), { onceWrong: true }),
  good('boxes.pdf', sheet(A4, boxes), asks({ require_trim_box: true, require_bleed_box: true })),
  good('alike.pdf', write({ pages: [{}, {}] }), asks({ same_size: true })),
  bad('wide.pdf', trimmed(210.55, 297)),
  bad('short.pdf', sheet([210, 296.4])),
  bad('untrimmed.pdf', sheet([216, 303])),
  bad('lying.pdf', trimmed(297, 210)),
  bad('user-unit-large.pdf', sheet(A4, '/UserUnit 2'), { onceWrong: true }),
  bad('second.pdf', write({ pages: [{}, { size: [210, 290] }] })),
  bad('no-trim.pdf', sheet(A4, box('BleedBox', A4, 2)), asks({ require_trim_box: true })),
  bad('no-bleed.pdf', sheet(A4, box('TrimBox', A4, 5)), asks({ require_bleed_box: true })),
  bad('unlike.pdf', write({ pages: [{}, { size: [210, 290] }] }), asks({ same_size: true })),
])
