import { describe, expect, it } from 'vitest'
import { boxIn, placeOf, timecode } from './occurrences'

describe('a place in a file', () => {
  it('is said in words', () => {
    expect(placeOf({ start: 3.24, end: 5 })).toBe('0:03.2 to 0:05.0')
    expect(placeOf({ start: 3727.5 })).toBe('1:02:07.5')
    expect(placeOf({ start: 2, end: 2 })).toBe('0:02.0')
    expect(placeOf({ page: 2, region: { x: 10, y: 20.26, width: 12, height: 40 } })).toBe(
      'Page 2, 12 × 40 mm at 10, 20.3',
    )
    expect(placeOf({ region: { x: 0, y: 0, width: 300, height: 50 } })).toBe('300 × 50 px at 0, 0')
    expect(placeOf({ stream: 1 })).toBe('Stream 1')
  })

  it('carries a rounded tenth into the second', () => {
    expect(timecode(59.96)).toBe('1:00.0')
    expect(timecode(0)).toBe('0:00.0')
  })

  it('stays inside the image', () => {
    const size = { width: 200, height: 100 }
    expect(boxIn({ x: 50, y: 25, width: 100, height: 50 }, size)).toEqual({ left: 25, top: 25, width: 50, height: 50 })
    expect(boxIn({ x: -20, y: 90, width: 400, height: 50 }, size)).toEqual({ left: 0, top: 90, width: 100, height: 10 })
  })
})
