import { expect, test } from 'vitest'
import { FieldMeter } from './fields'

const [columns, rows] = [64, 60]
/** A texture that moves evenly; the fields of a frame lie half a frame apart where one comes first. */
const frame = (at: number, first: 'top' | 'bottom' | null, speed = 2) => ({
  columns,
  rows,
  data: Uint8Array.from({ length: columns * rows }, (_, point) => {
    const [x, y] = [point % columns, Math.floor(point / columns)]
    const time = at + (first === null || (y % 2 === 0) === (first === 'top') ? 0 : 0.5)
    return 128 + 60 * Math.sin((x + speed * time) / 4) + 40 * Math.sin((x - speed * time + y) / 9)
  }),
})
const counts = (first: 'top' | 'bottom' | null, speed?: number) => {
  const meter = new FieldMeter()
  for (let at = 0; at < 11; at++) meter.take(frame(at, first, speed), at > 0)
  return meter.finish()
}

test.each([
  ['top', { top: 10, bottom: 0, progressive: 0, undecided: 0 }],
  ['bottom', { top: 0, bottom: 10, progressive: 0, undecided: 0 }],
  [null, { top: 0, bottom: 0, progressive: 10, undecided: 0 }],
] as const)('fields are recognised by their lines: %s', (first, expected) => {
  expect(counts(first)).toEqual(expected)
  expect(counts(first, 1)).toEqual(expected)
})

test('what does not move says nothing', () => {
  expect(counts('top', 0)).toEqual({ top: 0, bottom: 0, progressive: 0, undecided: 10 })
})

test('frames that do not follow one another are not compared', () => {
  const meter = new FieldMeter()
  for (const at of [0, 1, 20, 21]) meter.take(frame(at, 'top'), at % 2 === 1)
  expect(meter.finish()).toMatchObject({ top: 2, undecided: 0 })
})
