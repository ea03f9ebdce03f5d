import './testing'
import { readFileSync } from 'node:fs'
import { inArray, sql } from 'drizzle-orm'
import { afterAll, expect, it } from 'vitest'
import { closeDatabase, database } from '@/db/client'
import { preQcMeasurements } from '@/db/schema/pre-qc'
import { makeBatch, makeFile, makeResult } from '@/fixtures/factories'

const migration = readFileSync(new URL('./migrations/0022_measurement_names.sql', import.meta.url), 'utf8')

afterAll(closeDatabase)

/** Keeps a subject for a new result of a new file. */
async function store(subject: Record<string, unknown>) {
  const result = await makeResult(await makeFile(await makeBatch()))
  await database().db.insert(preQcMeasurements).values({ resultId: result.id, subject })
  return result.id
}

it('gives stored measurements their present names, and gives up what it cannot read', async () => {
  const ids = [
    await store({
      name: 'spot.mp4',
      measures: { film: { black: [] }, sound: { tracks: [] }, pixels: { width: 1 } },
      neighbours: [{ fileId: 'a', film: { shared: 3 } }, { fileId: 'b' }],
    }),
    await store({ name: 'ad.zip', measures: { banner: { frame: 1, misdeeds: [{ what: 'popup' }] } } }),
    await store({ name: 'new.mp4', measures: { video: { black: [1] } } }),
    await store({ name: 'nul\u0000.mp4', measures: { film: {} } }),
  ]
  await database().db.execute(sql.raw(migration))
  const rows = await database().db.select().from(preQcMeasurements).where(inArray(preQcMeasurements.resultId, ids))
  const now = new Map(rows.map(({ resultId, subject }) => [resultId, subject]))
  expect(ids.map((id) => now.get(id))).toEqual([
    {
      name: 'spot.mp4',
      measures: { video: { black: [] }, audio: { tracks: [] }, pixels: { width: 1 } },
      neighbours: [{ fileId: 'a', video: { shared: 3 } }, { fileId: 'b' }],
    },
    { name: 'ad.zip', measures: { banner: { frame: 1, violations: [{ what: 'popup' }] } } },
    { name: 'new.mp4', measures: { video: { black: [1] } } },
    undefined,
  ])
})
