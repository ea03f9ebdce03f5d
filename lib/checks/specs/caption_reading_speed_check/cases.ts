import { captionReadingSpeedCheck } from '../../captions/caption-reading-speed-check'
import { captions, otherFacts, subject } from '../../testing'
import { specOf } from '../spec'

const place = (value: number, start = 4) => ({ value, start, end: start + 1 })

export const spec = specOf(captionReadingSpeedCheck, {
  good: [
    { name: 'slow', given: captions() },
    { name: 'exactly at the limit', given: captions({ fastest: [place(20)] }) },
    {
      name: 'a hundred words a minute',
      given: captions({ wordiest: [place(100)] }),
      thresholds: { max_words_per_minute: 180 },
    },
    { name: 'words are not asked for', given: captions({ wordiest: [place(400)] }) },
  ],
  bad: [
    {
      name: 'too fast',
      given: captions({ fastest: [place(31.25), place(22), place(10)] }),
      details: /^2 captions are faster than 20 characters a second, the fastest 31.3 \(at 00:00:04.000\)\.$/,
      fix: /stand longer/,
    },
    { name: 'for children', given: captions({ fastest: [place(18)] }), thresholds: { max_characters_per_second: 17 } },
    {
      name: 'too many words',
      given: captions({ wordiest: [place(240)] }),
      thresholds: { max_characters_per_second: null, max_words_per_minute: 180 },
      details: /1 caption has more than 180 words a minute, the most 240/,
    },
    {
      name: 'many',
      given: captions({ fastest: Array.from({ length: 100 }, () => place(40)) }),
      details: /^At least 100 captions/,
    },
  ],
  skipped: [
    { name: 'a font', given: subject(otherFacts()) },
    { name: 'images only', given: captions({ fastest: [], wordiest: [], widest: [] }) },
    { name: 'no limit', given: captions(), thresholds: { max_characters_per_second: null } },
  ],
})
