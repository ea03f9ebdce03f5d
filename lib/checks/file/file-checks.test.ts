import { describe } from 'vitest'
import type { Subject } from '../check'
import {
  archiveFacts,
  audioFacts,
  checkTable,
  documentFacts,
  imageFacts,
  otherFacts,
  pageFacts,
  subject,
  videoFacts,
} from '../testing'
import { fileSizeCheck } from './file-size-check'
import { fileTypeCheck } from './file-type-check'
import { integrityCheck } from './integrity-check'
import { nameMatchesMediaCheck } from './name-matches-media-check'
import { nearDuplicateCheck } from './near-duplicate-check'

const image = (changes: Partial<Subject> = {}) => subject(imageFacts(), changes)
const inspected = (integrity: Subject['integrity']) => image({ integrity })
const limits = (mediaTypes: string[], maxFileBytes: number | null = null) => ({ mediaTypes, maxFileBytes })

describe('the integrity of a file', () => {
  const broken = { code: 'truncated', message: 'The picture ends after 60 % of its rows.' }
  checkTable(integrityCheck, [
    { it: 'passes when the inspector found no fault', given: image(), says: 'pass' },
    {
      it: 'passes for a font as well',
      given: subject(otherFacts()),
      says: 'pass',
    },
    {
      it: 'fails with what the inspector found',
      given: inspected({ violations: [broken, { code: 'corrupt', message: 'x' }], complete: true }),
      says: 'fail',
      details: /ends after 60 % of its rows\. Found besides: corrupt\.$/,
    },
    {
      it: 'is a warning while part of the file waits to be decoded',
      given: inspected({ violations: [], complete: false }),
      says: 'warning',
      details: /not been decoded to the end yet/,
    },
    {
      it: 'is an error when the inspector died',
      given: inspected({ failed: 'the inspector was killed after 120 s' }),
      says: 'error',
      details: 'Not checked: the inspector was killed after 120 s.',
    },
  ])
})

describe('the type of a file', () => {
  checkTable(fileTypeCheck, [
    { it: 'passes when name and content agree', given: image(), says: 'pass' },
    {
      it: 'fails when they do not',
      given: image({ name: 'hero.jpg' }),
      says: 'fail',
      details: /ends in “.jpg” but the content is a PNG image/,
    },
    {
      it: 'passes on the list of the media category',
      given: image({ expectations: limits(['image/png']) }),
      says: 'pass',
    },
    {
      it: 'fails off it',
      given: image({ expectations: limits(['image/jpeg', 'image/gif']) }),
      says: 'fail',
      details: /takes JPEG image .* or GIF image/,
    },
    {
      it: 'goes by the list of the check where it has one',
      given: image({ expectations: limits(['image/png']) }),
      thresholds: { allowed: ['image/webp'] },
      says: 'fail',
    },
  ])
})

describe('the size of a file', () => {
  const iab = { max_bytes_by_size: { '300x250': 150_000, '970x250': 250_000 } }
  checkTable(fileSizeCheck, [
    { it: 'is not evaluated where no limit is set', given: image(), says: 'skipped' },
    { it: 'passes at the limit', given: image({ bytes: 150_000 }), thresholds: { max_bytes: 150_000 }, says: 'pass' },
    {
      it: 'fails one byte above',
      given: image({ bytes: 150_001 }),
      thresholds: { max_bytes: 150_000 },
      says: 'fail',
      details: /has 150 kB; at most 150 kB/,
      fix: /99 % of its present weight/,
    },
    { it: 'passes at the least', given: image({ bytes: 5000 }), thresholds: { min_bytes: 5000 }, says: 'pass' },
    {
      it: 'fails below',
      given: image({ bytes: 4999 }),
      thresholds: { min_bytes: 5000 },
      says: 'fail',
      fix: /1 bytes short/,
    },
    {
      it: 'goes by the media category',
      given: image({ expectations: limits([], 99_999) }),
      says: 'fail',
      details: /at most 100 kB/,
    },
    {
      it: 'goes by the pixel size of the ad',
      given: image({ bytes: 150_001 }),
      thresholds: iab,
      says: 'fail',
      details: /for 300 × 250 px/,
    },
    {
      it: 'takes the pixel size of an archive from its name',
      given: subject(archiveFacts(), { bytes: 240_000, claims: { width: 970, height: 250 } }),
      thresholds: iab,
      says: 'pass',
    },
    {
      it: 'does not need the facts',
      given: image({ bytes: 10, media: { failed: 'unreadable' } }),
      thresholds: { max_bytes: 20 },
      says: 'pass',
    },
  ])
})

describe('what a name says of the file', () => {
  const claims = { width: 300, height: 250 }
  const spot = (changes = {}, said = {}) => subject(videoFacts(changes), { name: 'spot_15s.mp4', claims: said })
  checkTable(nameMatchesMediaCheck, [
    { it: 'is not evaluated when it says nothing', given: image(), says: 'skipped' },
    { it: 'passes when the size is so', given: image({ claims }), says: 'pass', details: /300 × 250 px, and so it is/ },
    {
      it: 'fails when it is another',
      given: subject(imageFacts({ width: 298 }), { claims }),
      says: 'fail',
      details: 'The name says 300 × 250 px; the file is 298 × 250 px.',
      fix: /Rename “hero.png” to say 298 × 250 px/,
    },
    {
      it: 'says under which name each way out is taken',
      given: subject(imageFacts({ width: 298 }), {
        claims,
        nextNames: { asMeasured: 'hero_298x250_v2.png', asClaimed: 'hero_300x250_v2.png' },
      }),
      says: 'fail',
      fix: /to say 298 × 250 px and send it as “hero_298x250_v2.png”, or export it anew at 300 × 250 px and send that as “hero_300x250_v2.png”\./,
    },
    {
      it: 'is compared as people see the picture',
      given: subject(imageFacts({ width: 250, height: 300, orientation: 6 }), { claims }),
      says: 'pass',
    },
    {
      it: 'passes within half a second',
      given: spot({ durationSeconds: 15.5 }, { durationSeconds: 15 }),
      says: 'pass',
    },
    {
      it: 'fails beyond',
      given: spot({ durationSeconds: 15.51 }, { durationSeconds: 15 }),
      says: 'fail',
      details: /15 s; the file is 15.51 s/,
    },
    {
      it: 'passes when a rate was rounded',
      given: spot({ frameRate: { average: 29.97, nominal: 29.97, constant: true } }, { framesPerSecond: 30 }),
      says: 'pass',
    },
    {
      it: 'fails at another rate',
      given: spot({}, { framesPerSecond: 30 }),
      says: 'fail',
      details: /30 frames per second; the file is 25/,
    },
    {
      it: 'passes within 1 % of the ratio',
      given: spot({ displayWidth: 1936 }, { ratio: { width: 16, height: 9 } }),
      says: 'pass',
    },
    { it: 'fails beyond it', given: spot({ displayWidth: 1941 }, { ratio: { width: 16, height: 9 } }), says: 'fail' },
    {
      it: 'compares the ratio of a page',
      given: subject(documentFacts({ pageSizes: [pageFacts({ widthMm: 160, heightMm: 90 })] }), {
        claims: { ratio: { width: 16, height: 9 } },
      }),
      says: 'pass',
    },
    {
      it: 'tells every wrong part at once',
      given: spot({}, { durationSeconds: 30, framesPerSecond: 50 }),
      says: 'fail',
      details: /says 30 s.*says 50 frames/,
    },
    {
      it: 'is skipped when the file has nothing of the kind',
      given: subject(audioFacts(), { claims }),
      says: 'skipped',
    },
    {
      it: 'is an error when the file could not be measured',
      given: image({ claims, media: { failed: 'unreadable' } }),
      says: 'error',
    },
  ])
})

describe('near duplicates', () => {
  const near = (distance: number) => [{ fileId: 'f', name: 'other.png', distance }]
  checkTable(nearDuplicateCheck, [
    { it: 'are not evaluated when nobody looked', given: image(), says: 'skipped' },
    { it: 'are none when no file looks like it', given: image({ neighbours: [] }), says: 'pass' },
    {
      it: 'are found at six differing bits',
      given: image({ neighbours: near(6) }),
      says: 'fail',
      details: /looks like “other.png” \(6 of 64/,
    },
    { it: 'are not found at seven', given: image({ neighbours: near(7) }), says: 'pass' },
    {
      it: 'are as near as the threshold says',
      given: image({ neighbours: near(3) }),
      thresholds: { max_distance: 2 },
      says: 'pass',
    },
    {
      it: 'name the nearest first',
      given: image({ neighbours: [...near(5), { fileId: 'g', name: 'twin.png', distance: 0 }] }),
      says: 'fail',
      details: /“twin.png”.* 1 further file/,
    },
  ])

  const videos = (shared: number, of: number, isOtherSize = false) => [
    { fileId: 'f', name: 'other.mp4', distance: 1, video: { shared, of, isOtherSize } },
  ]
  checkTable(nearDuplicateCheck, [
    {
      it: 'of a video without a distinctive frame are not evaluated',
      given: subject(videoFacts()),
      says: 'skipped',
      details: /^The video/,
    },
    {
      it: 'share at least half of the moments of the shorter video',
      given: subject(videoFacts(), { neighbours: videos(4, 8) }),
      says: 'fail',
      details: /The video looks like “other.mp4” \(4 of 8 moments are the same\)/,
    },
    {
      it: 'speak of one moment in the singular',
      given: subject(videoFacts(), { neighbours: videos(1, 1) }),
      says: 'fail',
      details: /\(1 of 1 moment is the same\)/,
    },
    { it: 'are not videos that share less', given: subject(videoFacts(), { neighbours: videos(3, 8) }), says: 'pass' },
    {
      it: 'are videos in another size, too',
      given: subject(videoFacts(), { neighbours: videos(8, 8, true) }),
      says: 'fail',
      details: /in another size/,
    },
    {
      it: 'are none in another size where those are wanted',
      given: subject(videoFacts(), { neighbours: videos(8, 8, true) }),
      thresholds: { other_sizes: false },
      says: 'pass',
    },
    {
      it: 'name the video first that shares most',
      given: subject(videoFacts(), {
        neighbours: [...videos(5, 8), ...videos(8, 8).map((video) => ({ ...video, name: 'twin.mp4', distance: 3 }))],
      }),
      says: 'fail',
      details: /“twin.mp4”/,
    },
  ])
})
