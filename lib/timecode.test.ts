import { expect, it } from 'vitest'
import { startFrame, timecode, timecodeAt } from './timecode'

it('counts frames of whole rates from the start of the file', () => {
  expect(timecodeAt(0, 25)).toBe('00:00:00:00')
  expect(timecodeAt(1.04, 25, '10:00:00:00')).toBe('10:00:01:01')
  expect(startFrame('10:00:00:00', 25)).toBe(900_000)
  expect(timecodeAt(60, 23.976, null)).toBe('00:00:59:22')
})

it('leaves out two numbers a minute but the tenth where the start says so', () => {
  // SMPTE ST 12-1: 00:00:59;29 is followed by 00:01:00;02, and ten minutes are 17,982 frames.
  expect(timecode(1799, 30_000 / 1001, '00:00:00;00')).toBe('00:00:59;29')
  expect(timecode(1800, 30_000 / 1001, '00:00:00;00')).toBe('00:01:00;02')
  expect(timecode(17_982, 30_000 / 1001, '00:00:00;00')).toBe('00:10:00;00')
  expect(startFrame('01:00:00;00', 30_000 / 1001)).toBe(107_892)
  expect(timecode(107_892, 30_000 / 1001, '01:00:00;00')).toBe('01:00:00;00')
  expect(timecode(3600, 60_000 / 1001, '00:00:00;00')).toBe('00:01:00;04')
})

it('reads back every number it writes', () => {
  for (const [rate, start] of [
    [30_000 / 1001, '00:00:00;00'],
    [60_000 / 1001, '00:00:00;00'],
    [25, '00:00:00:00'],
  ] as const) {
    for (let frame = 0; frame < 60_000; frame += 7) expect(startFrame(timecode(frame, rate, start), rate)).toBe(frame)
  }
})
