import { expect, it } from 'vitest'
import { seenSize } from './seen-size'

it.each([
  ['an image', { width: 40, height: 30, orientation: 1 }, 40, 30],
  ['one that is mirrored or upside down', { width: 40, height: 30, orientation: 4 }, 40, 30],
  ['one that is turned by a quarter', { width: 40, height: 30, orientation: 6 }, 30, 40],
  ['a video that is turned', { width: 40, height: 30, rotation: 90, displayWidth: 30, displayHeight: 40 }, 30, 40],
  ['audio', { durationSeconds: 3 }, null, null],
])('of %s', (_, media, width, height) => {
  expect(seenSize(media)).toEqual({ width, height })
})
