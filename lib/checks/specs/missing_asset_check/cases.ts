import { missingAssetCheck } from '../../archive/missing-asset-check'
import { adRequest, askingAd, plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(missingAssetCheck, {
  good: [{ name: 'all files are there', given: ranAd() }],
  bad: [
    {
      name: 'a missing file, and one that is called nearly so',
      given: askingAd(adRequest('images/Hero.jpg', { status: 'missing' })),
      details: /“images\/Hero.jpg” \(the archive has “images\/hero.jpg”\)/,
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
