import { writeFile } from 'node:fs/promises'
import { drawLettering } from '@/fixtures/lettering'
import { bad, good, sharing } from '../files'

const CLAIM = 'Summer sale'
const LEGAL = 'Terms and conditions apply'
/** A banner of 1200 × 628 with small print of that size. Capitals of Noto Sans are 0.71 of it high. */
const banner = (size: number) => async (file: string) =>
  writeFile(
    file,
    await drawLettering(1200, 628, [
      { text: CLAIM, x: 60, y: 80, size: 90, face: 'bold' },
      { text: LEGAL, x: 60, y: 520, size },
    ]),
  )
const expects = { requiredCopy: [CLAIM, LEGAL] }

export const FILES = [
  ...sharing({ expects, thresholds: { min_height_px: 9, shown_width_px: 400 } }, [
    good('large.png', banner(60)),
    good('middling.png', banner(44)),
    bad('small.png', banner(24)),
    bad('smaller.png', banner(18)),
  ]),
  ...sharing({ expects, thresholds: { min_height_px: 14 } }, [
    good('small-at-its-own-width.png', banner(30)),
    bad('tiny-at-its-own-width.png', banner(11)),
  ]),
]
