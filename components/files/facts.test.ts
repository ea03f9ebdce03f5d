import { expect, test } from 'vitest'
import { factsOf } from './facts'

test('sides are those that are seen', () => {
  const sides = (media: object) => factsOf({ media: media as Parameters<typeof factsOf>[0]['media'] })[0]
  expect(sides({ kind: 'image', width: 4032, height: 3024, orientation: 6 })).toBe('3024 × 4032 px')
  expect(sides({ kind: 'image', width: 4032, height: 3024, orientation: 3 })).toBe('4032 × 3024 px')
  const turned = { kind: 'video', width: 1920, height: 1080, rotation: 90, display_width: 1080, display_height: 1920 }
  expect(sides(turned)).toBe('1080 × 1920 px')
  expect(sides({ kind: 'audio' })).toBeUndefined()
})
