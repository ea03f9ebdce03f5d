import { afterAll, beforeAll, expect, it } from 'vitest'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'
import { parseEnvironment } from '@/lib/env'
import { chooseUploads, describeUploads } from './prepare'

const BASE_URL = 'https://qc.example.com'
const BUCKET = { bucket: 'files', accessKeyId: 'PREPARE', secretAccessKey: 'a secret of this test' }
let server: Awaited<ReturnType<typeof startS3Server>>
beforeAll(async () => {
  server = await startS3Server(BUCKET)
})
afterAll(() => server.stop())

const chosen = (given: Record<string, string>) =>
  chooseUploads(
    parseEnvironment({
      BASE_URL,
      S3_BUCKET: BUCKET.bucket,
      S3_ENDPOINT: server.endpoint,
      S3_ACCESS_KEY_ID: BUCKET.accessKeyId,
      S3_SECRET_ACCESS_KEY: BUCKET.secretAccessKey,
      ...given,
    }),
  )

it('uploads go to the bucket itself where its CORS rules let pages of this service send, unless a setting says otherwise', async () => {
  server.set({ cors: ['https://elsewhere.example.com'] })
  const refused = await chosen({ STORAGE: 's3' })
  expect(refused).toMatchObject({ way: 'server', obstacle: expect.stringContaining(BASE_URL) })
  expect(describeUploads(refused)).toMatch(/^through this server; the bucket’s CORS rules/)
  const anyhow = await chosen({ STORAGE: 's3', UPLOADS: 'direct' })
  expect(anyhow).toMatchObject({ way: 'direct', obstacle: expect.stringContaining(BASE_URL) })

  server.set({ cors: [BASE_URL] })
  const allowed = await chosen({ STORAGE: 's3' })
  expect(allowed).toEqual({ way: 'direct', obstacle: null })
  expect(describeUploads(allowed)).toBe('from the client to the bucket')
  expect(await chosen({ STORAGE: 's3', UPLOADS: 'server' })).toEqual({ way: 'server', obstacle: null })
  expect(await chosen({ STORAGE: 'disk' })).toEqual({ way: 'server', obstacle: null })
})
