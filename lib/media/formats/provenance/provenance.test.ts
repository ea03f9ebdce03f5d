import { writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signedJpeg, signedPng } from '@/fixtures/provenance'
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
  expect(read(signedJpeg())).toEqual({
    manifest: { generator: 'c2pa-ts', binding: holds, signature: holds, signer: 'Greenroom tests' },
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

test('types that are not searched say so by nothing, files without a manifest by none', () => {
  expect(read(Buffer.from('x'), 'image/gif')).toBeUndefined()
  expect(read(Buffer.from([0xff, 0xd8, 0xff, 0xd9]))).toEqual({ manifest: null, sourceTypes: [] })
  for (const mediaType of ['image/png', 'image/webp', 'video/mp4'])
    expect(read(Buffer.alloc(40), mediaType)).toEqual({ manifest: null, sourceTypes: [] })
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
