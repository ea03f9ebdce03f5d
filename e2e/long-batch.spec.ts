import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { addRowsLike } from '@/fixtures/long-batch'
import { expect, expectAccessible, test } from './support/test'
import { ask, demoOperator, type Named, newProject, photo, sendFile, signIn } from './support/workspace'

/** Lists of a batch with more files than fit a page: what is in sight is on the page, and everything is reached. */

const FILES = 10_000
/** Elements of the whole page, whatever the batch holds. */
const MOST_NODES = 3_000
/** A hundred files in short, some of them as rows, and the frame. */
const MOST_BYTES = 500_000
/** Of its review room: a hundred files in short, and one whole. */
const MOST_ROOM_BYTES = 500_000

interface Rejected {
  file_id: string
  name: string
}

/** One file that was sent, and 9,999 rows like it, without images. Rows alone have no bytes: those are answered here. */
async function longBatch(page: Page): Promise<string> {
  const { path, id } = await batchOfOne(page)
  await addRowsLike(process.env.GREENROOM_DATABASE_URL ?? '', id, FILES - 1)
  return path
}

async function batchOfOne(page: Page): Promise<{ path: string; id: string; batchId: string }> {
  const tag = randomBytes(4).toString('hex')
  const project = await newProject(page, `Long list ${tag}`)
  const path = `/projects/${project.id}/batches`
  const batch = await ask<Named>(page, `/api${path}`, { name: 'Everything' })
  const buffer = await photo(320, 200)
  await page.route('**/download', (route) => route.fulfill({ contentType: 'image/jpeg', body: buffer }))
  const first = { name: 'image-00000.jpg', mimeType: 'image/jpeg', buffer }
  const { id } = await sendFile<Named>(page, `/api${path}/${batch.id}/files`, first)
  return { path: `${path}/${batch.id}`, id, batchId: batch.id }
}

const nodes = (page: Page) => page.evaluate(() => document.querySelectorAll('*').length)

test('a batch of ten thousand files shows what is in sight, and reaches the last one', async ({ page }) => {
  await signIn(page, 'coordinator')
  const path = await longBatch(page)
  const response = await page.goto(path)
  expect((await response?.body())?.length).toBeLessThan(MOST_BYTES)
  const table = page.getByRole('table', { name: 'Files of this batch' })
  await expect(table).toHaveAttribute('aria-rowcount', String(FILES + 1))
  await expect(table.getByRole('button', { name: 'image-09999.jpg' })).toBeVisible()
  expect(await nodes(page)).toBeLessThan(MOST_NODES)
  await expectAccessible(page)

  // To the last, which was never loaded before.
  const last = table.getByRole('button', { name: 'image-00000.jpg' })
  await expect(async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
    await expect(last).toBeInViewport({ timeout: 1_000 })
  }).toPass()
  expect(await nodes(page)).toBeLessThan(MOST_NODES)
  await last.click()
  const panel = page.getByRole('dialog', { name: 'image-00000.jpg' })
  await expect(panel.getByText('The checks run when the batch is submitted.')).toBeVisible()
  await panel.getByRole('button', { name: 'Previous file' }).click()
  await expect(page.getByRole('dialog', { name: 'image-00001.jpg' })).toBeVisible()
  await page.keyboard.press('Escape')

  // Filters ask the server, whatever is loaded.
  await page.getByRole('searchbox', { name: 'Search files' }).fill('IMAGE-0077')
  await expect(page.getByText(`10 of ${FILES}`)).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(11)
  await page.reload()
  await expect(page.getByText(`10 of ${FILES}`)).toBeVisible()
  // What is typed before the page is alive is lost.
  await expect(async () => {
    await page.getByRole('searchbox', { name: 'Search files' }).fill('')
    await expect(page.getByText(`10 of ${FILES}`)).toBeHidden({ timeout: 5_000 })
  }).toPass()

  await page.getByRole('radio', { name: 'Images' }).click()
  await expect(page.getByRole('button', { name: 'image-09999.jpg' })).toBeVisible()
  expect(await nodes(page)).toBeLessThan(MOST_NODES)
  await expectAccessible(page)
})

test('its review room loads what is in sight, and finds any file of it', async ({ page }) => {
  await signIn(page, 'coordinator')
  const path = await longBatch(page)
  const response = await page.goto(`${path}/review`)
  expect((await response?.body())?.length).toBeLessThan(MOST_ROOM_BYTES)
  const main = page.getByRole('main')
  const rail = page.getByRole('navigation', { name: 'Files of this batch' })
  await expect(main.getByText(`1 of ${FILES}`)).toBeVisible()
  await expect(main.getByRole('heading', { name: 'image-00000.jpg' })).toBeVisible()
  await expect(page.getByText(`0 of ${FILES} decided`)).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('j')
  await expect(main.getByRole('heading', { name: 'image-00001.jpg' })).toBeVisible()
  await expect(page).toHaveURL(/\?file=/)
  // The file before, too, after the page was loaded anew.
  await page.reload()
  await expect(main.getByText(`2 of ${FILES}`)).toBeVisible()
  await page.keyboard.press('k')
  await expect(main.getByRole('heading', { name: 'image-00000.jpg' })).toBeVisible()

  // To the last, which was never loaded before.
  const last = rail.getByRole('button', { name: /image-09999/ })
  await expect(async () => {
    await rail.locator('ul').evaluate((list) => list.parentElement?.scrollTo(0, list.scrollHeight))
    await expect(last).toBeInViewport({ timeout: 1_000 })
  }).toPass()
  await last.click()
  await expect(main.getByText(`${FILES} of ${FILES}`)).toBeVisible()
  await expect(main.getByRole('heading', { name: 'image-09999.jpg' })).toBeVisible()
  expect(await nodes(page)).toBeLessThan(MOST_NODES)
  await rail.getByRole('button', { name: 'Approved 0' }).click()
  await expect(rail.getByText('No file is approved.')).toBeVisible()
  await rail.getByRole('button', { name: `To decide ${FILES}` }).click()
  await expect(main.getByText(`${FILES} of ${FILES}`)).toBeVisible()
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 } })
  test('an agency is shown fifty of many rejected files, and asks for the next', async ({ page, complaints }) => {
    await signIn(page, 'admin')
    const { path, id, batchId } = await batchOfOne(page)
    await ask(page, `/api${path}`, { operator_id: await demoOperator(page) }, 'PATCH')
    await ask(page, `/api${path}/submit`, {})
    await ask(page, `/api${path}/files/${id}/review`, { decision: 'reject', comment: 'The logo is missing.' })
    await ask(page, `/api${path}/complete-review`, {})
    await addRowsLike(process.env.GREENROOM_DATABASE_URL ?? '', id, 119)
    const { url } = await ask<{ url: string }>(page, '/api/upload-links', { batch_id: batchId, label: 'New versions' })
    const { pathname } = new URL(url)
    const pages = `/api/public/upload-links/${pathname.split('/').at(-1)}/rejected-files`
    const { rejected_files: all } = await ask<{ rejected_files: Rejected[] }>(page, `${pages}?limit=100`)
    const marked = all.find(({ name }) => name === 'image-00070.jpg')?.file_id
    await ask(page, `/api${path}/files/${marked}/comments`, { body: 'The price is wrong, too.' })
    await page.goto(pathname)
    const expected = page.getByRole('listitem').filter({ hasText: 'The logo is missing.' })
    await expect(expected).toHaveCount(50)
    await expectAccessible(page)
    const more = page.getByRole('button', { name: 'Show 50 more of 120' })
    await page.route('**/rejected-files?*', (route) => route.abort(), { times: 1 })
    await more.click()
    await expect(page.getByText('Greenroom could not be reached.')).toBeVisible()
    expect(complaints.splice(0)).toEqual([expect.stringContaining('net::ERR_FAILED')])
    await expect(expected).toHaveCount(50)
    const answer = page.waitForResponse(/\/rejected-files\?cursor=/)
    await more.click()
    const { rejected_files } = (await (await answer).json()) as { rejected_files: Rejected[] }
    expect(rejected_files.map(({ name }) => name)).toEqual(
      Array.from({ length: 50 }, (_, at) => `image-${String(at + 50).padStart(5, '0')}.jpg`),
    )
    await expect(expected).toHaveCount(100)
    await expect(expected.filter({ hasText: 'image-00070.jpg' })).toContainText('The price is wrong, too.')
    await page.getByRole('button', { name: 'Show 20 more of 120' }).click()
    await expect(expected).toHaveCount(120)
    await expect(page.getByRole('button', { name: /^Show \d+ more/ })).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Choose the file for image-00100.jpg' })).toBeFocused()

    // What becomes of a file is said where it was chosen; the list of all uploads is far below.
    const name = 'image-00001.jpg'
    const place = expected.filter({ has: page.getByText(name, { exact: true }) })
    const newVersion = await photo(320, 200)
    const send = async (buffer: Buffer) => {
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        place.getByRole('button', { name: `Choose the file for ${name}` }).click(),
      ])
      await chooser.setFiles({ name, mimeType: 'image/jpeg', buffer })
    }
    await send(newVersion.subarray(0, newVersion.length / 2))
    await expect(place.getByText('Refused')).toBeInViewport()
    await expect(place).toContainText('The file ends early')
    complaints.splice(0)
    await expectAccessible(page)
    await send(newVersion)
    await expect(page.getByRole('heading', { name: 'Please send 119 new versions' })).toBeVisible()
    await expect(place.getByText('Received')).toBeInViewport()
    await expect(expected).toHaveCount(120)
    await page.getByRole('link', { name: 'Send several at once' }).click()
    await expect(page.getByRole('button', { name: 'Choose files' }).last()).toBeInViewport()
  })

  test('the same batch is a list of cards', async ({ page }) => {
    await signIn(page, 'coordinator')
    await page.goto(await longBatch(page))
    await expect(page.getByRole('button', { name: 'image-09999.jpg' })).toBeVisible()
    expect(await nodes(page)).toBeLessThan(MOST_NODES)
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(await overflow()).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  })
})
