import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { withSystemItems, withTimecodeSamples, withTimecodeSegments } from '@/fixtures/timecode'
import { writeMedia } from '@/fixtures/video'
import { ByteSource } from '../byte-source'
import { examine } from '../examine'
import { readBoxes } from './iso-boxes'
import { readIsoTimecode } from './iso-timecode'
import { codeOf, jumpsOf } from './timecode-jumps'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-timecode-'))
afterAll(() => rmSync(folder, { recursive: true }))

const small =
  (timecode: string | null, rate: readonly [number, number] = [25, 1], codec: 'h264' | 'prores' = 'h264') =>
  (file: string) =>
    writeMedia(file, {
      video: {
        codec,
        ...(codec === 'prores' && { pixels: 'yuv422p10' }),
        width: 96,
        height: 64,
        frames: 24,
        rate,
        ...(timecode !== null && { metadata: { timecode } }),
      },
    })
const programme = small('10:00:00:00', [25, 1], 'prores')
const HOUR = 90_000

let serial = 0
async function jumpsIn(write: (file: string) => void, extension: string) {
  serial += 1
  const file = path.join(folder, `${serial}.${extension}`)
  write(file)
  const { media, violations } = await examine(file, { extension, decodeUntil: Number.POSITIVE_INFINITY })
  expect(violations).toEqual([])
  if (media?.kind !== 'video') throw new Error('It is no video.')
  return media.timecodeJumps
}

const run = (first: string, frames: number, rate: number) => {
  let each = first
  return Array.from({ length: frames }, (_, frame) => {
    const code = each
    each =
      jumpsOf(
        [
          { frame: 0, code },
          { frame: 1, code: 'none' },
        ],
        rate,
      )?.first[0]?.expected ?? ''
    return { frame, code }
  })
}

describe('timecode', () => {
  test.each([
    ['00:00:59:23', 25, '00:00:59:24', '00:01:00:00'],
    ['00:00:59;28', 30_000 / 1001, '00:00:59;29', '00:01:00;02'],
    ['00:09:59;28', 30_000 / 1001, '00:09:59;29', '00:10:00;00'],
    ['00:00:59;58', 60_000 / 1001, '00:00:59;59', '00:01:00;04'],
    ['00:00:59:28', 30_000 / 1001, '00:00:59:29', '00:01:00:00'],
    ['23:59:59;28', 30_000 / 1001, '23:59:59;29', '00:00:00;00'],
  ])('after %s at %f frames a second comes %s and %s', (first, rate, second, third) => {
    expect(run(first, 3, rate).map(({ code }) => code)).toEqual([first, second, third])
  })

  test('of one statement cannot jump', () => {
    expect(jumpsOf([], 25)).toBeNull()
    expect(jumpsOf([{ frame: 0, code: '10:00:00:00' }], 25)).toBeNull()
  })

  test('of more frames a second than two digits count is not judged', () => {
    expect(jumpsOf(run('10:00:00:00', 2, 100), 100)).toEqual({ count: 0, first: [] })
    expect(jumpsOf(run('10:00:00:00', 2, 100), 120)).toBeNull()
  })

  test('that jumps often is counted to its end, of which 20 are listed', () => {
    const standing = Array.from({ length: 100 }, (_, frame) => ({ frame, code: '10:00:00:00' }))
    const found = jumpsOf(standing, 25)
    expect(found?.count).toBe(99)
    expect(found?.first).toHaveLength(20)
    expect(found?.first[0]).toEqual({ seconds: 0.04, found: '10:00:00:00', expected: '10:00:00:01' })
  })

  test('that drops numbers has none of those', () => {
    const at = (frame: number, code: string) => ({ frame, code })
    expect(jumpsOf([at(0, '00:00:59;29'), at(1, '00:01:00;00')], 30_000 / 1001)).toMatchObject({
      count: 1,
      first: [{ found: '00:01:00;00', expected: '00:01:00;02' }],
    })
  })

  test('begins again after a day, and before it', () => {
    expect(codeOf(24 * HOUR + 1, 25, false)).toBe('00:00:00:01')
    expect(codeOf(-1, 25, false)).toBe('23:59:59:24')
  })
})

describe('a movie', () => {
  test('whose timecode track has one sample states it once; so does one without', async () => {
    expect(await jumpsIn(small('10:00:00:00'), 'mov')).toBeNull()
    expect(await jumpsIn(small(null), 'mov')).toBeNull()
  })

  test('jumps between samples', async () => {
    const samples = [
      { number: 10 * HOUR, frames: 5 },
      { number: 10 * HOUR + 5, frames: 5 },
      { number: 11 * HOUR, frames: 14 },
    ]
    expect(await jumpsIn(withTimecodeSamples(small('10:00:00:00'), samples), 'mov')).toEqual({
      count: 1,
      first: [{ seconds: 0.4, found: '11:00:00:00', expected: '10:00:00:10' }],
    })
  })

  test('jumps where an edit leaves out a part of a sample, and runs on where nothing is shown in between', async () => {
    const samples = [{ number: 10 * HOUR, frames: 30 }]
    const cut = [
      { frames: 5, from: 0 },
      { frames: 7, from: 15 },
    ]
    expect(await jumpsIn(withTimecodeSamples(small('10:00:00:00'), samples, cut), 'mp4')).toEqual({
      count: 1,
      first: [{ seconds: 0.2, found: '10:00:00:15', expected: '10:00:00:05' }],
    })
    const gap = [{ frames: 5, from: 0 }, { frames: 10 }, { frames: 7, from: 15 }]
    expect(await jumpsIn(withTimecodeSamples(small('10:00:00:00'), samples, gap), 'mov')).toEqual({
      count: 0,
      first: [],
    })
  })
})

describe('a movie whose tables are wrong', () => {
  const samples = [
    { number: 10 * HOUR, frames: 5 },
    { number: 11 * HOUR, frames: 19 },
  ]
  /** The last box of a type, in the timecode track: its content from a byte on. */
  const wrong = (type: string, at: number, value: number) => (file: string) => {
    withTimecodeSamples(small('10:00:00:00'), samples, [{ frames: 24, from: 0 }])(file)
    const bytes = readFileSync(file)
    bytes.writeInt32BE(value, bytes.lastIndexOf(type, undefined, 'latin1') + 4 + at)
    writeFileSync(file, bytes)
  }

  test.each([
    ['no samples of a length', 'stts', 4, 0, undefined],
    ['more times than there is room for', 'stts', 4, 0x7fff_ffff, 1],
    ['no chunks', 'stsc', 4, 0, undefined],
    ['more samples in a chunk than the file has bytes', 'stsc', 12, 0x7fff_ffff, 1],
    ['more edits than there is room for', 'elst', 4, 0x7fff_ffff, 1],
    ['an edit from behind the end', 'elst', 12, 0x7fff_ffff, undefined],
  ] as const)('%s: it is read as far as it goes', (_, type, at, value, count) => {
    serial += 1
    const file = path.join(folder, `${serial}.mov`)
    wrong(type, at, value)(file)
    const source = new ByteSource(file)
    try {
      const movie = readBoxes(source, 0, source.size, true).find((box) => box.type === 'moov')
      expect(movie && readIsoTimecode(source, movie)?.count).toBe(count)
    } finally {
      source.close()
    }
  })
})

describe('an MXF file', () => {
  test.each([
    ['10:00:00:00', [25, 1]],
    ['00:00:59;20', [30_000, 1001]],
    ['00:00:59;40', [60_000, 1001]],
    ['10:00:00:40', [50, 1]],
    ['23:59:59:20', [25, 1]],
  ] as const)('runs on from %s in its system items', async (timecode, rate) => {
    expect(await jumpsIn(small(timecode, rate, 'prores'), 'mxf')).toEqual({ count: 0, first: [] })
  })

  test('jumps in a system item, and back', async () => {
    const once = withSystemItems(programme, (frame, code) => {
      if (frame === 9) code[0] = 0x20
    })
    expect(await jumpsIn(once, 'mxf')).toEqual({
      count: 2,
      first: [
        { seconds: 0.36, found: '10:00:00:20', expected: '10:00:00:09' },
        { seconds: 0.4, found: '10:00:00:10', expected: '10:00:00:21' },
      ],
    })
  })

  test('whose system items were left empty is judged by its packages', async () => {
    const empty = withSystemItems(programme, (_, code) => code.fill(0))
    expect(await jumpsIn(empty, 'mxf')).toBeNull()
    const apart = withTimecodeSegments(empty, { after: 12, number: 11 * HOUR })
    expect(await jumpsIn(apart, 'mxf')).toEqual({
      count: 1,
      first: [{ seconds: 0.48, found: '11:00:00:00', expected: '10:00:00:12' }],
    })
    const meeting = withTimecodeSegments(empty, { after: 12, number: 10 * HOUR + 12 })
    expect(await jumpsIn(meeting, 'mxf')).toEqual({ count: 0, first: [] })
  })
})
