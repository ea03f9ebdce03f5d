import { expect, test } from 'vitest'
import { GroupMeter } from './groups'

/** Frames in the order of the file: I are key frames; when each is shown, in frames of 25 a second. */
function measured(...frames: [kind: 'I' | 'P', shown: number][]) {
  const meter = new GroupMeter()
  for (const [kind, shown] of frames) meter.take(kind === 'I', shown / 25, 1 / 25)
  return meter.finish()
}

test('groups go from key frame to key frame, the last to the end', () => {
  expect(measured(['I', 0], ['P', 1], ['P', 2], ['I', 3], ['P', 4])).toEqual({
    keyFrames: 2,
    open: 0,
    longestFrames: 3,
    longestSeconds: 0.12,
    isIntra: false,
  })
  expect(measured(['I', 0], ['I', 1])).toMatchObject({ isIntra: true, longestFrames: 1, longestSeconds: 0.04 })
})

test('a group is open when frames of it are shown before its key frame', () => {
  expect(measured(['I', 0], ['P', 3], ['P', 1], ['P', 2], ['I', 6], ['P', 4], ['P', 5])).toMatchObject({ open: 1 })
  expect(measured(['I', 0], ['P', 3], ['P', 1], ['I', 4], ['P', 6], ['P', 5])).toMatchObject({ open: 0 })
})

test('nothing comes before the first group, and frames without a time say nothing', () => {
  expect(measured(['I', 2], ['P', 0], ['P', 1])).toMatchObject({ open: 0 })
  expect(measured(['P', 0], ['P', 1])).toBeNull()
  expect(measured(['I', 0], ['I', Number.NaN], ['P', Number.NaN])).toMatchObject({ open: 0, keyFrames: 2 })
})
