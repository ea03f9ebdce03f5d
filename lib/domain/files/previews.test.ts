import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { database } from '@/db/client'
import { files } from '@/db/schema/files'
import { testSql } from '@/db/testing'
import { makeBatch, makeFile, makeToken, makeUser } from '@/fixtures/factories'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import type { Context } from '@/lib/domain/kernel/operation'
import { send } from '@/lib/http/testing'
import { newContext } from '@/lib/service'
import { drawPages, drawPreviews } from './previews'

/** A context whose drawer responds with the number of the page, and cannot draw from `broken` on. */
function drawing(broken = Number.POSITIVE_INFINITY) {
  const drawn: number[] = []
  const ctx = newContext({ actor: { type: 'system', name: 'A test' } })
  const ports = {
    ...ctx.ports,
    files: {
      ...ctx.ports.files,
      drawPreviews: async (_path: string, { page = 1 }: { page?: number }) => {
        drawn.push(page)
        const image = page < broken ? Buffer.from(`page ${page}`) : null
        return { thumbnail: image, preview: image }
      },
    },
  }
  return { ctx: { ...ctx, ports }, drawn }
}

const documentOf = (pages: number) => stored({ kind: 'document', media: { kind: 'document', pages } })

async function stored(given: Parameters<typeof makeFile>[1]) {
  const batch = await makeBatch()
  const file = await makeFile(batch, given)
  await storeBytes(
    newContext({ actor: { type: 'system', name: 'A test' } }).ports.blobs,
    Buffer.from('%PDF'),
    file.objectKey as BlobKey,
  )
  return { batch, file }
}

const previewsOf = async (id: string) =>
  (await database().db.select({ previews: files.previews }).from(files).where(eq(files.id, id)))[0]?.previews

/** Works off what is enqueued for a file until nothing is; returns how many jobs that were. */
async function drawAll(ctx: Context, id: string): Promise<number> {
  const key = `draw_pages:${id}`
  for (let jobs = 1; ; jobs++) {
    const waiting = await testSql`delete from graphile_worker._private_jobs where key = ${key} returning id`
    if (waiting.length === 0) return jobs
    await drawPages(ctx, { file_id: id })
  }
}

it('draws every page of a document, up to 500, some by each job, and serves each at its number', async () => {
  const { batch, file } = await documentOf(520)
  const { ctx, drawn } = drawing()
  await drawPreviews(ctx, { file_id: file.id })
  expect(drawn).toEqual([1])
  expect(await previewsOf(file.id)).toEqual({ thumbnail: true, preview: true })
  expect(await drawAll(ctx, file.id)).toBe(1 + Math.ceil(499 / 20))
  expect(drawn).toEqual(Array.from({ length: 500 }, (_, index) => index + 1))
  expect(await previewsOf(file.id)).toEqual({ thumbnail: true, preview: true, pages: 500 })

  const route = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/[file_id]/preview/route')
  const { token } = await makeToken(await makeUser({ role: 'administrator' }))
  const params = { project_id: batch.projectId, batch_id: batch.id, file_id: file.id }
  const ask = (query: string) => send(route.GET, 'GET', `/preview${query}`, { token, params })
  expect(await (await ask('')).text()).toBe('page 1')
  expect(await (await ask('?page=3')).text()).toBe('page 3')
  expect((await ask('?page=501')).status).toBe(404)
  for (const page of ['0', '-1', '1.5', 'x', '']) expect((await ask(`?page=${page}`)).status).toBe(400)
})

it('goes on where a killed worker stopped, and stops at a page that cannot be drawn', async () => {
  const { file } = await documentOf(5)
  await database()
    .db.update(files)
    .set({ previews: { thumbnail: true, preview: true, pages: 2 } })
    .where(eq(files.id, file.id))
  const { ctx, drawn } = drawing(4)
  await drawPreviews(ctx, { file_id: file.id })
  await drawAll(ctx, file.id)
  expect(drawn).toEqual([3, 4])
  expect(await previewsOf(file.id)).toMatchObject({ pages: 3 })
})

it('draws nothing but the first image of what is no document', async () => {
  const { file } = await stored({ kind: 'image', media: { kind: 'image', pages: 4 } })
  const { ctx, drawn } = drawing()
  await drawPreviews(ctx, { file_id: file.id })
  expect(drawn).toEqual([1])
  expect(await previewsOf(file.id)).toEqual({ thumbnail: true, preview: true })
})
