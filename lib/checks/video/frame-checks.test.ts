import { describe, expect, it } from 'vitest'
import type { VideoFacts } from '@/lib/media/facts'
import type { VideoMeasures } from '@/lib/media/measurements'
import { checkTable, runOne, subject, trackFacts, videoFacts, videoMeasures } from '../testing'
import { blackFramesCheck } from './black-frames-check'
import { flashCheck } from './flash-check'
import { freezeFramesCheck } from './freeze-frames-check'
import { letterboxCheck } from './letterbox-check'

const video = (changes: Partial<VideoMeasures> = {}, media: Partial<VideoFacts> = {}) =>
  subject(videoFacts(media), { measures: { video: videoMeasures(changes), audio: { tracks: [trackFacts()] } } })

describe('black frames', () => {
  checkTable(blackFramesCheck, [
    { it: 'may last half a second', given: video({ black: [{ start: 4, end: 4.5 }] }), says: 'pass' },
    {
      it: 'fail inside beyond it',
      given: video({ black: [{ start: 4, end: 4.6 }] }),
      says: 'fail',
      details: /inside from 4 s to 4.6 s/,
    },
    { it: 'at the head are cut off', given: video({ black: [{ start: 0, end: 1 }] }), says: 'fail', fix: /-ss 1 / },
    { it: 'at the tail are cut off', given: video({ black: [{ start: 14, end: 15 }] }), says: 'fail', fix: /-t 14 / },
  ])
})

describe('a frozen picture', () => {
  checkTable(freezeFramesCheck, [
    { it: 'may stand two seconds', given: video({ frozen: [{ start: 2, end: 4 }] }), says: 'pass' },
    { it: 'fails beyond', given: video({ frozen: [{ start: 2, end: 4.2 }] }), says: 'fail', details: /2.2 s/ },
  ])
})

describe('flashes', () => {
  const flashes = (mostPerSecond: number) => video({ flashes: { mostPerSecond, at: { start: 1, end: 2 } } })
  checkTable(flashCheck, [
    { it: 'may be three in a second', given: flashes(3), says: 'pass' },
    { it: 'fail from four', given: flashes(4), says: 'fail', details: /4 flashes fall in the second from 1 s/ },
    {
      it: 'of red are counted by themselves',
      given: video({ redFlashes: { mostPerSecond: 6, at: { start: 3, end: 4 } } }),
      says: 'fail',
      details: /6 red flashes fall in the second from 3 s/,
    },
    { it: 'may be a pattern of half a second', given: video({ stripes: [{ start: 1, end: 1.5 }] }), says: 'pass' },
    {
      it: 'are suspected in a pattern that stands longer',
      given: video({ stripes: [{ start: 1, end: 3 }] }),
      says: 'fail',
      details: /Regular stripes .* from 1 s to 3 s/,
    },
  ])
})

describe('black bars', () => {
  const none = { top: 0, bottom: 0, left: 0, right: 0 }
  const lying = video({ bars: { ...none, left: 100 } }, { rotation: 90, displayWidth: 1080, displayHeight: 1920 })
  const anamorphic = video(
    { bars: { ...none, top: 72, bottom: 72, left: 40 } },
    { width: 720, height: 576, displayWidth: 1024, displayHeight: 576 },
  )
  const bars = (top: number, bottom: number) => video({ bars: { top, bottom, left: 0, right: 0 } })
  checkTable(letterboxCheck, [
    { it: 'of eight rows are left by coding', given: bars(8, 8), says: 'pass' },
    { it: 'fail, with the crop that removes them', given: bars(140, 140), says: 'fail', fix: /crop=1920:800:0:140/ },
    { it: 'cannot be told of a black video', given: video({ bars: null }), says: 'skipped' },
    {
      it: 'are named as they are seen where the video lies on its side',
      given: lying,
      says: 'fail',
      details: /^Black bars stay at the edges: 100 px top; the picture itself is 1080 × 1820 px of 1080 × 1920 px/,
      fix: /crop=1080:1820:0:100/,
    },
  ])

  it('are marked in square pixels, turned as a player turns them', () => {
    const marksOf = (of: typeof lying) => runOne(letterboxCheck, of).occurrences?.map(({ region }) => region)
    expect(marksOf(lying)).toEqual([{ x: 0, y: 0, width: 1080, height: 100 }])
    expect(marksOf(anamorphic)).toEqual([
      { x: 0, y: 0, width: 1024, height: 72 },
      { x: 0, y: 504, width: 1024, height: 72 },
      { x: 0, y: 0, width: 57, height: 576 },
    ])
  })
})
