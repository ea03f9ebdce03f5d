import { eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { files } from '@/db/schema/files'
import { testDb } from '@/db/testing'
import { makeBatch, makeFile } from '@/fixtures/factories'
import { DomainError } from '@/lib/domain/kernel/errors'
import { as } from '@/lib/domain/testing'
import { finishIntegrity } from './integrity'
import type { Inspection } from './port'

const INTACT: Inspection = { mediaType: 'video/mp4', kind: 'video', media: null, violations: [], complete: true }

test('a long decode that was killed quarantines nothing: the job fails, is run again, and then the file is intact', async () => {
  const file = await makeFile(await makeBatch(), { integrity: 'pending' })
  const blobs = { localPath: async (_key: string, use: (path: string) => unknown) => use('/nowhere') } as never
  const integrity = async () => (await testDb.select().from(files).where(eq(files.id, file.id)))[0]?.integrity
  const killed = async () => Promise.reject(new DomainError('unavailable', 'The decoder was killed.'))

  const run = (inspect: () => Promise<Inspection>) =>
    finishIntegrity(as('system', { ports: { blobs, files: { inspect } } }), { file_id: file.id })
  await expect(run(killed)).rejects.toMatchObject({ code: 'unavailable' })
  expect(await integrity()).toBe('pending')
  await run(async () => INTACT)
  expect(await integrity()).toBe('sound')
})
