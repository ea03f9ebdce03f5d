import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { IMF_IDS, type ImfPlan, imf, imfWith } from '@/fixtures/imf'
import { audioTrackFile, videoTrackFile } from '@/fixtures/mxf'
import { type ZipFile, zip } from '@/fixtures/zip'
import { examine } from '../examine'
import { TrackFileReader } from './track-file'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-imf-'))
afterAll(() => rmSync(folder, { recursive: true }))

let serial = 0
async function read(files: readonly ZipFile[]) {
  serial += 1
  const file = path.join(folder, `${serial}.zip`)
  writeFileSync(file, zip(files))
  const { media, violations } = await examine(file, { extension: 'zip', decodeUntil: Number.POSITIVE_INFINITY })
  expect(violations).toEqual([])
  if (media?.kind !== 'archive') throw new Error('It is no archive.')
  return media.imf
}
const faultsOf = async (files: readonly ZipFile[]) => (await read(files))?.faults.map(({ text }) => text)
const planned = (changes: Partial<ImfPlan>) => faultsOf(imf(changes))
const holding = (essences: { video?: Buffer; audio?: Buffer }) => faultsOf(imf({}, essences))

/** One bit of the last frame or sample turned. */
function touched(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes)
  const at = Math.floor(copy.length / 2)
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at)
  return copy
}
/** A label of the file, by another. */
function relabelled(bytes: Buffer, from: string, to: string): Buffer {
  const copy = Buffer.from(bytes)
  for (let at = copy.indexOf(from, 0, 'hex'); at >= 0; at = copy.indexOf(from, at + 1, 'hex')) copy.write(to, at, 'hex')
  return copy
}

describe('an IMF package', () => {
  test('holds, by SHA-1 or SHA-256, in the top folder or one below', async () => {
    const whole = {
      assets: 3,
      compositions: [{ title: 'Spring spot', editRate: [24_000, 1001], frames: 48 }],
      elsewhere: [],
      elsewhereCount: 0,
      trackFiles: 2,
      faults: [],
      faultCount: 0,
    }
    expect(await read(imf())).toEqual(whole)
    expect(await read(imf({ hash: 'sha256' }))).toEqual(whole)
    expect(await read(imf().map(([name, ...rest]) => [`spot/${name}`, ...rest] as const))).toEqual(whole)
    expect(await read([...imf()].reverse())).toEqual(whole)
  })

  test('is only what has an asset map', async () => {
    expect(await read([['index.html', '<p>An ad</p>']])).toBeNull()
    expect(await read([['a/b/ASSETMAP.xml', '<AssetMap/>']])).toBeNull()
  })

  test('has every asset as the packing list states it', async () => {
    expect(await faultsOf(imfWith(imf(), 'video.mxf', null))).toEqual([
      '“video.mxf” is not in the archive; the packing list names it.',
    ])
    expect(await faultsOf(imfWith(imf(), 'video.mxf', touched(videoTrackFile(IMF_IDS.video, 48))))).toEqual([
      'The SHA-1 hash of “video.mxf” is not the one that the packing list states: its bytes were changed.',
    ])
    expect(await faultsOf(imfWith(imf(), 'audio.mxf', 'short'))).toEqual([
      '“audio.mxf” cannot be read as MXF: it ends within an item.',
      '“audio.mxf” has 5 bytes; the packing list states 290057.',
    ])
    expect(await planned({ playlistId: IMF_IDS.list })).toEqual([
      `The composition “Spring spot” says that it is ${IMF_IDS.list}; the packing list calls it ${IMF_IDS.playlist}.`,
    ])
  })

  test('has track files of one essence, by its id, of OP1a, that can be read to their end', async () => {
    expect(await holding({ video: videoTrackFile(IMF_IDS.list, 48) })).toEqual([
      `“video.mxf” says that it is the track file ${IMF_IDS.list}; the packing list calls it ${IMF_IDS.video}.`,
    ])
    const audio = audioTrackFile({ id: IMF_IDS.audio, samples: 96_096 })
    expect(await holding({ audio: relabelled(audio, '0d01020101010900', '0d01020110000000') })).toEqual([
      '“audio.mxf” states the operational pattern OP-Atom; a track file is OP1a.',
    ])
    expect(await holding({ audio: audio.subarray(0, 200_000) })).toEqual([
      expect.stringMatching(/^“audio.mxf” cannot be read as MXF: its last item ends \d+ bytes early\.$/),
    ])
    expect(await holding({ audio: Buffer.from('RIFF, not MXF at all') })).toEqual([
      '“audio.mxf” cannot be read as MXF: it does not begin with a header partition of MXF.',
    ])
    expect(await holding({ audio: relabelled(audio, '0d01030116010201', '0d010301027e0100') })).toEqual([
      '“audio.mxf” cannot be read as MXF: it holds no essence.',
    ])
  })

  test('has essences as long as their headers and the composition say, of its kind and rate', async () => {
    const place = 'The composition “Spring spot”, segment 1'
    expect(await holding({ video: videoTrackFile(IMF_IDS.video, 47) })).toEqual([
      `${place}, MainImageSequence: a resource says that its essence has 48 edit units, “video.mxf” has 47.`,
    ])
    expect(await holding({ audio: audioTrackFile({ id: IMF_IDS.audio, samples: 96_095, stated: 96_096 }) })).toEqual([
      '“audio.mxf” holds 96095 edit units of audio; its header states 96096.',
      `${place}, MainAudioSequence: a resource says that its essence has 96096 edit units, “audio.mxf” has 96095.`,
    ])
    expect(await holding({ video: videoTrackFile(IMF_IDS.video, 48, [25, 1]) })).toEqual([
      `${place}, MainImageSequence: a resource has the edit rate 24000/1001, its essence “video.mxf” 25.`,
    ])
    expect(await planned({ trackFile: IMF_IDS.audio })).toEqual([
      `${place}, MainImageSequence: the composition plays “audio.mxf”, which holds audio.`,
    ])
  })

  test('is read the same in pieces of any size', () => {
    const bytes = videoTrackFile(IMF_IDS.video, 12)
    const read = (size: number) => {
      const reader = new TrackFileReader()
      for (let at = 0; at < bytes.length; at += size) reader.take(bytes.subarray(at, at + size))
      return reader.finish()
    }
    const whole = read(bytes.length)
    expect(whole).toEqual({
      problem: null,
      pattern: 'OP1a',
      id: IMF_IDS.video,
      kinds: ['image'],
      rate: { num: 24_000, den: 1001 },
      units: 12,
      stated: null,
    })
    for (const size of [1, 16, 17, 19, 1000]) expect(read(size)).toEqual(whole)
  })

  test('plays what it holds, at one rate and length', async () => {
    const stranger = '99999999-9999-4999-8999-999999999999'
    expect(await read(imf({ trackFile: stranger }))).toMatchObject({
      elsewhere: [stranger],
      elsewhereCount: 1,
      faults: [],
    })
    expect(await planned({ videoRate: '25 1', intrinsic: 50, duration: 50 })).toContain(
      'The composition “Spring spot”, segment 1, MainImageSequence: a resource has the edit rate 25, the composition 24000/1001.',
    )
    expect(await planned({ entry: 1 })).toEqual([
      'The composition “Spring spot”, segment 1, MainImageSequence: a resource plays 48 edit units from 1, and its essence has 48.',
    ])
    expect(await planned({ audioDuration: 96_096 + 2002 })).toEqual([
      'The composition “Spring spot”, segment 1: MainAudioSequence takes 49 edit units, MainImageSequence 48; all sequences of a segment take the same.',
    ])
    expect(await planned({ audioDuration: 96_097 })).toEqual([
      expect.stringMatching(/MainAudioSequence takes 48\.\d+ edit units of the composition, not a whole number/),
    ])
  })

  test('says what of it cannot be read', async () => {
    expect(await faultsOf(imfWith(imf(), 'ASSETMAP.xml', '<AssetMap'))).toEqual([
      expect.stringMatching(/^“ASSETMAP.xml” cannot be read\. /),
      'The package holds no composition playlist.',
    ])
    expect(await faultsOf(imfWith(imf(), 'PKL_spot.xml', null))).toEqual([
      '“PKL_spot.xml” is not in the archive, or too large to be read.',
      'The package holds no composition playlist.',
    ])
    expect(await faultsOf([['ASSETMAP.xml', '<!DOCTYPE a [<!ENTITY b "c">]><AssetMap/>']])).toEqual([
      '“ASSETMAP.xml” cannot be read. It has a document type, which none of these files has.',
      'The package holds no composition playlist.',
    ])
    const map = String(imf()[0]?.[1]).replace(
      `<am:Asset><am:Id>urn:uuid:${IMF_IDS.video}`,
      '<am:Asset><am:Id>urn:uuid:7',
    )
    expect(await faultsOf(imfWith(imf(), 'ASSETMAP.xml', map))).toEqual([
      'An asset of the asset map has no id or no path.',
      `The packing list names the asset ${IMF_IDS.video}, which the asset map does not have.`,
    ])
  })
})
