import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { writeMedia } from '@/fixtures/video'
import { examine } from '../examine'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-mxf-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** ProRes with two channels of PCM and a timecode, wrapped frame by frame (OP1a). */
const original = path.join(folder, 'original.mxf')
writeMedia(original, {
  video: {
    codec: 'prores',
    pixels: 'yuv422p10',
    width: 96,
    height: 64,
    frames: 25,
    metadata: { timecode: '10:00:00:00' },
  },
  audio: [{ codec: 'pcm', seconds: 1 }],
})
const bytes = readFileSync(original)

let serial = 0
async function inspect(changed: Buffer, extension = 'mxf') {
  serial += 1
  const file = path.join(folder, `${serial}.${extension}`)
  writeFileSync(file, changed)
  return examine(file, { extension, decodeUntil: Number.POSITIVE_INFINITY })
}

/** Where each item with a key begins, in hexadecimal digits. */
const placesOf = (key: string) => {
  const places: number[] = []
  for (let at = bytes.indexOf(key, 0, 'hex'); at >= 0; at = bytes.indexOf(key, at + 1, 'hex')) places.push(at)
  return places
}
const PACK = '060e2b34020501010d01020101'
const [header = 0] = placesOf(`${PACK}02`)
const [footer = 0] = placesOf(`${PACK}04`)
const [index = 0] = placesOf(`${PACK}11`)
const [essence = 0] = placesOf('060e2b34010201010d010301')
/** Key and length of a partition pack come before its value, the length in four bytes. */
const VALUE = 20

function changed(at: number, to: string | number) {
  const copy = Buffer.from(bytes)
  if (typeof to === 'number') copy.writeBigUInt64BE(BigInt(to), at)
  else copy.write(to, at, 'hex')
  return copy
}

/** The header is open, and no partition knows of a footer. */
function unfinished() {
  const copy = Buffer.from(bytes.subarray(0, footer))
  copy.writeUInt8(1, header + 14)
  for (const at of [...placesOf(`${PACK}02`), ...placesOf(`${PACK}03`)]) copy.writeBigUInt64BE(0n, at + VALUE + 24)
  return copy
}

describe('an MXF file', () => {
  test('is read to its end', async () => {
    const found = await inspect(bytes)
    expect(found).toMatchObject({ mediaType: 'application/mxf', kind: 'video', violations: [], complete: true })
    expect(found.media).toMatchObject({
      container: 'mxf',
      codec: 'prores',
      width: 96,
      height: 64,
      frameCount: 25,
      timecode: '10:00:00:00',
      operationalPattern: 'OP1a',
      audio: [{ codec: 'pcm_s16le', sampleRate: 48_000, channels: 2 }],
    })
  })

  test('may say nothing of the partition before, and may lack the random index pack', async () => {
    expect((await inspect(changed(footer + VALUE + 16, 0))).violations).toEqual([])
    expect((await inspect(bytes.subarray(0, index))).violations).toEqual([])
  })

  test('may stand behind a run-in of 64 KiB, which holds no partition', async () => {
    for (const length of [1, 4096, 65_536]) {
      const { violations, media } = await inspect(Buffer.concat([Buffer.alloc(length, 0x2a), bytes]))
      expect(violations).toEqual([])
      expect(media).toMatchObject({ container: 'mxf', frameCount: 25, operationalPattern: 'OP1a' })
    }
    expect((await inspect(Buffer.concat([Buffer.alloc(65_537, 0x2a), bytes]))).violations).not.toEqual([])
    const damaged = changed(footer + VALUE + 8, 7)
    expect((await inspect(Buffer.concat([Buffer.alloc(300, 0x2a), damaged]))).violations).toMatchObject([
      { code: 'corrupt', message: expect.stringMatching(/says that it lies at byte 7/) },
    ])
  })

  test.each([
    ['0301', 'OP3a'],
    ['0102', 'OP1b'],
    ['1001', 'OP-Atom'],
    ['0501', null],
  ])('states its operational pattern: %s', async (digits, operationalPattern) => {
    const copy = Buffer.from(bytes)
    for (const at of placesOf(`${PACK}02`).concat(placesOf(`${PACK}03`), footer))
      copy.write(digits, at + VALUE + 64 + 12, 'hex')
    expect((await inspect(copy)).media).toMatchObject({ operationalPattern })
  })

  test('goes by its own extension', async () => {
    expect((await inspect(bytes, 'mov')).violations).toMatchObject([{ code: 'type_mismatch' }])
  })

  test.each([
    ['cut in its essence', () => bytes.subarray(0, essence + 400), 'truncated', /declares \d+ bytes, \d+ are there/],
    ['cut before its footer', () => bytes.subarray(0, footer), 'truncated', /footer would lie at byte/],
    ['not written to its end', unfinished, 'truncated', /its writing was not finished/],
    ['moved in its partitions', () => changed(footer + VALUE + 8, 7), 'corrupt', /says that it lies at byte 7/],
    [
      'with a partition before that is none',
      () => changed(footer + VALUE + 16, 7),
      'corrupt',
      /the one before lies at byte 7/,
    ],
    ['with a key that is none', () => changed(essence, '00000000'), 'corrupt', /no item begins at byte/],
    ['with more after its end', () => Buffer.concat([bytes, Buffer.alloc(40)]), 'corrupt', /40 bytes follow/],
    ['with an index of places that are none', () => changed(index + 17 + 4, 9), 'corrupt', /random index pack names/],
    ['damaged inside a frame', () => changed(essence + 60, 'ff'.repeat(200)), 'corrupt', /cannot be decoded/],
  ] as const)('%s is refused', async (_, make, code, message) => {
    const { violations } = await inspect(make())
    expect(violations).toMatchObject([{ code, message: expect.stringMatching(message) }])
  })
})
