import type { ArchiveFacts } from '@/lib/media/facts'
import { orphanAssetCheck } from '../../archive/orphan-asset-check'
import { archiveFacts, plainArchive, ranAd } from '../../testing'
import { specOf } from '../spec'

const unused = { unused: [{ path: 'old.psd', bytes: 9000 }] }

/** An ad of one page without a script. */
const still = (facts: Partial<ArchiveFacts> = {}) => ({
  ...ranAd(unused),
  media: archiveFacts({
    documents: [{ path: 'index.html', text: '<img src="hero.jpg" alt="">' }],
    entries: [{ path: 'index.html', size: 900, compressedSize: 400 }],
    entryCount: 1,
    ...facts,
  }),
})

export const spec = specOf(orphanAssetCheck, {
  good: [
    { name: 'every file is used', given: ranAd(), confidence: 1 },
    { name: 'as many as are allowed', given: ranAd(unused), thresholds: { max_files: 1 }, confidence: 1 },
    { name: 'only the backup image is not used', given: ranAd({ unused: [{ path: 'backup.jpg', bytes: 9000 }] }) },
  ],
  bad: [
    { name: 'a file that is not used', given: ranAd(unused), details: /9 kB/, confidence: 0.99 },
    { name: 'an ad without scripts, which put no name together', given: still(), confidence: 1 },
    {
      name: 'a script file beside the page',
      given: still({ entries: [{ path: 'js/a.js', size: 900, compressedSize: 400 }] }),
      confidence: 0.85,
    },
    {
      name: 'a page beside the first that was not read',
      given: still({ entries: [{ path: 'more/b.html', size: 900, compressedSize: 400 }] }),
      confidence: 0.85,
    },
    {
      name: 'a handler in the page',
      given: still({ documents: [{ path: 'index.html', text: '<p onclick="go()">Go</p>' }] }),
      confidence: 0.99,
    },
    {
      name: 'a script that puts names together',
      given: still({ documents: [{ path: 'index.html', text: '<script>show("img/" + name)</script>' }] }),
      confidence: 0.85,
    },
    {
      name: 'a script that is not needed itself',
      given: still({ entries: [{ path: 'old.psd', size: 900, compressedSize: 400 }] }),
      confidence: 1,
    },
    { name: 'more files than are listed', given: still({ entryCount: 9000 }), confidence: 0.85 },
  ],
  skipped: [{ name: 'a plain archive', given: plainArchive }],
})
