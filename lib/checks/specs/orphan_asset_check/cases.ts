import { orphanAssetCheck } from '../../archive/orphan-asset-check'
import { plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

export const spec = specOf(orphanAssetCheck, {
  good: [
    { name: 'every file is used', given: ranAd() },
    { name: 'only the backup image is not used', given: ranAd({ unused: [{ path: 'backup.jpg', bytes: 9000 }] }) },
  ],
  bad: [
    { name: 'a file that is not used', given: ranAd({ unused: [{ path: 'old.psd', bytes: 9000 }] }), details: /9 kB/ },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
