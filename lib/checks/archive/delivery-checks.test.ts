import { describe } from 'vitest'
import { archiveFacts, checkTable, subject } from '../testing'
import { backupImageCheck } from './backup-image-check'
import { externalRequestCheck } from './external-request-check'

const page = (text: string) => subject(archiveFacts({ documents: [{ path: 'index.html', text }] }))
const holding = (path: string, size: number) =>
  subject(
    archiveFacts({
      entries: [
        { path: 'index.html', size: 900, compressedSize: 400 },
        { path, size, compressedSize: size },
      ],
    }),
  )

describe('requests to other servers', () => {
  checkTable(externalRequestCheck, [
    {
      it: 'are none in an ad that brings all along',
      given: page('<img src="hero.jpg"><a href="https://example.com">Go</a>'),
      says: 'pass',
    },
    {
      it: 'fail with the name of the server',
      given: page('<script src="https://cdn.example.net/lib.js"></script>'),
      says: 'fail',
      details: /“cdn.example.net”/,
    },
    {
      it: 'fail where the scheme is left out',
      given: page('<link rel="stylesheet" href="//fonts.example/x.css">'),
      says: 'fail',
    },
    {
      it: 'pass to a server that is allowed',
      given: page('<script src="https://s0.2mdn.net/ads.js"></script>'),
      says: 'pass',
    },
    {
      it: 'fail to it without encryption',
      given: page('<script src="http://s0.2mdn.net/ads.js"></script>'),
      says: 'fail',
      details: /without encryption/,
    },
  ])
})

describe('the backup image', () => {
  checkTable(backupImageCheck, [
    { it: 'passes by its name', given: holding('img/backup.jpg', 30_000), says: 'pass' },
    { it: 'fails when too heavy', given: holding('backup.jpg', 41_000), says: 'fail', details: /41 kB; at most 40 kB/ },
    { it: 'fails when missing', given: holding('img/hero.jpg', 30_000), says: 'fail', details: /no backup image/ },
  ])
})
