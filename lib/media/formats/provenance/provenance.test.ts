import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holder } from '@/fixtures/certificates'
import { signed } from '@/fixtures/content-credentials'
import { gif, tiff } from '@/fixtures/images'
import { signedJpeg, signedPng } from '@/fixtures/provenance'
import { scene, writeMedia } from '@/fixtures/video'
import { ByteSource } from '../byte-source'
import { readCbor } from './cbor'
import { readProvenance } from './provenance'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'provenance-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function read(bytes: Buffer, mediaType = 'image/jpeg') {
  const path = join(folder, 'file')
  writeFileSync(path, bytes)
  const source = new ByteSource(path)
  try {
    return readProvenance(source, mediaType)
  } finally {
    source.close()
  }
}

/** The file with one byte changed, the first after `mark`. */
function changed(bytes: Buffer, mark: string, after = 0): Buffer {
  const copy = Buffer.from(bytes)
  const at = copy.indexOf(mark, 0, 'latin1') + mark.length + after
  copy[at] = (copy[at] as number) ^ 1
  return copy
}

test('a manifest that another library signed holds, in JPEG and in PNG', () => {
  const holds = { state: 'holds', why: null }
  expect(read(signedJpeg())).toMatchObject({
    manifest: {
      generator: 'c2pa-ts',
      binding: holds,
      signature: holds,
      signer: 'Greenroom tests',
      certificate: {
        from: expect.any(String),
        until: expect.any(String),
        isStamped: false,
        isExpired: expect.any(Boolean),
      },
      chain: [{ name: 'Greenroom tests', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    },
    sourceTypes: [{ value: 'trainedAlgorithmicMedia', from: 'manifest' }],
  })
  expect(read(signedPng(), 'image/png')).toMatchObject({
    manifest: { binding: holds, signature: holds },
    sourceTypes: [{ value: 'digitalCapture', from: 'manifest' }],
  })
})

test('a changed pixel breaks the binding, a changed claim the signature', () => {
  const file = signedJpeg()
  const pixels = Buffer.from(file)
  pixels[file.length - 10] = (file[file.length - 10] as number) ^ 1
  expect(read(pixels)?.manifest).toMatchObject({
    binding: { state: 'broken', why: 'the bytes of the file are not those that were hashed' },
    signature: { state: 'holds' },
  })
  expect(read(changed(file, 'xmp:iid:'))?.manifest).toMatchObject({
    binding: { state: 'holds' },
    signature: { state: 'broken' },
  })
})

test.each([
  ['the hash of the file', 'c2pa.hash.data\0', 'hash\x58\x20', 'c2pa.hash.data'],
  ['the source type', 'c2pa.actions', 'digitalsourcetype/', 'c2pa.actions.v2'],
])('%s that was replaced is not what was signed', (_, label, mark, assertion) => {
  const file = signedJpeg()
  const at = file.indexOf(mark, file.indexOf(label, 0, 'latin1'), 'latin1') + mark.length
  const copy = Buffer.from(file)
  copy[at] = (copy[at] as number) ^ 1
  expect(read(copy)?.manifest?.signature).toEqual({
    state: 'broken',
    why: `the assertion “${assertion}” is not the one that was signed`,
  })
})

const root = holder('Root')
const signer = holder('Signer', { issuer: root })
const holds = { state: 'holds', why: null }
const brokenBytes = { state: 'broken', why: 'the bytes of the file are not those that were hashed' }

/** With one bit of the byte at a place turned. */
function turned(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] as number) ^ 1
  return copy
}

test('the boxes of an MP4 are hashed with their places, and without the manifest', async () => {
  const path = join(folder, 'plain.mp4')
  writeMedia(path, { video: { width: 64, height: 48, frames: 5, paint: scene } })
  const format = 'video/mp4'
  const file = await signed({ bytes: readFileSync(path), format }, signer)
  expect(read(file, format)).toMatchObject({
    manifest: { binding: holds, signature: holds, signer: 'Greenroom tests' },
    sourceTypes: [{ value: 'digitalCapture', from: 'manifest' }],
  })
  for (const mark of ['mdat', 'mvhd']) {
    const at = file.indexOf(mark)
    expect([mark, read(turned(file, at + 10), format)?.manifest?.binding]).toEqual([mark, brokenBytes])
  }
  const longer = Buffer.concat([file, Buffer.from([0, 0, 0, 12]), Buffer.from('xtramore')])
  expect(read(longer, format)?.manifest?.binding).toEqual(brokenBytes)
  expect(read(Buffer.concat([file, Buffer.from('more')]), format)?.manifest?.binding).toEqual(brokenBytes)
  expect(read(file.subarray(0, -20), format)?.manifest?.binding.state).not.toBe('holds')
  const updated = await signed({ bytes: file, format }, signer, { intent: 'update' })
  expect(read(updated, format)?.manifest).toMatchObject({ binding: holds, signature: holds })
  expect(read(turned(updated, updated.indexOf('mdat') + 10), format)?.manifest?.binding).toEqual(brokenBytes)
})

test('a manifest that updates another is bound by what that one states, and only by the one that was signed', async () => {
  const format = 'image/png'
  const made = await signed({ bytes: signedPng(), format }, signer, { intent: 'edit' })
  const file = await signed({ bytes: made, format }, signer, { intent: 'update' })
  expect(read(file, format)?.manifest).toMatchObject({ binding: holds, signature: holds })
  expect(read(turned(file, file.length - 20), format)?.manifest?.binding).toEqual(brokenBytes)
  // The hash that the manifest which was updated states.
  const at = file.lastIndexOf('c2pa.hash.data\0') + 60
  expect(read(turned(file, at), format)?.manifest?.binding.state).toBe('broken')
})

test.each([
  ['image/gif', () => gif(8, 8, { frames: 1, delay: 10 }, (_, x) => x % 4)],
  ['image/tiff', () => tiff(8, 8, (x: number, y: number) => [x * 20, y * 20, 90], 8)],
] as const)('%s has its manifest in a place of its own', async (format, make) => {
  const file = await signed({ bytes: make(), format }, signer)
  expect(read(file, format)?.manifest).toMatchObject({ binding: holds, signature: holds })
  expect(read(Buffer.concat([file, Buffer.from('more')]), format)?.manifest?.binding).toEqual(brokenBytes)
})

test('how long the certificate is valid is read, and whether that is over', async () => {
  const of = async (until: string) => {
    const old = holder('Then', { issuer: root, from: '2019-01-01', until })
    return read(await signed({ bytes: signedPng(), format: 'image/png' }, old, { intent: 'edit' }), 'image/png')
      ?.manifest
  }
  const dates = { from: '2019-01-01', isStamped: false }
  expect(await of('2021-01-01')).toMatchObject({
    signature: holds,
    certificate: { ...dates, until: '2021-01-01', isExpired: true },
  })
  expect(await of('2049-01-01')).toMatchObject({ certificate: { ...dates, until: '2049-01-01', isExpired: false } })
})

test('whatever is changed within a manifest, nothing is thrown, and what holds says what was signed', () => {
  const file = signedJpeg()
  for (let at = 30; at < 3000; at += 7) {
    const copy = Buffer.from(file)
    copy[at] = (copy[at] as number) ^ 0xff
    const provenance = read(copy)
    if (provenance?.manifest?.binding.state === 'holds' && provenance.manifest.signature.state === 'holds')
      expect(provenance.sourceTypes).toEqual([{ value: 'trainedAlgorithmicMedia', from: 'manifest' }])
  }
})

const NOTHING = { manifest: null, sourceTypes: [], reference: null, history: [] }

test('types that are not searched say so by nothing, files without a manifest by none', () => {
  expect(read(Buffer.from('x'), 'image/heic')).toBeUndefined()
  expect(read(Buffer.from([0xff, 0xd8, 0xff, 0xd9]))).toEqual(NOTHING)
  for (const mediaType of ['image/png', 'image/webp', 'image/gif', 'image/tiff', 'video/mp4'])
    expect(read(Buffer.alloc(40), mediaType)).toEqual(NOTHING)
})

test('CBOR that is cut, endless or deep is refused', () => {
  expect(readCbor(Buffer.from('a2616101616282f5f6', 'hex'))).toEqual(
    new Map<unknown, unknown>([
      ['a', 1],
      ['b', [true, null]],
    ]),
  )
  expect(readCbor(Buffer.from('9f0102ff', 'hex'))).toEqual([1, 2])
  for (const bytes of ['82', '5a00ffffff00', '9f01', '1f', 'ff', '81'.repeat(100), 'bb00ffffffffffffff00'])
    expect(() => readCbor(Buffer.from(bytes, 'hex'))).toThrow(/its CBOR/)
})
