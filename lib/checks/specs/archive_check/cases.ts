import { archiveCheck } from '../../archive/archive-check'
import { archive, plainArchive } from '../../testing'
import { specOf } from '../spec'

const ad = { entry_point: 'required' }
const holding = (...paths: string[]) =>
  archive({ entries: paths.map((path) => ({ path, size: 10, compressedSize: 5 })), entryCount: paths.length })

export const spec = specOf(archiveCheck, {
  good: [
    { name: 'a plain archive', given: plainArchive },
    { name: 'an ad with one page to start from', given: archive(), thresholds: ad },
    {
      name: 'an ad with two pages, one of them index.html',
      given: archive({ entryPoints: ['index.html', 'b.html'] }),
      thresholds: ad,
    },
    { name: 'a plain archive with an archive inside', given: archive({ entryPoints: [], nestedArchives: 1 }) },
    {
      name: 'an ad with an archive inside where that is allowed',
      given: archive({ nestedArchives: 1 }),
      thresholds: { nested_archives: true },
    },
    { name: 'as many files as allowed', given: archive({ entryCount: 40 }), thresholds: { max_files: 40 } },
    {
      name: 'as many bytes as allowed',
      given: archive({ uncompressedSize: 200_000 }),
      thresholds: { max_unpacked_bytes: 200_000 },
    },
  ],
  bad: [
    {
      name: 'no page to start from where an ad is wanted',
      given: plainArchive,
      thresholds: ad,
      details: /no HTML file/,
    },
    {
      name: 'an ad with two pages to start from',
      given: archive({ entryPoints: ['a.html', 'b.html'] }),
      thresholds: ad,
      details: /2 HTML files .*\(a.html, b.html\)/,
    },
    { name: 'an ad with an archive inside', given: archive({ nestedArchives: 1 }), details: /1 archive in itself/ },
    {
      name: 'a plain archive with an archive inside where that is forbidden',
      given: archive({ entryPoints: [], nestedArchives: 1 }),
      thresholds: { nested_archives: false },
    },
    {
      name: 'a file too many',
      given: archive({ entryCount: 41 }),
      thresholds: { max_files: 40 },
      details: /41 files, at most 40/,
    },
    {
      name: 'too many bytes when unpacked',
      given: archive({ uncompressedSize: 250_000 }),
      thresholds: { max_unpacked_bytes: 200_000 },
      details: /unpacks to 250 kB/,
    },
    { name: 'litter of an operating system', given: holding('index.html', '__MACOSX/._index.html'), details: /litter/ },
    {
      name: 'two names that are one on other systems',
      given: holding('Logo.png', 'logo.png'),
      details: /“Logo.png” and “logo.png” are one file/,
    },
  ],
})
