import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { IMF_IDS, type ImfPlan, imf, imfWith } from '@/fixtures/imf'
import { type ZipFile, zip } from '@/fixtures/zip'
import { examine } from '../examine'

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

describe('an IMF package', () => {
  test('holds, by SHA-1 or SHA-256, in the top folder or one below', async () => {
    const whole = {
      assets: 3,
      compositions: [{ title: 'Spring spot', editRate: [24_000, 1001], frames: 48 }],
      elsewhere: [],
      elsewhereCount: 0,
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
    expect(await faultsOf(imfWith(imf(), 'video.mxf', 'MXF of the v1deo'))).toEqual([
      'The SHA-1 hash of “video.mxf” is not the one that the packing list states: its bytes were changed.',
    ])
    expect(await faultsOf(imfWith(imf(), 'audio.mxf', 'short'))).toEqual([
      '“audio.mxf” has 5 bytes; the packing list states 16.',
    ])
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
