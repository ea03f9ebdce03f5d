import type { Subject } from '../../check'
import { fileSizeCheck } from '../../file/file-size-check'
import { archiveFacts, image, subject } from '../../testing'
import { specOf } from '../spec'

const file = (changes: Partial<Subject> = {}) => image({}, changes)
const limits = (mediaTypes: string[], maxFileBytes: number | null = null) => ({ mediaTypes, maxFileBytes })
const iab = { max_bytes_by_size: { '300x250': 150_000, '970x250': 250_000 } }

export const spec = specOf(fileSizeCheck, {
  good: [
    { name: 'the most that is allowed', given: file({ bytes: 150_000 }), thresholds: { max_bytes: 150_000 } },
    { name: 'the least that is wanted', given: file({ bytes: 5000 }), thresholds: { min_bytes: 5000 } },
    {
      name: 'an archive, whose pixel size is in its name',
      given: subject(archiveFacts(), { bytes: 240_000, claims: { width: 970, height: 250 } }),
      thresholds: iab,
    },
    {
      name: 'facts that could not be read, which are not needed',
      given: file({ bytes: 10, media: { failed: 'unreadable' } }),
      thresholds: { max_bytes: 20 },
    },
  ],
  bad: [
    {
      name: 'a byte above the most',
      given: file({ bytes: 150_001 }),
      thresholds: { max_bytes: 150_000 },
      details: /has 150 kB; at most 150 kB/,
      fix: /99 % of its present weight/,
    },
    {
      name: 'a byte below the least',
      given: file({ bytes: 4999 }),
      thresholds: { min_bytes: 5000 },
      fix: /1 bytes short/,
    },
    {
      name: 'above what the media category takes',
      given: file({ expectations: limits([], 99_999) }),
      details: /at most 100 kB/,
    },
    {
      name: 'above what its pixel size may have',
      given: file({ bytes: 150_001 }),
      thresholds: iab,
      details: /for 300 × 250 px/,
    },
  ],
  skipped: [{ name: 'no limit is set', given: file() }],
})
