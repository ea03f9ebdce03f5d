import { subloadCheck } from '../../archive/subload-check'
import { adRequest, askingAd, plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(subloadCheck, {
  good: [{ name: 'loads nothing after its start', given: ranAd(), details: /loads nothing after/ }],
  bad: [
    {
      name: 'more than twice the initial load',
      given: askingAd(adRequest('video.mp4', { phase: 'later', packedBytes: 300_001 })),
    },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
