// `npm run bench:ahead`: how long a verdict takes after the submit, for files as the demo workspace has them, where nothing is
// known of their content and where it was measured before: ahead of the submit, or for another project. Both go the whole way of
// the job of a check, in alternation, with the sandboxed processes as a build leaves them.
//
// ROUNDS=5 SECONDS=6
import { createHash } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import path from 'node:path'
import { eq } from 'drizzle-orm'
import { database } from '@/db/client'
import { migrateDatabase } from '@/db/migrate'
import { contentMeasurements, preQcResults } from '@/db/schema/pre-qc'
import { type Design, still } from '@/fixtures/artwork'
import { advertisement, clip } from '@/fixtures/deliveries'
import { makeBatch, makeFile, makeResult } from '@/fixtures/factories'
import { extensionOf, findTypeByExtension } from '@/lib/domain/files/media-types'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { runPreQc } from '@/lib/domain/pre-qc/run'
import { closeInspector } from '@/lib/media/inspect/inspect'
import { closeMeasurer } from '@/lib/media/measurer/measurer'
import { newContext } from '@/lib/service'
import { bundleChildren } from '@/server/build/bundle'
import { clusterIn, startCluster } from '@/server/embedded-database/cluster'
import { median } from './median'

const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SECONDS = Number(process.env.SECONDS ?? 6)
/** Of the time without, at most. */
const LIMIT = 0.5

const folder = mkdtempSync(path.join(tmpdir(), 'greenroom-ahead-'))
chmodSync(folder, 0o711)
const cluster = await startCluster(clusterIn(folder))
Object.assign(process.env, { NODE_ENV: 'production', DATA_DIR: folder, DATABASE_URL: cluster.url })
const design: Design = {
  brand: 'Voltaire Bikes',
  headline: 'Ride the long way',
  colours: ['#10142b', '#ff6a3d', '#ffffff'],
  shape: 'rings',
}
const context = () => newContext({ actor: { type: 'system', name: 'A bench' } })

try {
  await bundleChildren(process.cwd())
  await migrateDatabase(cluster.url)
  const files = {
    'video.mp4': await clip(design, 1920, 1080, SECONDS, 25, { fastStart: true }),
    'image.png': await still(design, 3000, 2000, 'png'),
    'document.pdf': await advertisement(design, 4, true),
  }
  console.log(`load ${loadavg()[0]?.toFixed(1)}, ${ROUNDS} rounds, median seconds from submit to verdict`)
  for (const [name, bytes] of Object.entries(files)) {
    const file = await store(name, bytes)
    await verdict(file)
    const times = { unknown: [] as number[], known: [] as number[] }
    for (let round = 0; round < ROUNDS; round++) {
      await database().db.delete(contentMeasurements).where(eq(contentMeasurements.sha256, file.sha256))
      times.unknown.push(await verdict(file))
      times.known.push(await verdict(file, { isKnown: true }))
    }
    const [unknown, known] = [median(times.unknown), median(times.known)]
    const ratio = known / unknown
    console.log(
      `${name.padEnd(14)} ${(bytes.length / 1e6).toFixed(1).padStart(5)} MB   not known ${unknown.toFixed(2).padStart(6)} s   known ${known.toFixed(2).padStart(6)} s   ${ratio.toFixed(2)}x (at most ${LIMIT}x) ${ratio <= LIMIT ? 'kept' : 'missed'}`,
    )
  }
} finally {
  closeInspector()
  closeMeasurer()
  await database().sql.end({ timeout: 5 })
  await cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}

/** A file of these bytes as it lies in the store. */
async function store(name: string, bytes: Buffer) {
  const type = findTypeByExtension(extensionOf(name))
  if (!type) throw new Error(`${name} has no type.`)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const given = { name, kind: type.kind, mediaType: type.mediaType, size: bytes.length, sha256 }
  const file = await makeFile(await makeBatch(), given)
  const { blobs } = context().ports
  const staged = await blobs.stage()
  const writable = await staged.writable()
  await new Promise<void>((resolve, reject) => writable.on('error', reject).end(bytes, resolve))
  await blobs.commit(staged, file.objectKey as BlobKey)
  return file
}

/** Seconds until the verdict of a queued check is there. */
async function verdict(file: Awaited<ReturnType<typeof store>>, { isKnown = false } = {}): Promise<number> {
  const { db } = database()
  await db.delete(preQcResults).where(eq(preQcResults.fileId, file.id))
  const { id } = await makeResult(file, { status: 'queued', summary: null, completedAt: null })
  const began = performance.now()
  await runPreQc(context(), { result_id: id })
  const seconds = (performance.now() - began) / 1000
  const [result] = await db.select().from(preQcResults).where(eq(preQcResults.id, id))
  if (result?.status !== 'completed' || (isKnown && result.measuredAt === null))
    throw new Error(`${file.name} was not checked as it should be: ${JSON.stringify(result)}`)
  return seconds
}
