import { expect, it } from 'vitest'
import { seenSize } from './seen-size'

const image = { kind: 'image', width: 40, height: 30 }

it.each([
  ['an image', { ...image, orientation: 1 }, 40, 30],
  ['one that is upside down', { ...image, orientation: 3 }, 40, 30],
  ['one that is turned by a quarter', { ...image, orientation: 6 }, 30, 40],
  ['a video that is turned', { ...image, kind: 'video', rotation: 90, displayWidth: 30, displayHeight: 40 }, 30, 40],
  ['audio', { kind: 'audio', durationSeconds: 3 }, null, null],
])('of %s', (_, media, width, height) => {
  expect(seenSize(media)).toEqual({ width, height })
})
