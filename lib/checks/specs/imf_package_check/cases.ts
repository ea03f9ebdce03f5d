import type { ImfFacts } from '@/lib/media/facts'
import { imfPackageCheck } from '../../archive/imf-package-check'
import { archive } from '../../testing'
import { specOf } from '../spec'

const imf = (changes: Partial<ImfFacts> = {}) =>
  archive({
    entryPoints: [],
    documents: [],
    imf: {
      assets: 3,
      compositions: [{ title: 'Spring spot', editRate: [24_000, 1001], frames: 720 }],
      faults: [],
      faultCount: 0,
      ...changes,
    },
  })
const LIST = 'SMPTE ST 2067-2, packing list'
const changed = { text: 'The SHA-1 hash of “video.mxf” is not the one that the packing list states.', clause: LIST }

export const spec = specOf(imfPackageCheck, {
  good: [
    {
      name: 'every asset as it is stated',
      given: imf(),
      details: /holds 3 assets .* 1 composition: “Spring spot”, 720 edit units at 24000\/1001/,
    },
    {
      name: 'essences that were gone through',
      given: imf({ trackFiles: 2 }),
      details: /at 24000\/1001\. 2 track files hold what they play\.$/,
    },
    {
      name: 'a supplemental package',
      given: imf({ elsewhere: ['id-of-the-video'], elsewhereCount: 1 }),
      details: /It is a supplemental package: .* 1 track file of another package.*\(id-of-the-video\)/,
    },
  ],
  bad: [
    {
      name: 'a supplemental package where complete ones are wanted',
      given: imf({ elsewhere: ['id-of-the-video'], elsewhereCount: 12 }),
      thresholds: { packages: 'complete' },
      details: /not complete.* 12 track files of another package/,
      fix: /as a complete package/,
    },
    {
      name: 'an asset that was changed',
      given: imf({ faults: [changed], faultCount: 1 }),
      details: /The SHA-1 hash of “video\.mxf” .* \(SMPTE ST 2067-2, packing list\)\./,
      fix: /Make the package/,
    },
    {
      name: 'more faults than are listed',
      given: imf({ faults: Array.from({ length: 7 }, () => changed), faultCount: 700 }),
      details: /695 more faults\.$/,
    },
  ],
  skipped: [
    { name: 'an ad', given: archive({ imf: null }), details: /not an IMF package/ },
    { name: 'an archive that was measured before', given: archive(), details: /was not read/ },
  ],
})
