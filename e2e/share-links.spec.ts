import { readFileSync } from 'node:fs'
import type { Browser, Page, TestInfo } from '@playwright/test'
import { type Design, still } from '@/fixtures/artwork'
import { wav } from '@/fixtures/audio'
import { advertisement, clip } from '@/fixtures/deliveries'
import { expect, expectAccessible, listen, test } from './support/test'
import { ask, demoOperator, type Named, newProject, sendFile, signIn } from './support/workspace'

/** Approved files leave by a link: shared by a coordinator, received on a phone, withdrawn and switched off. */

/** A batch in review: an image, a video, a document and a sound are approved, one more image is not decided. */
async function batchOfKinds(page: Page) {
  const serial = Date.now().toString(36)
  const design: Design = {
    brand: 'Fjord & Field',
    headline: `Spring ${serial}`,
    colours: ['#0f3d2c', '#6fbf8f', '#f4f7f2'],
    shape: 'peaks',
  }
  const project = await newProject(page, `Spring ${serial}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: `Spring campaign ${serial}`,
    operator_id: await demoOperator(page),
  })
  const place = `/projects/${project.id}/batches/${batch.id}`
  const pitch = 300 + (Date.now() % 400)
  const files: [name: string, mimeType: string, buffer: Buffer][] = [
    ['poster.jpg', 'image/jpeg', await still(design, 1200, 900, 'jpg')],
    ['spot.mp4', 'video/mp4', await clip(design, 640, 360, 2, 25)],
    ['advertisement.pdf', 'application/pdf', await advertisement(design, 2, true)],
    ['jingle.wav', 'audio/wav', wav(1, (time) => 0.2 * Math.sin(2 * Math.PI * pitch * time))],
    ['draft.jpg', 'image/jpeg', await still({ ...design, headline: `Draft ${serial}` }, 600, 500, 'jpg')],
  ]
  const ids: Record<string, string> = {}
  for (const [name, mimeType, buffer] of files)
    ids[name] = (await sendFile<Named>(page, `/api${place}/files`, { name, mimeType, buffer })).id
  // What the receiver looks at is drawn by then.
  const drawn = async (name: string) =>
    (await ask<{ preview_pages: number }>(page, `/api${place}/files/${ids[name]}`)).preview_pages
  for (const [name, pages] of Object.entries({ 'poster.jpg': 1, 'advertisement.pdf': 2, 'spot.mp4': 1 }))
    await expect.poll(() => drawn(name), { timeout: 60_000 }).toBe(pages)
  await ask(page, `/api${place}/submit`, {})
  const { 'draft.jpg': _, ...approved } = ids
  await ask(page, `/api${place}/review`, { file_ids: Object.values(approved), decision: 'approve' })
  return { place, batch, ids }
}

type Share = { id: string; url: string }

/** Opens the address as one does who has no account, on a phone unless said otherwise. */
async function receive(browser: Browser, complaints: string[], url: string, viewport = { width: 390, height: 844 }) {
  const context = await browser.newContext({ viewport })
  listen(context, complaints)
  const receiver = await context.newPage()
  await receiver.goto(url)
  return receiver
}

const shooting = (testInfo: TestInfo) => (of: Page, name: string) =>
  of.screenshot({ path: testInfo.outputPath(`${name}.png`), fullPage: true })

test('a coordinator shares approved files by a link, and reads before what may not leave', async ({
  page,
  browser,
  complaints,
}, testInfo) => {
  const shoot = shooting(testInfo)
  await signIn(page, 'coordinator')
  const { place, batch } = await batchOfKinds(page)
  await page.goto(place)
  const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Share links' }) })
  await expect(panel.getByText('None yet')).toBeVisible()
  await panel.getByRole('button', { name: 'Share files' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('1 file left out')).toBeVisible()
  await expect(dialog.getByText('“draft.jpg” is not decided yet')).toBeVisible()
  await shoot(page, 'share-dialog')
  await dialog.getByRole('radio', { name: 'Choose files' }).click()
  await expect(dialog.getByRole('checkbox', { name: 'draft.jpg' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('Say who receives the files.').first()).toBeVisible()
  await expect(dialog.getByText('Choose at least one file.').first()).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'All that can be' }).click()
  await expect(dialog.getByText(/^4 files, /)).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'share-dialog-chosen')
  await dialog.getByLabel('Receiver', { exact: true }).fill('Paula Publisher')
  await dialog.getByLabel('Password').fill('open sesame')
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const address = (await dialog.getByText(/\/d\/[0-9A-Za-z]{16,}$/).textContent()) ?? ''
  await expectAccessible(page)
  await shoot(page, 'share-link')
  await page.keyboard.press('Escape')
  const row = panel.getByRole('listitem').filter({ hasText: 'Paula Publisher' })
  await expect(row).toContainText('Not opened yet')

  const receiver = await receive(browser, complaints, address)
  await expect(receiver.getByText('protected by a password')).toBeVisible()
  await expectAccessible(receiver)
  await shoot(receiver, 'locked')
  await receiver.getByLabel('Password').fill('open sesame')
  await receiver.getByRole('button', { name: 'Open' }).click()
  await expect(receiver.getByRole('heading', { name: batch.name })).toBeVisible()
  await page.reload()
  await expect(row).toContainText('Opened once')
  await expect(page.getByText('shared 4 files with “Paula Publisher”')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'batch')

  // Its terms are changed: the receiver may only view.
  await row.getByRole('button', { name: 'Edit the share link for Paula Publisher' }).click()
  await expect(dialog.getByRole('heading', { name: 'Edit share link' })).toBeVisible()
  await expect(dialog.getByText('As it is')).toBeVisible()
  await expect(dialog.getByLabel('Password')).toHaveCount(0)
  await expectAccessible(page)
  await shoot(page, 'edit')
  await dialog.getByRole('radio', { name: 'View only' }).click()
  await dialog.getByLabel('Note').fill('For the spring issue')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(row).toContainText('view only')
  await receiver.reload()
  await expect(receiver.getByText('For the spring issue')).toBeVisible()
  await expect(receiver.getByRole('link', { name: /^Download/ })).toHaveCount(0)

  // Switched off, it says so.
  await row.getByRole('button', { name: 'Switch off the share link for Paula Publisher' }).click()
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click()
  await expect(row).toContainText('Deactivated')
  await receiver.reload()
  await expect(receiver.getByRole('heading', { name: 'These files are not shared any more' })).toBeVisible()
  await expectAccessible(receiver)
  await shoot(receiver, 'revoked')
  await receiver.context().close()
})

test('a receiver views each kind of file on a phone, and downloads one and all', async ({
  page,
  browser,
  complaints,
}, testInfo) => {
  const shoot = shooting(testInfo)
  await signIn(page, 'coordinator')
  const { place, batch } = await batchOfKinds(page)
  const { url } = await ask<Share>(page, '/api/share-links', {
    batch_id: batch.id,
    name: 'Paula Publisher',
    note: 'For the spring issue. Print the advertisement on page 3.',
    expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
  })
  const receiver = await receive(browser, complaints, url)
  await expect(receiver.getByText('Print the advertisement on page 3.')).toBeVisible()
  await expect(receiver.getByText(/^4 files, /)).toBeVisible()
  await expect(receiver.getByRole('listitem').getByRole('heading')).toHaveText([
    'advertisement.pdf',
    'jingle.wav',
    'poster.jpg',
    'spot.mp4',
  ])
  await expectAccessible(receiver)
  await shoot(receiver, 'phone')
  const card = (name: string) => receiver.getByRole('article', { name })
  await card('poster.jpg').getByRole('button', { name: 'SHA-256', exact: true }).click()
  await expect(card('poster.jpg').getByText(/^[0-9a-f]{64}$/)).toBeVisible()

  await card('advertisement.pdf').getByRole('button', { name: 'View advertisement.pdf' }).click()
  const preview = receiver.getByRole('dialog')
  await preview.getByRole('button', { name: 'Next page' }).click()
  await expect(preview.getByRole('img', { name: 'Page 2 of advertisement.pdf' })).toBeVisible()
  await expectAccessible(receiver)
  await shoot(receiver, 'phone-document')
  await preview.getByRole('button', { name: 'Next file: jingle.wav' }).click()
  await expect(preview.getByLabel('Audio of jingle.wav')).toBeVisible()
  await preview.getByRole('button', { name: 'Next file: poster.jpg' }).click()
  await expect(preview.getByRole('img', { name: 'poster.jpg' })).toBeVisible()
  await preview.getByRole('button', { name: 'Next file: spot.mp4' }).click()
  const video = preview.getByLabel('Video spot.mp4')
  await expect.poll(() => video.evaluate((element) => (element as HTMLVideoElement).readyState)).toBeGreaterThan(0)
  await expectAccessible(receiver)
  await shoot(receiver, 'phone-video')
  await preview.getByRole('button', { name: 'Close' }).click()
  await expect(preview).toBeHidden()

  // Dark, and wide.
  await receiver.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(receiver)
  await shoot(receiver, 'phone-dark')
  await receiver.setViewportSize({ width: 1280, height: 900 })
  await expectAccessible(receiver)
  await shoot(receiver, 'desktop-dark')
  await receiver.emulateMedia({ colorScheme: 'light' })
  await shoot(receiver, 'desktop')
  await card('poster.jpg').getByRole('button', { name: 'View poster.jpg' }).click()
  await expect(preview.getByRole('img', { name: 'poster.jpg' })).toBeVisible()
  await shoot(receiver, 'desktop-preview')
  await preview.getByRole('button', { name: 'Close' }).click()
  await expect(preview).toBeHidden()

  // Nothing comes between the two downloads then, and they are told as one.
  await page.goto(place)
  await expect(page.getByText(/^Checks finished/)).toBeVisible({ timeout: 60_000 })
  const [one] = await Promise.all([
    receiver.waitForEvent('download'),
    receiver.getByRole('link', { name: 'Download poster.jpg' }).click(),
  ])
  expect(one.suggestedFilename()).toBe('poster.jpg')
  const [all] = await Promise.all([
    receiver.waitForEvent('download'),
    receiver.getByRole('link', { name: 'Download all' }).click(),
  ])
  expect(all.suggestedFilename()).toBe(`${batch.name}.zip`)
  const zip = readFileSync(await all.path()).toString('latin1')
  for (const name of ['SHA256SUMS', 'manifest.json', 'manifest.csv', 'files/spot.mp4']) expect(zip).toContain(name)
  await page.goto(place)
  await expect(page.getByText('Opened once, downloaded 2 times')).toBeVisible()
  await expect(page.getByText('Paula Publisher downloaded shared files 2 times')).toBeVisible()
  await receiver.context().close()
})

test('a file whose approval is withdrawn is not offered any more, and the page says so', async ({
  page,
  browser,
  complaints,
}, testInfo) => {
  const shoot = shooting(testInfo)
  await signIn(page, 'coordinator')
  const { place, batch, ids } = await batchOfKinds(page)
  const { url } = await ask<Share>(page, '/api/share-links', { batch_id: batch.id, name: 'Paula Publisher' })
  const receiver = await receive(browser, complaints, url)
  const poster = receiver.getByRole('article', { name: 'poster.jpg' })
  await expect(poster.getByRole('link', { name: 'Download poster.jpg' })).toBeVisible()
  const reject = { decision: 'reject', reason: 'other', comment: 'Last year’s logo' }
  await ask(page, `/api${place}/review`, { file_ids: [ids['poster.jpg']], ...reject })
  await receiver.reload()
  await expect(receiver.getByText('1 file of 4 is not offered any more')).toBeVisible()
  await expect(poster).toContainText('Its approval was withdrawn after it was shared.')
  await expect(poster.getByRole('link')).toHaveCount(0)
  await expectAccessible(receiver)
  await shoot(receiver, 'withdrawn')
  const others = ['spot.mp4', 'advertisement.pdf', 'jingle.wav'].map((name) => ids[name])
  await ask(page, `/api${place}/review`, { file_ids: others, ...reject })
  await receiver.reload()
  await expect(receiver.getByText('None of these files is offered any more')).toBeVisible()
  await expect(receiver.getByRole('link', { name: 'Download all' })).toHaveCount(0)
  await expectAccessible(receiver)
  await shoot(receiver, 'empty')
  await page.goto(place)
  await expect(page.getByText('4 files not offered any more')).toBeVisible()
  await receiver.context().close()
})

test('a link to view only lets nothing be downloaded, and ends when its time is over', async ({
  page,
  browser,
  complaints,
}, testInfo) => {
  const shoot = shooting(testInfo)
  await signIn(page, 'coordinator')
  const { batch, ids } = await batchOfKinds(page)
  const share = (given: object) =>
    ask<Share>(page, '/api/share-links', { batch_id: batch.id, name: 'Vera Viewer', ...given })
  const { url } = await share({ may_download: false, file_ids: [ids['poster.jpg']] })
  const receiver = await receive(browser, complaints, url, { width: 1280, height: 800 })
  await expect(receiver.getByText('To view only')).toBeVisible()
  await expect(receiver.getByRole('article')).toHaveCount(1)
  await expect(receiver.getByRole('link', { name: /Download/ })).toHaveCount(0)
  await receiver.getByRole('button', { name: 'View poster.jpg' }).click()
  await expect(receiver.getByRole('dialog').getByRole('img', { name: 'poster.jpg' })).toBeVisible()
  await expect(receiver.getByRole('link', { name: /Download/ })).toHaveCount(0)
  await expectAccessible(receiver)
  await receiver.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  await expect(receiver.getByRole('dialog')).toBeHidden()
  await shoot(receiver, 'view-only')

  const short = await share({ expires_at: new Date(Date.now() + 2_000).toISOString() })
  // Opened before, it would ask for images of a link that is over.
  const token = new URL(short.url).pathname.split('/').at(-1)
  const status = async () => (await ask<{ status: string }>(receiver, `/api/public/share-links/${token}`)).status
  await expect.poll(status).toBe('expired')
  await receiver.goto(short.url)
  await expect(receiver.getByText('The link has expired')).toBeVisible()
  await expectAccessible(receiver)
  await shoot(receiver, 'expired')

  // Switched off, the open page says so by itself, at once.
  const open = await share({})
  await receiver.goto(open.url)
  const poster = receiver.getByRole('article', { name: 'poster.jpg' })
  await expect(poster).toBeVisible()
  const listening = receiver.waitForResponse((response) => new URL(response.url()).pathname.endsWith('/live'))
  await receiver.reload()
  await listening
  await ask(page, `/api/share-links/${open.id}`, undefined, 'DELETE')
  await expect(receiver.getByText('The link was switched off')).toBeVisible({ timeout: 2_000 })
  await expect(poster).toHaveCount(0)
  await receiver.context().close()
})
