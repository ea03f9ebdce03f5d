import { video } from '../../testing'
import { scanTypeCheck } from '../../video/scan-type-check'
import { specOf } from '../spec'

const interlaced = { scanType: 'interlaced', fieldOrder: 'tff' } as const

export const spec = specOf(scanTypeCheck, {
  good: [
    { name: 'progressive', given: video() },
    {
      name: 'interlaced where that is wanted',
      given: video(interlaced),
      thresholds: { wanted: 'interlaced', field_order: 'tff' },
    },
  ],
  bad: [
    {
      name: 'interlaced',
      given: video(interlaced),
      details: /interlaced, top field first; progressive/,
      fix: /bwdif/,
    },
    { name: 'progressive where interlaced is wanted', given: video(), thresholds: { wanted: 'interlaced' } },
    {
      name: 'the other field first',
      given: video({ ...interlaced, fieldOrder: 'bff' }),
      thresholds: { wanted: 'interlaced', field_order: 'tff' },
      details: /bottom field first; top field first/,
    },
  ],
  skipped: [
    { name: 'not known', given: video({ scanType: 'unknown' }) },
    { name: 'any type is allowed', given: video(interlaced), thresholds: { wanted: 'any' } },
  ],
})
