import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeBatch, makeFile, makeProject, makeToken, makeUser } from '@/fixtures/factories'
import { storeBytes } from '@/lib/adapters/blob-store/testing/conformance'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'
import type { BlobKey } from '@/lib/domain/kernel/blob-store'
import { newContext } from '@/lib/service'
import { send } from './testing'

/** With `DOWNLOADS=redirect` files are fetched from the bucket itself. */

const credentials = { accessKeyId: 'GREENROOMTEST', secretAccessKey: 'a/secret+that=is long' }
const bucket = 'greenroom-files'
let server: Awaited<ReturnType<typeof startS3Server>>

beforeAll(async () => {
  server = await startS3Server({ bucket, ...credentials })
  Object.assign(process.env, {
    ...{ STORAGE: 's3', DOWNLOADS: 'redirect', S3_BUCKET: bucket, S3_ENDPOINT: server.endpoint },
    ...{ S3_ACCESS_KEY_ID: credentials.accessKeyId, S3_SECRET_ACCESS_KEY: credentials.secretAccessKey },
  })
})
afterAll(() => server.stop())

it('are redirected, but for the scripts of a page, which could not read what the bucket answers', async () => {
  const operator = await makeUser({ role: 'operator' })
  const { token } = await makeToken(operator)
  const project = await makeProject({ members: [operator] })
  const bytes = randomBytes(3000)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const file = await makeFile(await makeBatch({ projectId: project.id }), { size: bytes.length, sha256 })
  await storeBytes(
    newContext({ actor: { type: 'system', name: 'A test' } }).ports.blobs,
    bytes,
    file.objectKey as BlobKey,
  )

  const { GET } = await import('@/app/api/projects/[project_id]/batches/[batch_id]/files/[file_id]/download/route')
  const params = { project_id: project.id, batch_id: file.batchId, file_id: file.id }
  const path = `/api/projects/${project.id}/batches/${file.batchId}/files/${file.id}/download`
  const ask = (headers: Record<string, string>) => send(GET, 'GET', path, { token, params, headers })

  // A program, a link that is followed, and a player
  for (const mode of [undefined, 'navigate', 'no-cors']) {
    const response = await ask(mode ? { 'sec-fetch-mode': mode } : {})
    expect(response.status).toBe(302)
    const there = await fetch(response.headers.get('location') ?? '')
    expect(Buffer.from(await there.arrayBuffer()).equals(bytes)).toBe(true)
  }
  // A script, as of the reader of PDFs
  for (const mode of ['cors', 'same-origin']) {
    const response = await ask({ 'sec-fetch-mode': mode, range: 'bytes=1000-1999' })
    expect(response.status).toBe(206)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes.subarray(1000, 2000))).toBe(true)
  }
})
