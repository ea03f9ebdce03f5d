import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { batchOfFive, photo, signIn, slowUploads } from './support/workspace'

/** Uploads of staff go on while other pages are shown, in a tray that every page has. */

const jpeg = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/jpeg', buffer })

test('uploads go on across pages, and are found again where they were begun', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { batch, place } = await batchOfFive(page)
  await page.goto(place)
  const slowDown = await slowUploads(page)
  await slowDown(150_000)
  await page
    .getByLabel('Choose files')
    .setInputFiles([jpeg('large.jpg', await photo(2400, 2400)), jpeg('small.jpg', await photo(64, 64))])
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await expect(uploads.getByText('large.jpg')).toBeVisible()

  // No question: nothing is lost by going elsewhere
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).first().click()
  await page.waitForURL((url) => url.pathname === '/inbox')
  await expect(uploads.getByText(/^Uploading .* to go$/).first()).toBeVisible()
  await expectAccessible(page)
  await uploads.getByRole('button', { name: 'Show the uploads' }).click()
  await expect(uploads.getByRole('link', { name: batch.name })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1280, height: 720 })
  await slowDown(-1)
  await expect(uploads.getByText('2 accepted').first()).toBeVisible({ timeout: 120_000 })

  // In the batch they are its own again
  await uploads.getByRole('link', { name: batch.name }).click()
  await page.waitForURL((url) => url.pathname === place)
  await expect(
    page
      .getByRole('row', { name: /large\.jpg/ })
      .or(page.getByText('large.jpg'))
      .first(),
  ).toBeVisible()
  await expect(uploads.getByRole('button', { name: 'Show the uploads' })).toHaveCount(0)

  // All of them arrived: nothing is left to be shown elsewhere
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).first().click()
  await page.waitForURL((url) => url.pathname === '/inbox')
  await expect(page.getByRole('heading', { name: 'Inbox' })).toBeVisible()
  await expect(uploads).toHaveCount(0)
})

test('a file that did not arrive is tried again from any page', async ({ page, complaints }) => {
  await signIn(page, 'coordinator')
  const { place } = await batchOfFive(page)
  await page.goto(place)
  await page.route(`**/api${place}/files`, (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 403, json: { code: 'forbidden', detail: 'The proxy does not take this.' } })
      : route.fallback(),
  )
  await page.getByLabel('Choose files').setInputFiles([jpeg('proxy.jpg', await photo(320, 200))])
  const uploads = page.getByRole('region', { name: 'Uploads' })
  await expect(uploads.getByText('1 did not arrive')).toBeVisible()
  expectRefusals(complaints, 403)
  await page.getByRole('navigation').getByRole('link', { name: 'Inbox' }).first().click()
  await page.waitForURL((url) => url.pathname === '/inbox')
  await uploads.getByRole('button', { name: 'Show the uploads' }).click()
  await expect(uploads.getByText('The proxy does not take this.')).toBeVisible()
  await expectAccessible(page)
  await page.unroute(`**/api${place}/files`)
  await uploads.getByRole('button', { name: 'Try proxy.jpg again' }).click()
  await expect(uploads.getByText('1 accepted').first()).toBeVisible({ timeout: 60_000 })
  await uploads.getByRole('button', { name: 'Close' }).click()
  await expect(uploads).toHaveCount(0)
})
