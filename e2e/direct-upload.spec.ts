import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import type { Browser, Locator } from '@playwright/test'
import sharp from 'sharp'
import { startS3Server } from '@/lib/adapters/blob-store/testing/s3-server'
import { type Product, startProduct } from './support/product'
import { expect, test } from './support/test'
import { ask, newProject, photo, signIn } from './support/workspace'

/** Files that go from the page to a bucket of another origin: a server that speaks S3, over the network. */

type Named = { id: string; name: string }
const BUCKET = { bucket: 'stories', accessKeyId: 'STORIES', secretAccessKey: 'a secret of the stories' }

let server: Awaited<ReturnType<typeof startS3Server>>
let product: Product
test.describe.configure({ mode: 'default' })
test.beforeAll(async () => {
  server = await startS3Server(BUCKET)
  server.set({ cors: ['*'] })
  product = await startProduct({
    STORAGE: 's3',
    S3_BUCKET: BUCKET.bucket,
    S3_ENDPOINT: server.endpoint,
    S3_ACCESS_KEY_ID: BUCKET.accessKeyId,
    S3_SECRET_ACCESS_KEY: BUCKET.secretAccessKey,
    WEB_PROCESSES: '2',
  })
})
test.afterAll(async () => {
  await product?.stop()
  await server?.stop()
})
test.beforeEach(() => server.breaks())

async function batchAndLink(browser: Browser) {
  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  await signIn(page, 'coordinator')
  const project = await newProject(page, `Direct ${Date.now().toString(36)}`)
  const batch = `/api/projects/${project.id}/batches`
  const { id } = await ask<Named>(page, batch, {
    name: 'Photos',
  })
  const link = await ask<{ url: string }>(page, '/api/upload-links', { batch_id: id })
  const stored = async () =>
    (await ask<{ files: (Named & { size: number })[] }>(page, `${batch}/${id}/files`)).files.map(({ name }) => name)
  return { page, address: new URL(link.url).pathname, stored, path: `/projects/${project.id}/batches/${id}` }
}

/** An image of three parts. */
const large = () =>
  sharp(randomBytes(2700 * 2700 * 3), { raw: { width: 2700, height: 2700, channels: 3 } })
    .png({ compressionLevel: 0 })
    .toBuffer()

const sentThrough = (requests: string[]) => requests.filter((url) => /\/(files|tus)$/.test(url))
const parts = () => server.requests.filter((operation) => operation === 'part').length

test('files go from the page to the bucket, are checked, accepted or refused, and go on after a reload', async ({
  browser,
}, info) => {
  const { address, stored } = await batchAndLink(browser)
  const context = await browser.newContext({ baseURL: product.url })
  const agency = await context.newPage()
  const requests: string[] = []
  const said: string[] = []
  agency.on('request', (request) => requests.push(new URL(request.url()).pathname))
  agency.on('console', (message) => message.type() === 'error' && said.push(message.text()))
  const uploads = agency.getByRole('region', { name: 'Uploads' })
  const choose = (files: Parameters<Locator['setInputFiles']>[0]) =>
    agency.getByLabel('Choose files').first().setInputFiles(files)

  await agency.goto(address)
  // A bucket that fails twice is asked again
  let failed = 0
  server.breaks((operation) => (operation === 'part' && ++failed <= 2 ? 'error' : undefined))
  await choose([
    { name: 'small.jpg', mimeType: 'image/jpeg', buffer: await photo(300, 200) },
    { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: (await photo(300, 200)).subarray(0, 900) },
  ])
  await expect(uploads.getByText('1 accepted')).toBeVisible({ timeout: 60_000 })
  const broken = uploads.getByRole('listitem').filter({ hasText: 'broken.jpg' })
  await expect(broken.getByText(/broken off|truncated|ends|incomplete|cut/i).first()).toBeVisible({ timeout: 60_000 })
  expect(await stored()).toEqual(['small.jpg'])

  // The page is left while parts of a large file are on their way, and goes on with the others
  const file = info.outputPath('large.png')
  writeFileSync(file, await large())
  let taken = 0
  expect(failed).toBeGreaterThan(2)
  server.breaks((operation) => (operation === 'part' && ++taken > 1 ? 'hang' : undefined))
  const before = parts()
  await choose(file)
  await expect.poll(() => [...server.uploads.values()][0]?.parts.size, { timeout: 30_000 }).toBe(1)
  agency.on('dialog', (dialog) => dialog.accept())
  await agency.reload()
  server.breaks()
  const hung = parts() - before
  await choose(file)
  await expect(uploads.getByText('1 accepted')).toBeVisible({ timeout: 60_000 })
  expect(parts() - before - hung).toBe(2)
  expect((await stored()).sort()).toEqual(['large.png', 'small.jpg'])

  expect(sentThrough(requests)).toEqual([])
  expect([...server.objects.keys()].filter((key) => key.startsWith('incoming/'))).toEqual([])
  expect(server.uploads.size).toBe(0)
  expect(said.filter((text) => !text.includes('status of 500'))).toEqual([])
  await context.close()
})

test('staff send the same way, and what they cancel is gone from the bucket', async ({ browser }, info) => {
  const { page, path, stored } = await batchAndLink(browser)
  const file = info.outputPath('mine.png')
  writeFileSync(file, await large())
  let taken = 0
  server.breaks((operation) => (operation === 'part' && ++taken > 1 ? 'hang' : undefined))
  await page.goto(path)
  await page.getByLabel('Choose files').setInputFiles(file)
  await expect.poll(() => [...server.uploads.values()][0]?.parts.size, { timeout: 30_000 }).toBe(1)
  // It is asked about once the page has heard that something was sent.
  await expect(page.getByText(/^[1-9]\d? % · /)).toBeVisible()
  await page.getByRole('button', { name: 'Cancel mine.png' }).click()
  await page.getByRole('button', { name: 'Cancel the upload' }).click()
  await expect.poll(() => server.uploads.size, { timeout: 30_000 }).toBe(0)
  server.breaks()
  await page.getByLabel('Choose files').setInputFiles(file)
  await expect.poll(stored, { timeout: 60_000 }).toEqual(['mine.png'])
})

test('a browser that cannot reach the bucket sends through the service', async ({ browser }) => {
  const { address, stored } = await batchAndLink(browser)
  const context = await browser.newContext({ baseURL: product.url })
  const agency = await context.newPage()
  await agency.goto(address)
  server.set({ cors: [] })
  const uploads = agency.getByRole('region', { name: 'Uploads' })
  const buffer = await photo(310, 200)
  await agency
    .getByLabel('Choose files')
    .first()
    .setInputFiles([{ name: 'a.jpg', mimeType: 'image/jpeg', buffer }])
  await expect(uploads.getByText('1 accepted')).toBeVisible({ timeout: 60_000 })
  expect(await stored()).toEqual(['a.jpg'])
  await expect.poll(() => server.uploads.size, { timeout: 30_000 }).toBe(0)
  server.set({ cors: ['*'] })
  await context.close()
})
