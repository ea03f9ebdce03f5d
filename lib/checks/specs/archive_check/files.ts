import { type ZipFile, zip } from '@/fixtures/zip'
import { HERO, HTML, pack, page, SIZE, TAG } from '../archive-files'
import { bad, good, sharing } from '../files'

const files = (count: number) =>
  pack([HTML, ...Array.from({ length: count - 1 }, (_, index): ZipFile => [`assets/${index}.txt`, `${index}`])])
const unpacked = (bytes: number) => pack([HTML, ['filler.txt', Buffer.alloc(bytes - Buffer.byteLength(HTML[1]), 65)]])

export const FILES = sharing({ thresholds: { entry_point: 'required', max_files: 10, max_unpacked_bytes: 50_000 } }, [
  good('plain.zip', pack([HTML, HERO])),
  good('two-pages.zip', pack([HTML, ['end.html', page('')]])),
  good('ten-files.zip', files(10)),
  good('full.zip', unpacked(50_000)),
  good(
    'source.zip',
    pack([
      ['fonts/a.ttf', 'font'],
      ['more.zip', zip([HERO])],
    ]),
    { thresholds: {} },
  ),
  bad('two-ads.zip', pack([HTML, ['other.html', HTML[1]], HERO]), { onceWrong: true }),
  bad('two-ads-not-asked.zip', pack([HTML, ['other.html', HTML[1]], HERO]), { thresholds: {} }),
  // A frame that the first page shows is a part of the ad.
  good(
    'framed.zip',
    pack([
      ['index.html', page(SIZE + TAG, '<iframe src="inner.html"></iframe>')],
      ['inner.html', page(TAG)],
    ]),
  ),
  good(
    'site.zip',
    pack([
      ['a.html', page('')],
      ['b.html', page('')],
    ]),
    { thresholds: {} },
  ),
  bad('eleven-files.zip', files(11)),
  bad('too-full.zip', unpacked(50_001)),
  bad('in-a-folder.zip', pack([['ad/index.html', HTML[1]]]), { onceWrong: true }),
  bad(
    'which-page.zip',
    pack([
      ['a.html', HTML[1]],
      ['b.html', HTML[1]],
    ]),
  ),
  bad('nested.zip', pack([HTML, ['more.zip', zip([HERO])]])),
  bad('litter-mac.zip', pack([HTML, ['__MACOSX/._index.html', 'x']])),
  bad('litter-store.zip', pack([HTML, ['images/.DS_Store', 'x']])),
  bad('one-name-twice.zip', pack([HTML, ['Hero.png', 'a'], ['hero.png', 'b']])),
])
