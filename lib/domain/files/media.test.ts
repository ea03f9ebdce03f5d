import { expect, it } from 'vitest'
import { makeBatch, makeFile, makeUser } from '@/fixtures/factories'
import { as } from '../testing'
import { getFile } from './queries'
import { File } from './schema'

it('a file without a playing time has none, instead of one that fits no schema', async () => {
  const admin = await makeUser({ role: 'administrator' })
  const batch = await makeBatch()
  const media = { pages: 2, width: null, height: null, durationSeconds: null, colorSpace: null }
  const { id } = await makeFile(batch, { kind: 'document', mediaType: 'application/pdf', media })
  const params = { project_id: batch.projectId, batch_id: batch.id, file_id: id }
  const file = await getFile.execute(as(admin), params)
  expect(file.media).toEqual({ kind: 'document', pages: 2, color_space: null })
  expect(File.safeParse(file).error).toBeUndefined()
})
