import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { demoPassword, expect } from './test'

/** What stories have in common: signing in, and files that were never sent before. */

export async function signIn(page: Page, who: 'admin' | 'coordinator' | 'operator' | 'viewer', to = '/projects') {
  // Not by the form, which has stories of its own: where it leads is asked for again by the router a moment later.
  const asked = await page.request.get('/api/auth/csrf')
  const { csrfToken } = (await asked.json()) as { csrfToken: string }
  const signedIn = await page.request.post('/api/auth/callback/credentials', {
    form: { csrfToken, email: `${who}@greenroom.test`, password: demoPassword(), json: 'true' },
    headers: { 'Sec-Fetch-Site': 'same-origin', Origin: new URL(asked.url()).origin },
  })
  expect(signedIn.status(), await signedIn.text()).toBe(200)
  await page.goto(to)
  await page.waitForURL((url) => url.pathname === to)
}

/**
 * Takes an option of the list that is open, once the pointer is on it: bringing it into sight may scroll the page, and
 * the list then changes to the other side of its field.
 */
export async function choose(page: Page, name: string | RegExp) {
  const option = page.getByRole('option', { name })
  await expect(async () => {
    await option.hover()
    await expect(option).toHaveAttribute('data-highlighted', { timeout: 500 })
  }).toPass()
  await option.click()
  await expect(option).toBeHidden()
}

/** A request to the interface with the session of the page, as its own scripts make them. */
export async function ask<Output>(
  page: Page,
  path: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Output> {
  const response = await page.request.fetch(path, {
    method,
    data: body,
    headers: ownHeaders(page),
  })
  expect(response.status(), await response.text()).toBeLessThan(300)
  return response.json()
}

/** The operator of the demo workspace. Others of that role may be made, deactivated or erased by stories that run beside. */
export async function demoOperator(page: Page): Promise<string | undefined> {
  const { users } = await ask<{ users: { id: string; email: string }[] }>(page, '/api/users?role=operator')
  return users.find(({ email }) => email.startsWith('operator@'))?.id
}

/** Sends one file to the address of a batch's files, as the page's own scripts do, and gives what was stored. */
export async function sendFile<Stored extends { id: string }>(
  page: Page,
  files: string,
  file: { name: string; mimeType: string; buffer: Buffer },
): Promise<Stored> {
  const response = await page.request.post(files, { multipart: { file }, headers: ownHeaders(page) })
  expect(response.status(), await response.text()).toBe(201)
  return response.json()
}

/** What a browser says of a request that a page makes to where it came from. */
const ownHeaders = (page: Page) => ({ 'Sec-Fetch-Site': 'same-origin', Origin: new URL(page.url()).origin })

/** A JPEG of the size given, different at every call. */
export async function photo(width: number, height: number): Promise<Buffer> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 40 }
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 90 })
    .toBuffer()
}

/** Gives how to limit what the page sends, in bytes a second; -1: as fast as it can. */
export async function slowUploads(page: Page): Promise<(bytesPerSecond: number) => Promise<unknown>> {
  const network = await page.context().newCDPSession(page)
  return (uploadThroughput) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    })
}

export type Named = { id: string; name: string }

/** A project of the first agency, whose batches take files of any name unless they are made otherwise. */
export async function newProject(page: Page, name: string): Promise<Named> {
  // Not the newest: that may be one whose own story counts what is stored for it.
  const { agencies } = await ask<{ agencies: Named[] }>(page, '/api/agencies?q=Northlight&limit=1')
  const { media_categories } = await ask<{ media_categories: Named[] }>(page, '/api/media-categories')
  return ask<Named>(page, '/api/projects', {
    name,
    agency_id: agencies[0]?.id,
    media_category_id: media_categories.find(({ name }) => name === 'Mixed deliverables')?.id,
  })
}

/** A batch of a new project that takes any name, with these files and an operator; not submitted. */
export async function batchWith(page: Page, files: { name: string; mimeType: string; buffer: Buffer }[]) {
  const project = await newProject(page, `Posters ${Date.now().toString(36)}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Posters',
    operator_id: await demoOperator(page),
  })
  const path = `/projects/${project.id}/batches/${batch.id}`
  const sent: Named[] = []
  for (const file of files) sent.push(await sendFile<Named>(page, `/api${path}/files`, file))
  return { path, batch, sent }
}

/** The same with one PDF, called page.pdf, whose first page can be seen. */
export async function batchWithPdf(page: Page, buffer: Buffer) {
  await signIn(page, 'admin')
  const { path, sent } = await batchWith(page, [{ name: 'page.pdf', mimeType: 'application/pdf', buffer }])
  const { id } = sent[0] as Named
  await expect
    .poll(async () => (await ask<{ preview_url: string | null }>(page, `/api${path}/files/${id}`)).preview_url, {
      timeout: 60_000,
    })
    .not.toBeNull()
  return { at: path, id }
}

/** A batch as `batchWith` makes one, with one photograph of the size given, submitted. */
export async function photoInReview(page: Page, width: number, height: number) {
  const poster = { name: 'poster.jpg', mimeType: 'image/jpeg', buffer: await photo(width, height) }
  const { path, batch, sent } = await batchWith(page, [poster])
  await ask(page, `/api${path}/submit`, {})
  return { path, batch, file: sent[0] as Named }
}

/** A batch of a new project that takes any name, with files `0-….jpg` to `4-….jpg`. */
export async function batchOfFive(page: Page) {
  const serial = Date.now().toString(36)
  const project = await newProject(page, `Many ${serial}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: `Five ${serial}`,
    operator_id: await demoOperator(page),
  })
  const place = `/projects/${project.id}/batches/${batch.id}`
  const names = Array.from({ length: 5 }, (_, index) => `${index}-${serial}.jpg`)
  // The newest stands first in the list.
  for (const name of names.toReversed())
    await sendFile(page, `/api${place}/files`, { name, mimeType: 'image/jpeg', buffer: await photo(300, 250) })
  return { project, batch, place, names }
}
