import { describe } from 'vitest'
import type { ArchiveFacts } from '@/lib/media/facts'
import { archiveFacts, checkTable, subject } from '../testing'
import { adSizeCheck } from './ad-size-check'
import { archiveCheck } from './archive-check'
import { clickTagCheck } from './click-tag-check'

const archive = (changes: Partial<ArchiveFacts> = {}) => subject(archiveFacts(changes))
const html = (text: string) => archive({ documents: [{ path: 'index.html', text }] })
const holding = (...paths: string[]) =>
  archive({ entries: paths.map((path) => ({ path, size: 10, compressedSize: 5 })), entryCount: paths.length })
const plain = archive({ entryPoints: [], documents: [] })

describe('how an archive is packed', () => {
  const ad = { entry_point: 'required' }
  checkTable(archiveCheck, [
    { it: 'passes for a plain archive', given: plain, says: 'pass' },
    { it: 'passes for an ad', given: archive(), thresholds: ad, says: 'pass' },
    {
      it: 'fails without a page to start from where an ad is asked for',
      given: plain,
      thresholds: ad,
      says: 'fail',
      details: /no HTML file/,
    },
    {
      it: 'fails with two pages to start from',
      given: archive({ entryPoints: ['a.html', 'b.html'] }),
      thresholds: ad,
      says: 'fail',
      details: /2 HTML files .*\(a.html, b.html\)/,
    },
    {
      it: 'passes with two when one is index.html',
      given: archive({ entryPoints: ['index.html', 'b.html'] }),
      thresholds: ad,
      says: 'pass',
    },
    {
      it: 'fails with an archive inside',
      given: archive({ nestedArchives: 1 }),
      says: 'fail',
      details: /1 archive in itself/,
    },
    {
      it: 'passes with an archive inside when it is no ad',
      given: archive({ entryPoints: [], nestedArchives: 1 }),
      says: 'pass',
    },
    {
      it: 'may forbid one there, too',
      given: archive({ entryPoints: [], nestedArchives: 1 }),
      thresholds: { nested_archives: false },
      says: 'fail',
    },
    { it: 'may allow one', given: archive({ nestedArchives: 1 }), thresholds: { nested_archives: true }, says: 'pass' },
    { it: 'passes at the most files', given: archive({ entryCount: 40 }), thresholds: { max_files: 40 }, says: 'pass' },
    {
      it: 'fails above',
      given: archive({ entryCount: 41 }),
      thresholds: { max_files: 40 },
      says: 'fail',
      details: /41 files, at most 40/,
    },
    {
      it: 'passes at the most bytes',
      given: archive({ uncompressedSize: 200_000 }),
      thresholds: { max_unpacked_bytes: 200_000 },
      says: 'pass',
    },
    {
      it: 'fails above',
      given: archive({ uncompressedSize: 250_000 }),
      thresholds: { max_unpacked_bytes: 200_000 },
      says: 'fail',
      details: /unpacks to 250 kB/,
    },
    { it: 'fails with litter', given: holding('index.html', '__MACOSX/._index.html'), says: 'fail', details: /litter/ },
    {
      it: 'fails when two names are one elsewhere',
      given: holding('Logo.png', 'logo.png'),
      says: 'fail',
      details: /“Logo.png” and “logo.png” are one file/,
    },
  ])
})

describe('the size an ad states', () => {
  checkTable(adSizeCheck, [
    { it: 'is not asked of a plain archive', given: plain, says: 'skipped' },
    {
      it: 'passes when it is stated and nothing is set',
      given: archive(),
      says: 'pass',
      details: /states 300 × 250 px/,
    },
    { it: 'passes when listed', given: archive(), thresholds: { sizes: ['300x250'] }, says: 'pass' },
    {
      it: 'fails when not',
      given: archive(),
      thresholds: { sizes: ['728x90'] },
      says: 'fail',
      details: /300 × 250 px; 728 × 90 px is wanted/,
    },
    {
      it: 'goes by the name',
      given: { ...archive(), claims: { width: 320, height: 50 } },
      says: 'fail',
      details: /the name says 320 × 50 px/,
    },
    {
      it: 'fails when it is missing',
      given: html('<html></html>'),
      says: 'fail',
      fix: /<meta name="ad.size" content="width=300,height=250">/,
    },
    {
      it: 'fails when nobody can read it',
      given: html('<meta name="ad.size" content="300x250">'),
      says: 'fail',
      details: /form nobody reads/,
    },
    {
      it: 'is found whatever the order and case',
      given: html("<META content='width=300, height=250' NAME='ad.size'>"),
      says: 'pass',
    },
  ])
})

describe('the click tag', () => {
  checkTable(clickTagCheck, [
    { it: 'is not asked of a plain archive', given: plain, says: 'skipped' },
    { it: 'passes when defined', given: archive(), says: 'pass', details: /defines clickTag/ },
    { it: 'passes in other spellings', given: html('<script>window["clickTAG"] = "x"</script>'), says: 'pass' },
    {
      it: 'passes by an exit call',
      given: html('<script>Enabler.exit("main")</script>'),
      says: 'pass',
      details: /leaves by Enabler.exit\(\)/,
    },
    { it: 'fails when missing', given: html('<a href="https://example.com">'), says: 'fail', fix: /var clickTag/ },
    { it: 'is not found in a comment', given: html('<!-- var clickTag = "x" -->'), says: 'fail' },
    { it: 'is not a comparison', given: html('<script>if (window.clickTag == 1) {}</script>'), says: 'fail' },
    {
      it: 'is less sure with scripts beside it',
      given: html('<script src="ad.js"></script>'),
      says: 'fail',
      details: /a script beside it may/,
    },
  ])
})
