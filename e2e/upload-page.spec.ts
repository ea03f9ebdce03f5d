import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectRefusals, listen, test } from './support/test'
import { ask, demoOperator, type Named, newProject, photo, signIn, slowUploads } from './support/workspace'

/** The page of an agency as it is really used: a train, a phone, a thousand files, an Enter too many. */

/** React and the router alone are 133 kB of it. */
const FIRST_LOAD_BYTES = 200_000

const jpeg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer })

test('uploads outlive an outage, lost responses and the end of the link, and leave a receipt', async ({
  page,
  browser,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const [{ agencies }, { campaigns }, { media_categories }, { users }] = await Promise.all([
    ask<{ agencies: Named[] }>(page, '/api/agencies'),
    ask<{ campaigns: Named[] }>(page, '/api/campaigns'),
    ask<{ media_categories: Named[] }>(page, '/api/media-categories'),
    ask<{ users: Named[] }>(page, '/api/users?role=operator'),
  ])
  const id = (list: Named[], name: RegExp) => list.find((each) => name.test(each.name))?.id
  const project = await ask<Named>(page, '/api/projects', {
    name: `Outage ${Date.now().toString(36)}`,
    agency_id: id(agencies, /Northlight/),
    campaign_id: id(campaigns, /Spring 2027/),
    media_category_id: id(media_categories, /Display banners/),
  })
  const batches = `/api/projects/${project.id}/batches`
  const batch = await ask<Named>(page, batches, { name: 'Banners', operator_id: id(users, /Omar/) })
  const link = await ask<{ id: string; url: string }>(page, '/api/upload-links', { batch_id: batch.id, max_uses: 1 })
  const address = new URL(link.url).pathname

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  listen(context, complaints)
  const agency = await context.newPage()
  await agency.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  const weight = weigh(agency)
  await agency.goto(address)
  await agency.waitForLoadState('networkidle')
  expect(await weight(), 'bytes of gzipped JavaScript before the page is touched').toBeLessThan(FIRST_LOAD_BYTES)
  const uploads = agency.getByRole('region', { name: 'Uploads' })
  const picker = agency.getByLabel('Choose files').first()

  // The response to the first file is lost after it was stored: the retry ends as accepted, once
  const keys = await loseFirstResponse(agency, `/api/public/upload-links/${address.split('/').at(-1)}/files`)
  await picker.setInputFiles([jpeg('NLS_SPRING27_Hero_300x250_v1.jpg', await photo(300, 250))])
  await expect(uploads.getByText('1 accepted')).toBeVisible({ timeout: 60_000 })
  expect(keys.length).toBeGreaterThan(1)
  expect(new Set(keys).size).toBe(1)
  const held = await ask<{ files: Named[] }>(page, `${batches}/${batch.id}/files`)
  expect(held.files).toHaveLength(1)

  // Without a network the list stays and says so; with one it goes on by itself. A long name keeps to the phone.
  await context.setOffline(true)
  const long = `NLS-SPRING27_A-title-as-long-as-agencies-like-them-to-be-and-longer_300x250_v1.jpg`
  await picker.setInputFiles([
    jpeg('NLS_SPRING27_Wide_300x250_v1.jpg', await photo(300, 250)),
    jpeg(long, await photo(300, 250)),
    jpeg('NLS_SPRING27_Cut_300x250_v1.jpg', (await photo(300, 250)).subarray(0, 9000)),
    jpeg('Thumbs.db', Buffer.from('x')),
  ])
  await expect(uploads.getByText('Reconnecting').first()).toBeVisible({ timeout: 30_000 })
  await expect(uploads.getByText('1 file of the operating system')).toBeVisible()
  expect(await agency.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(agency)
  await context.setOffline(false)
  await expect(uploads.getByText('2 accepted, 2 refused')).toBeVisible({ timeout: 60_000 })
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('net::ERR_')))

  // Focus stays in the list after a rename and a removal; what was accepted stays on the receipt
  await uploads.getByRole('button', { name: /^Rename to NLS_SPRING27_A-title/ }).press('Enter')
  await expect(uploads.getByText('3 accepted, 1 refused')).toBeVisible({ timeout: 60_000 })
  const renamed = long.replace('NLS-', 'NLS_')
  await expect(agency.getByRole('button', { name: `Take ${renamed} off this list` })).toBeFocused()
  await agency.getByRole('button', { name: 'Take NLS_SPRING27_Hero_300x250_v1.jpg off this list' }).press('Enter')
  await expect(
    agency.getByRole('button', { name: 'Take NLS_SPRING27_Wide_300x250_v1.jpg off this list' }),
  ).toBeFocused()

  // The only use of the link is taken: a reload in the middle goes on all the same
  await agency.reload()
  await expect(agency.getByText('Choose files', { exact: true })).toBeVisible()
  await expect(agency.getByText('Your receipt: 3 delivered, 1 not taken')).toBeVisible()
  await picker.setInputFiles([jpeg('NLS_SPRING27_Last_300x250_v1.jpg', await photo(300, 250))])
  await expect(uploads.getByText('1 accepted').first()).toBeVisible({ timeout: 60_000 })

  // Two Enters finish, and print nothing
  await agency.getByRole('button', { name: 'Done' }).focus()
  await agency.keyboard.press('Enter')
  const receipt = agency.getByRole('region', { name: 'Receipt' })
  await expect(receipt.getByText('4 files delivered, 1 not taken')).toBeVisible()
  await agency.keyboard.press('Enter')
  await expect(agency.locator('html[data-printed]')).toHaveCount(0)
  await expect(receipt.getByText('NLS_SPRING27_Hero_300x250_v1.jpg')).toBeVisible()
  await expect(receipt.getByText(/The file ends early/)).toBeVisible()
  await expectAccessible(agency)

  // It is still there when the batch is in review and the link is switched off
  await ask(page, `${batches}/${batch.id}/submit`, {})
  await ask(page, `/api/upload-links/${link.id}`, undefined, 'DELETE')
  await agency.reload()
  await expect(agency.getByText('This link was switched off')).toBeVisible()
  await expect(receipt.getByText('4 files delivered, 1 not taken')).toBeVisible()
  expectRefusals(complaints, 409, 422)
  await context.close()
})

test('a running upload is cancelled only when it was meant', async ({ page, browser, complaints }) => {
  await signIn(page, 'coordinator')
  const project = await newProject(page, `Cancel ${Date.now().toString(36)}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, { name: 'Photos' })
  const link = await ask<{ url: string }>(page, '/api/upload-links', { batch_id: batch.id })

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  listen(context, complaints)
  const agency = await context.newPage()
  await agency.goto(new URL(link.url).pathname)
  await agency.waitForLoadState('networkidle')
  const slowDown = await slowUploads(agency)
  await slowDown(150_000)
  const uploads = agency.getByRole('region', { name: 'Uploads' })
  await agency
    .getByLabel('Choose files')
    .first()
    .setInputFiles([jpeg('large.jpg', await photo(2400, 2400)), jpeg('other.jpg', await photo(64, 64))])
  const row = uploads.getByRole('listitem').filter({ hasText: 'large.jpg' })
  const cancel = row.getByRole('button', { name: 'Cancel large.jpg' })
  const question = row.getByRole('group', { name: 'Cancel this upload?' })

  // Asked in the row, with the harmless choice at hand; Esc is that choice, too
  await expect(row.getByText(/^[1-9]\d? %/)).toBeVisible()
  await cancel.press('Enter')
  await expect(question.getByText(/^[1-9]\d? % is sent already/)).toBeVisible()
  await expect(question.getByRole('button', { name: 'Keep sending' })).toBeFocused()
  await expectAccessible(agency)
  expect(await agency.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await agency.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(cancel).toBeFocused()
  await expect(row.getByText('Sending')).toBeVisible()

  // Cancelled when it is said, and then only this one
  await cancel.press('Enter')
  await question.getByRole('button', { name: 'Cancel the upload' }).click()
  await expect(row.getByText('Cancelled')).toBeVisible()
  await slowDown(-1)
  await expect(uploads.getByText('1 accepted')).toBeVisible({ timeout: 60_000 })
  const { files } = await ask<{ files: Named[] }>(page, `/api/projects/${project.id}/batches/${batch.id}/files`)
  expect(files.map(({ name }) => name)).toEqual(['other.jpg'])
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('net::ERR_ABORTED')))
  await context.close()
})

test('a batch is submitted while an agency uploads: who submits is asked first, and the agency sees what became of the rest', async ({
  page,
  browser,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const project = await newProject(page, `Meanwhile ${Date.now().toString(36)}`)
  const batches = `/api/projects/${project.id}/batches`
  const batch = await ask<Named>(page, batches, { name: 'Photos', operator_id: await demoOperator(page) })
  const link = await ask<{ url: string }>(page, '/api/upload-links', { batch_id: batch.id, label: 'Studio' })

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  listen(context, complaints)
  const agency = await context.newPage()
  await agency.goto(new URL(link.url).pathname)
  await agency.waitForLoadState('networkidle')
  const slowDown = await slowUploads(agency)
  const uploads = agency.getByRole('region', { name: 'Uploads' })
  const picker = agency.getByLabel('Choose files').first()
  await picker.setInputFiles([jpeg('first.jpg', await photo(64, 64))])
  await expect(uploads.getByText('1 accepted')).toBeVisible({ timeout: 60_000 })
  await slowDown(50_000)
  await picker.setInputFiles([jpeg('large.jpg', await photo(2400, 2400))])
  const row = uploads.getByRole('listitem').filter({ hasText: 'large.jpg' })
  await expect(row.getByText('Sending')).toBeVisible()

  // Who submits is told. Cancelled, nothing happens; confirmed, it is submitted
  await page.goto(`/projects/${project.id}/batches/${batch.id}`)
  const submit = page.getByRole('region', { name: 'Next step' }).getByRole('button', { name: 'Submit for review' })
  await submit.click()
  const dialog = page.getByRole('alertdialog', { name: 'Submit “Photos” while files are coming in?' })
  await expect(dialog.getByText('Files are coming in through “Studio”')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(submit).toBeFocused()
  await submit.click()
  await dialog.getByRole('button', { name: 'Submit for review' }).click()
  await expect(page.getByText('Photos submitted for review')).toBeVisible()

  // The file that was on its way did not arrive, and the page takes no more
  await slowDown(-1)
  await expect(row.getByText('Did not arrive')).toBeVisible({ timeout: 60_000 })
  await expect(row.getByText('The batch is being reviewed')).toBeVisible()
  await expect(agency.getByText('Your files are being reviewed')).toBeVisible()
  await expect(picker).toBeHidden()
  await expect(agency.getByRole('button', { name: 'Try large.jpg again' })).toBeHidden()
  await expectAccessible(agency)

  // Looked at again after the review, the page asks for the new version
  const { files } = await ask<{ files: Named[] }>(page, `${batches}/${batch.id}/files`)
  expect(files.map(({ name }) => name)).toEqual(['first.jpg'])
  await ask(page, `${batches}/${batch.id}/files/${files[0]?.id}/review`, { decision: 'reject', comment: 'Too dark' })
  await ask(page, `${batches}/${batch.id}/complete-review`, {})
  await agency.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(agency.getByText('Too dark')).toBeVisible()
  expectRefusals(complaints, 409)
  await context.close()
})

test('a file for which the link has no room left is refused with how much there is, and the rest arrives', async ({
  page,
  browser,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const { agencies } = await ask<{ agencies: Named[] }>(page, '/api/agencies')
  const { media_categories } = await ask<{ media_categories: Named[] }>(page, '/api/media-categories')
  const project = await ask<Named>(page, '/api/projects', {
    name: `Room ${Date.now().toString(36)}`,
    agency_id: agencies[0]?.id,
  })
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Photos',
    media_category_id: media_categories.find(({ name }) => name === 'Mixed deliverables')?.id,
  })
  const small = await photo(64, 64)
  await page.goto(`/projects/${project.id}/batches/${batch.id}`)
  await page.getByRole('button', { name: 'New link' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Size of all files, in GB').fill(String((small.length + 1000) / 1e9))
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const address = (await dialog.getByText(/\/u\/[0-9A-Za-z]{16}$/).textContent()) ?? ''

  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  listen(context, complaints)
  const agency = await context.newPage()
  await agency.goto(new URL(address).pathname)
  await agency.waitForLoadState('networkidle')
  const uploads = agency.getByRole('region', { name: 'Uploads' })
  await agency
    .getByLabel('Choose files')
    .first()
    .setInputFiles([jpeg('small.jpg', small), jpeg('large.jpg', await photo(600, 600))])
  await expect(uploads.getByText('1 accepted')).toBeVisible({ timeout: 60_000 })
  const row = uploads.getByRole('listitem').filter({ hasText: 'large.jpg' })
  await expect(row.getByText(/There is room for .* more through this link; this file has .* kB\./)).toBeVisible()
  await expectAccessible(agency)
  await page.reload()
  await expect(page.getByText(/1 use · .* of /)).toBeVisible()
  await context.close()
})

/**
 * Lets the first upload through to its end and drops the response; gives the keys under which uploads were sent. By the
 * protocol of the browser: a route of Playwright cannot send the bytes of a file on.
 */
async function loseFirstResponse(page: Page, path: string) {
  const keys: string[] = []
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId, request }) => {
    const header = Object.entries(request.headers).find(([name]) => name.toLowerCase() === 'idempotency-key')
    keys.push(header?.[1] ?? '')
    void (keys.length === 1
      ? session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
      : session.send('Fetch.continueRequest', { requestId }))
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `*${path}`, requestStage: 'Response' }] })
  return keys
}

/** How much JavaScript a page has asked for so far, gzipped. */
function weigh(page: Page) {
  const scripts: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.request().resourceType() === 'script') {
      scripts.push(response.body().then((body) => gzipSync(body).length))
    }
  })
  return async () => (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
}

test('of a long list of expected files the first are shown, and the others on demand', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { agencies } = await ask<{ agencies: Named[] }>(page, '/api/agencies')
  const { media_categories } = await ask<{ media_categories: (Named & { naming_template: string | null })[] }>(
    page,
    '/api/media-categories',
  )
  const project = await ask<Named>(page, '/api/projects', {
    name: `Long list ${Date.now().toString(36)}`,
    agency_id: agencies[0]?.id,
    media_category_id: media_categories.find(({ naming_template }) => naming_template === null)?.id,
  })
  const path = `/api/projects/${project.id}/batches`
  const batch = await ask<Named>(page, path, { name: 'Everything' })
  const files = Array.from({ length: 120 }, (_, number) => ({ name: `expected-${number}.jpg` }))
  await ask(page, `${path}/${batch.id}/manifest`, { files }, 'PUT')
  const link = await ask<{ url: string }>(page, '/api/upload-links', { batch_id: batch.id })
  await page.goto(new URL(link.url).pathname)
  const choose = page.getByRole('button', { name: /^Choose the file for expected-/ })
  await expect(choose).toHaveCount(50)
  await page.getByRole('button', { name: 'Show 50 more of 120' }).click()
  await page.getByRole('button', { name: 'Show 20 more of 120' }).click()
  await expect(choose).toHaveCount(120)
  await expect(page.getByRole('button', { name: /^Show / })).toHaveCount(0)
  await expectAccessible(page)
})
