import { expect, test } from 'vitest'
import { isVideoShown } from './use-video-shown'

const progress = { hasFailed: false, hasMetadata: true, width: 320, frames: 0, played: 0 }

test.each([
  ['is not known before the browser read the file', { hasMetadata: false, width: 0 }, null],
  ['is not known before the first frame', {}, null],
  ['is shown once a frame was decoded', { frames: 1 }, true],
  ['is shown while it plays', { frames: 40, played: 1.6 }, true],
  ['is not shown when the browser cannot read the file', { hasFailed: true }, false],
  ['is not shown when the file has no image for the browser', { width: 0 }, false],
  ['is not shown when only the audio runs', { played: 1 }, false],
  ['is taken as shown where the browser counts no frames', { frames: null }, true],
])('a video %s', (_, changes, expected) => {
  expect(isVideoShown({ ...progress, ...changes })).toBe(expected)
})
