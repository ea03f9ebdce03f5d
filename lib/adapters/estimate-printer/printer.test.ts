import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '@/db/schema/columns'
import { sheetWith } from '@/lib/pdf/testing'
import { DiskBlobStore } from '../blob-store/disk'
import { closePrinter, printerWith } from './printer'

let folder: string
let blobs: DiskBlobStore
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'printer-'))
  blobs = new DiskBlobStore(folder)
})
afterAll(async () => {
  closePrinter()
  await rm(folder, { recursive: true })
})

async function keysUnder(id: string) {
  let count = 0
  for await (const { key } of blobs.list()) if (key.startsWith(`derived/${id}/`)) count += 1
  return count
}

test('an estimate is drawn outside this process, kept, and comes out the same ever after', async () => {
  const id = newId(new Date())
  const print = printerWith(blobs)
  const [first, second] = await Promise.all([print(id, sheetWith(3)), print(id, sheetWith(3))])
  expect(first.subarray(0, 8).toString('latin1')).toBe('%PDF-1.7')
  expect(second.equals(first)).toBe(true)
  expect(await keysUnder(id)).toBe(1)
  expect((await print(id, sheetWith(3))).equals(first)).toBe(true)
  expect((await print(id, sheetWith(3, { revision: 3 }))).equals(first)).toBe(false)
  expect(await keysUnder(id)).toBe(2)
})

test('a sheet that cannot be drawn is said so, and the next one is drawn', async () => {
  const print = printerWith(blobs)
  const id = newId(new Date())
  await expect(print(id, sheetWith(1, { total: 'much' }))).rejects.toMatchObject({ code: 'unavailable' })
  expect((await print(id, sheetWith(1))).length).toBeGreaterThan(1000)
})

test('drawing a thousand lines does not hold up this process', async () => {
  const print = printerWith(blobs)
  let longest = 0
  let last = performance.now()
  const ticks = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }, 5)
  await print(newId(new Date()), sheetWith(1000))
  clearInterval(ticks)
  // Drawn here it would be a second and more.
  expect(longest).toBeLessThan(400)
})
