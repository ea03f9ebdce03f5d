import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { startFileServer } from '@/lib/adapters/delivery/testing/file-server'
import { type Product, startProduct } from './support/product'
import { test as base, expect, expectAccessible } from './support/test'
import { ask, batchOfFive, choose, signIn } from './support/workspace'

/** From the settings to a delivered batch, in a Greenroom that may send to a real WebDAV server on this machine. */

type FileServer = Awaited<ReturnType<typeof startFileServer>>
const ACCOUNT = { user: 'greenroom', password: 'correct horse' }

const test = base.extend<object, { workspace: { product: Product; server: FileServer } }>({
  workspace: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern.
    async ({}, use) => {
      const server = await startFileServer({ ...ACCOUNT, isDav: true })
      const product = await startProduct({ DELIVERY_PRIVATE_ADDRESSES: 'allow' })
      await use({ product, server })
      await product.stop()
      await server.close()
    },
    { scope: 'worker', timeout: 600_000 },
  ],
  baseURL: async ({ workspace }, use) => use(workspace.product.url),
})

/** A batch of which all files are approved. */
async function approvedBatch(page: Page) {
  const { place, names, project, batch } = await batchOfFive(page)
  await ask(page, `/api${place}/submit`, {})
  const { files } = await ask<{ files: { id: string }[] }>(page, `/api${place}/files`)
  await ask(page, `/api${place}/review`, { file_ids: files.map(({ id }) => id), decision: 'approve' })
  await ask(page, `/api${place}/complete-review`, {})
  return { place, names, folder: `/in/${project.name}/${batch.name}` }
}

test('an administrator sets a target up, and a coordinator delivers an approved batch to it', async ({
  page,
  workspace: { server },
}, testInfo) => {
  const shoot = (of: Page, name: string) => of.screenshot({ path: testInfo.outputPath(`${name}.png`), fullPage: true })

  await signIn(page, 'admin')
  await page.goto('/settings/delivery-targets')
  await expect(page.getByText('No delivery targets yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New target' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: true }).fill('The publisher')
  await dialog.getByLabel('Protocol').click()
  await choose(page, 'WebDAV')
  await dialog.getByLabel('Address').fill(server.url)
  await dialog.getByLabel('User').fill(ACCOUNT.user)
  await dialog.getByLabel('Password').fill(ACCOUNT.password)
  await dialog.getByLabel('Naming template').fill('{client}/{file}')
  await expect(dialog.getByText('“{client}” is no token')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByLabel('Naming template').fill('{project}/{batch}/{file}')
  await expect(dialog.getByText('Spring launch/Banners/spot.mp4')).toBeVisible()
  await shoot(page, 'new-target')
  await dialog.getByRole('button', { name: 'Add target' }).click()
  await page.waitForURL(/\/settings\/delivery-targets\/[0-9a-f-]+$/)
  await expect(page.getByText('Not tested yet')).toBeVisible()
  await page.getByRole('button', { name: 'Test this target' }).click()
  await expect(page.getByText('Delete worked')).toBeVisible()
  await expect(page.getByText(ACCOUNT.password)).toHaveCount(0)
  await expectAccessible(page)
  await shoot(page, 'target')

  await signIn(page, 'coordinator')
  const { place, names, folder } = await approvedBatch(page)
  await page.goto(place)
  await page.getByRole('region', { name: 'Next step' }).getByRole('link', { name: 'Deliver', exact: true }).click()
  await expect(page.getByText('Nothing was delivered yet')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Deliver files' }).click()
  const preview = page.getByRole('dialog')
  await expect(preview.getByRole('heading', { name: /^5 files/ })).toBeVisible()
  await expect(preview.getByText(names[0] ?? '')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'deliver')
  // Single files, or all again.
  await preview.getByRole('radio', { name: 'Choose files' }).click()
  await preview.getByRole('button', { name: 'Deliver', exact: true }).click()
  await expect(preview.getByText('Choose at least one file.').first()).toBeVisible()
  await preview.getByRole('checkbox', { name: names[1] ?? '' }).click()
  await expect(preview.getByRole('heading', { name: /^1 file, / })).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'deliver-chosen')
  await preview.getByRole('radio', { name: 'All approved' }).click()
  await expect(preview.getByRole('heading', { name: /^5 files/ })).toBeVisible()
  await preview.getByRole('button', { name: 'Deliver', exact: true }).click()
  await expect(preview).toBeHidden()
  const card = page.getByRole('region', { name: 'Delivery to The publisher' })
  await expect(card.getByText('Delivered', { exact: true })).toBeVisible()
  expect([...server.files.keys()].sort()).toEqual(names.map((name) => `${folder}/${name}`).sort())
  await card.getByRole('button', { name: 'Show files' }).click()
  await expect(card.getByText('Size compared, read back and SHA-256 compared').first()).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'delivered')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await shoot(page, 'delivered-dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 390, height: 844 })
  await expectAccessible(page)
  await shoot(page, 'delivered-phone')
  await page.setViewportSize({ width: 1280, height: 720 })
  const [download] = await Promise.all([page.waitForEvent('download'), card.getByRole('link', { name: 'CSV' }).click()])
  const receipt = readFileSync(await download.path(), 'utf8')
  for (const name of names) expect(receipt).toContain(`${name},1,`)

  await page.goto(place)
  await expect(page.getByText('5 files delivered to “The publisher” and verified')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Next step' }).getByText('Delivered to “The publisher”')).toBeVisible()
  await expectAccessible(page)
  await shoot(page, 'batch')
})

test('a target that refuses is shown with its words, and tried again by hand', async ({
  page,
  workspace: { server },
}, testInfo) => {
  await signIn(page, 'admin')
  const target = await ask<{ id: string }>(page, '/api/delivery-targets', {
    name: 'The strict one',
    connection: { kind: 'webdav', url: server.url, user: ACCOUNT.user },
    secrets: { password: 'wrong' },
  })
  await signIn(page, 'coordinator')
  const { place } = await approvedBatch(page)
  await ask(page, `/api${place}/deliveries`, { target_id: target.id })
  await page.goto(`${place}/deliveries`)
  const card = page.getByRole('region', { name: 'Delivery to The strict one' })
  await expect(card.getByText('The server answered 401: Wrong user or password.')).toBeVisible()
  await expect(card.getByText('0 of 5 files delivered', { exact: true })).toBeVisible()
  await expectAccessible(page)
  await page.screenshot({ path: testInfo.outputPath('refused.png'), fullPage: true })
  await signIn(page, 'admin')
  await ask(page, `/api/delivery-targets/${target.id}`, { secrets: { password: ACCOUNT.password } }, 'PATCH')
  await signIn(page, 'coordinator')
  await page.goto(`${place}/deliveries`)
  await card.getByRole('button', { name: 'Try again now' }).click()
  await expect(card.getByText('Delivered', { exact: true })).toBeVisible()

  // What is removed is not on the list any more
  await signIn(page, 'admin')
  await page.goto(`/settings/delivery-targets/${target.id}`)
  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove target' }).click()
  await page.waitForURL((url) => url.pathname === '/settings/delivery-targets')
  await expect(page.getByRole('heading', { name: 'Delivery targets', level: 1 })).toBeVisible()
  await expect(page.getByRole('main').getByText('The strict one')).toHaveCount(0)
})
