import { captionLayoutCheck } from '../../captions/caption-layout-check'
import { captions, otherFacts, subject } from '../../testing'
import { specOf } from '../spec'

const place = (value: number, start = 4) => ({ value, start, end: start + 1 })

export const spec = specOf(captionLayoutCheck, {
  good: [
    { name: 'one short line', given: captions() },
    { name: 'exactly 42 characters on two lines', given: captions({ widest: [place(42)], tallest: [place(2)] }) },
    {
      name: 'three lines where they are allowed',
      given: captions({ tallest: [place(3)] }),
      thresholds: { max_lines: 3 },
    },
  ],
  bad: [
    {
      name: 'a long line',
      given: captions({ widest: [place(61), place(44, 9)] }),
      details: /^2 captions have lines of more than 42 characters, the longest 61 \(at 00:00:04.000\)/,
      fix: /Break/,
    },
    {
      name: 'three lines',
      given: captions({ tallest: [place(3)] }),
      details: /1 caption has more than 2 lines, the most 3/,
    },
    { name: 'of teletext', given: captions({ widest: [place(38)] }), thresholds: { max_characters: 37 } },
  ],
  skipped: [
    { name: 'a font', given: subject(otherFacts()) },
    { name: 'images only', given: captions({ widest: [], tallest: [] }) },
    { name: 'no limit', given: captions(), thresholds: { max_characters: null, max_lines: null } },
  ],
})
