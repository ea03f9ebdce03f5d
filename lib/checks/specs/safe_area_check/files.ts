import { writeFile } from 'node:fs/promises'
import { drawLettering } from '@/fixtures/lettering'
import { bad, good, sharing } from '../files'

const CLAIM = 'Summer sale'
/** A story of 540 × 960: its claim there, with letters of 40 px. */
const story = (x: number, y: number, other?: { text: string; x: number; y: number }) => async (file: string) =>
  writeFile(
    file,
    await drawLettering(540, 960, [
      { text: CLAIM, x, y, size: 40, face: 'bold' },
      ...(other ? [{ ...other, size: 24 }] : []),
    ]),
  )
const expects = { requiredCopy: [CLAIM] }
/** 14 % of 960 px are 134, 80 % 768. */
const stories = { top_percent: 14, bottom_percent: 20 }
const sides = { left_percent: 6, right_percent: 6 }

export const FILES = [
  ...sharing({ expects, thresholds: stories }, [
    good('middle.png', story(120, 450)),
    good('just-below-the-edge.png', story(120, 150)),
    good('just-above-the-edge.png', story(120, 700)),
    bad('at-the-top.png', story(120, 60)),
    bad('across-the-edge.png', story(120, 110)),
    bad('at-the-bottom.png', story(120, 850)),
    bad('imprint-at-the-bottom.png', story(120, 450, { text: 'Greenroom Publishing Limited', x: 60, y: 900 })),
  ]),
  ...sharing({ expects, thresholds: sides }, [
    good('between-the-sides.png', story(120, 40)),
    bad('at-the-left.png', story(8, 450)),
    bad('at-the-right.png', story(290, 450)),
  ]),
]
