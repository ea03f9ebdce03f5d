import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { zip } from '@/fixtures/zip'
import { readAd } from '../../ads/ad-files'
import type { ArchiveFacts } from '../../facts'
import { ByteSource } from '../byte-source'
import { readArchivePart } from './part'
import { examineZip } from './zip'

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-zip-'))
afterAll(() => rmSync(folder, { recursive: true }))

let serial = 0
const write = (bytes: Buffer) => {
  serial += 1
  const file = path.join(folder, `${serial}.zip`)
  writeFileSync(file, bytes)
  return file
}
async function examine(bytes: Buffer) {
  const source = new ByteSource(write(bytes))
  try {
    return (await examineZip(source)).media as ArchiveFacts
  } finally {
    source.close()
  }
}
/** A name exchanged for one of the same length in both headers, which no longer say that it is UTF-8. */
function renamed(name: string, to: string) {
  const text = zip([[name, '<html>']])
    .toString('latin1')
    .replaceAll(name, to)
  return Buffer.from(text.replaceAll(/(PK(?:\x03\x04|\x01\x02\x14\0)\x14\0\0)\x08/g, '$1\0'), 'latin1')
}

test.each([
  ['in the letters of DOS', renamed('caf_.html', 'caf\x82.html'), 'café.html'],
  ['with backslashes', renamed('ad/index.html', 'ad\\index.html'), 'ad/index.html'],
])('a name %s is the one by which its parts are shown and the ad is run', async (_, bytes, name) => {
  expect((await examine(bytes)).entryPoints).toEqual([name])
  const file = write(bytes)
  expect([...(await readAd(file)).keys()]).toEqual([name])
  expect((await readArchivePart(file, name))?.toString()).toBe('<html>')
  expect(await readArchivePart(file, 'other.html')).toBeNull()
})

test('control characters are refused, though a name of DOS shows them as signs', async () => {
  await expect(examine(renamed('a_.html', 'a\x01.html'))).rejects.toMatchObject({ code: 'malware' })
})

test.each([
  ['data before it', (bytes: Buffer) => Buffer.concat([Buffer.from('#!/bin/sh\n'), bytes]), undefined],
  ['zeros behind it', (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(3)]), undefined],
  ['other data behind it', (bytes: Buffer) => Buffer.concat([bytes, Buffer.from('PK')]), 'truncated'],
  [
    'another number of entries',
    (bytes: Buffer) => {
      const changed = Buffer.from(bytes)
      changed.writeUInt16LE(1, bytes.length - 12)
      changed.writeUInt16LE(1, bytes.length - 14)
      return changed
    },
    'corrupt',
  ],
  [
    'another name in the header of an entry',
    (bytes: Buffer) => Buffer.concat([Buffer.from(bytes.toString('latin1').replace('b.txt', 'c.txt'), 'latin1')]),
    'corrupt',
  ],
])('an archive with %s', async (_, change, code) => {
  const bytes = change(
    zip([
      ['a.txt', 'a'],
      ['b.txt', 'b'],
    ]),
  )
  if (code) await expect(examine(bytes)).rejects.toMatchObject({ code })
  else expect((await examine(bytes)).entryCount).toBe(2)
})
