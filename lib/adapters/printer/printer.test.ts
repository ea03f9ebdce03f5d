import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '@/db/schema/columns'
import type { Certificate } from '@/lib/domain/certificates/schema'
import type { BatchReport } from '@/lib/domain/pre-qc/report'
import { renderEstimate } from '@/lib/pdf/render-estimate'
import { readPdf, sheetWith } from '@/lib/pdf/testing'
import { DiskBlobStore } from '../blob-store/disk'
import { closePrinter, printerWith } from './printer'

const estimate = (...given: Parameters<typeof sheetWith>) => ({ kind: 'estimate' as const, sheet: sheetWith(...given) })

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

test('an estimate is drawn outside this process, stored, and comes out the same ever after', async () => {
  const id = newId(new Date())
  const print = printerWith(blobs)
  const [first, second] = await Promise.all([print(id, estimate(3)), print(id, estimate(3))])
  expect(first.subarray(0, 8).toString('latin1')).toBe('%PDF-1.7')
  expect(second.equals(first)).toBe(true)
  expect(await keysUnder(id)).toBe(1)
  expect((await print(id, estimate(3))).equals(first)).toBe(true)
  expect((await print(id, estimate(3, { revision: 3 }))).equals(first)).toBe(false)
  expect(await keysUnder(id)).toBe(2)
})

const AT = '2026-11-20T09:30:00.000Z'
const ID = '01890000-0000-7000-8000-000000000000'
const named = (name: string) => ({ id: ID, name })

test('a certificate is drawn there, too, and stored beside what else is derived of its batch', async () => {
  const id = newId(new Date())
  const print = printerWith(blobs)
  const statement: Certificate['statement'] = {
    kind: 'greenroom.batch-certificate',
    version: 1,
    id: ID,
    issued_at: AT,
    verification_url: `http://localhost:3000/verify/${ID}`,
    agency: named('Northlight'),
    project: named('Spring'),
    batch: named('Banners'),
    round: 2,
    approved_at: AT,
    files: [],
  }
  const signed = { algorithm: 'Ed25519 over RFC 8785', public_key: '', key_id: 'abc', signature: '' } as const
  const document = { kind: 'certificate' as const, certificate: { statement, ...signed } }
  const pdf = await print(id, document)
  expect((await readPdf(pdf)).pages[0]?.text).toContain('Certificate of approval')
  expect((await print(id, document)).equals(pdf)).toBe(true)
  expect(await keysUnder(id)).toBe(1)
})

test('a report is drawn there, and stored nowhere: it says when it was made', async () => {
  const id = newId(new Date())
  const report = {
    generated_at: AT,
    project: named('Spring'),
    agency: named('Northlight'),
    batch: { id: ID, name: 'Banners', status: 'in_review', round: 1, media_category: named('Display') },
    counts: { pass: 0, warning: 0, fail: 0, not_applicable: 0, not_checked: 0, waivers: 0 },
    files: [],
  } as unknown as BatchReport
  const pdf = await printerWith(blobs)(id, { kind: 'report', report })
  expect((await readPdf(pdf)).pages[0]?.text).toContain('Banners')
  expect(await keysUnder(id)).toBe(0)
})

test('a sheet that cannot be drawn is said so, and the next one is drawn', async () => {
  const print = printerWith(blobs)
  const id = newId(new Date())
  await expect(print(id, estimate(1, { total: 'much' }))).rejects.toMatchObject({ code: 'unavailable' })
  expect((await print(id, estimate(1))).length).toBeGreaterThan(1000)
})

/** Processor time of this process alone, microseconds. */
async function costHere(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

test('drawing an estimate costs this process a small part of what it costs', async () => {
  const there = await costHere(() => printerWith(blobs)(newId(new Date()), estimate(60)))
  const here = await costHere(() => renderEstimate(sheetWith(60)))
  expect(there).toBeLessThan(here / 4)
})
