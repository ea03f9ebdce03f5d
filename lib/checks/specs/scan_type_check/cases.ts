import { video, videoFrames } from '../../testing'
import { scanTypeCheck } from '../../video/scan-type-check'
import { specOf } from '../spec'

const interlaced = { scanType: 'interlaced', fieldOrder: 'tff' } as const
/** What pairs of frames show: top first, bottom first, one moment each, nothing. */
const shows = (
  top: number,
  bottom: number,
  progressive: number,
  undecided = 0,
  facts: Parameters<typeof video>[0] = {},
) => videoFrames({ fields: { top, bottom, progressive, undecided } }, facts)

export const spec = specOf(scanTypeCheck, {
  good: [
    { name: 'progressive', given: video(), confidence: 0.85 },
    {
      name: 'interlaced where that is wanted',
      given: video(interlaced),
      thresholds: { wanted: 'interlaced', field_order: 'tff' },
    },
    { name: 'progressive by its frames, too', given: shows(0, 0, 20, 4), confidence: 0.97 },
    {
      name: 'progressive by two pairs of frames, which say no more than the statement',
      given: shows(0, 0, 2),
      confidence: 0.85,
    },
    {
      name: 'progressive by two pairs of frames alone',
      given: shows(0, 0, 2, 0, { scanType: 'unknown' }),
      confidence: 0.72,
    },
    {
      name: 'progressive by many pairs of frames alone',
      given: shows(0, 0, 60, 0, { scanType: 'unknown' }),
      confidence: 0.99,
    },
    { name: 'a few pairs that look like fields among many that do not', given: shows(1, 1, 20), confidence: 0.85 },
    {
      name: 'nothing moves, so the statement counts',
      given: shows(0, 0, 0, 30),
      details: 'The video is marked progressive',
    },
    {
      name: 'two fields, as stated',
      given: shows(18, 0, 1, 3, interlaced),
      thresholds: { wanted: 'interlaced', field_order: 'tff' },
    },
    {
      name: 'progressive frames carried in fields, where interlaced is wanted',
      given: shows(0, 0, 20, 0, interlaced),
      thresholds: { wanted: 'interlaced', field_order: 'tff' },
    },
  ],
  bad: [
    {
      name: 'interlaced',
      given: video(interlaced),
      details: /interlaced, top field first; progressive/,
      fix: /bwdif/,
      confidence: 1,
    },
    { name: 'progressive where interlaced is wanted', given: video(), thresholds: { wanted: 'interlaced' } },
    {
      name: 'the other field first',
      given: video({ ...interlaced, fieldOrder: 'bff' }),
      thresholds: { wanted: 'interlaced', field_order: 'tff' },
      details: /bottom field first; top field first/,
      confidence: 1,
    },
    {
      name: 'two fields, though marked progressive',
      given: shows(18, 1, 2),
      details: /marked progressive, and its frames are interlaced, top field first; progressive/,
      fix: /bwdif/,
    },
    { name: 'progressive video carried in fields, two frames in five', given: shows(8, 0, 12), confidence: 0.99 },
    {
      name: 'fields of both orders, which are no progressive video either way',
      given: shows(9, 9, 2),
      confidence: 0.99,
    },
    { name: 'a few pairs more than progressive video shows', given: shows(4, 0, 20), confidence: 0.59 },
    {
      name: 'one moment a frame, though marked interlaced',
      given: shows(0, 0, 20, 0, interlaced),
      details: /marked interlaced, top field first, and its frames are progressive/,
      fix: /setfield=prog/,
    },
    {
      name: 'two fields that are marked progressive, where interlaced is wanted',
      given: shows(0, 18, 1),
      thresholds: { wanted: 'interlaced' },
      fix: /setfield=bff/,
      confidence: 1,
    },
    {
      name: 'the fields come in another order than stated',
      given: shows(0, 18, 1, 0, interlaced),
      thresholds: { wanted: 'interlaced' },
      details: /marked interlaced, top field first, and its frames are interlaced, bottom field first/,
    },
    {
      name: 'the fields come in another order than wanted, whatever is stated',
      given: shows(0, 18, 1, 0, interlaced),
      thresholds: { wanted: 'any', field_order: 'tff' },
      confidence: 0.99,
    },
    {
      name: 'as many pairs of the one order as of the other, where one is wanted',
      given: shows(9, 9, 1, 0, { scanType: 'interlaced', fieldOrder: null }),
      thresholds: { wanted: 'interlaced', field_order: 'tff' },
      confidence: 0.5,
    },
    {
      name: 'nearly as many pairs of the one order as of the other',
      given: shows(8, 10, 1, 0, interlaced),
      thresholds: { wanted: 'interlaced' },
      confidence: 0.68,
    },
  ],
  skipped: [
    { name: 'not known', given: video({ scanType: 'unknown' }) },
    { name: 'any type is allowed', given: video(interlaced), thresholds: { wanted: 'any' } },
  ],
})
