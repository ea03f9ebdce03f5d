import { expect, test } from 'vitest'
import { codecsOf } from './growing-media'

/** The beginning of a piece as far as it describes its streams. */
const piece = (...sampleEntries: string[]) =>
  Uint8Array.from(Buffer.from(`....ftypiso5....moov....stsd${sampleEntries.join('')}`, 'latin1'))
const H264 = '....avc1....avcC\x01\x64\x00\x1f\xff'

test('a piece says how it is coded', () => {
  expect(codecsOf(piece(H264, '....mp4a....esds'))).toBe('avc1.64001f,mp4a.40.2')
  expect(codecsOf(piece(H264))).toBe('avc1.64001f')
  expect(() => codecsOf(piece('....mp4a....esds'))).toThrow('describes no video')
})
