import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { signIn } from './support/workspace'

test('an administrator sets up an agency and how its files are named', async ({ page, complaints }) => {
  const serial = Date.now().toString(36).toUpperCase()
  await signIn(page, 'admin', '/settings/agencies')
  await page.getByRole('button', { name: 'New agency' }).click()
  await page.getByLabel('Name').fill(`Studio ${serial}`)
  await page.getByLabel('Code').fill('two words')
  await page.getByRole('button', { name: 'Create agency' }).click()
  await expect(page.getByText(/letters from A to Z, digits and hyphens only/).first()).toBeVisible()
  await page.getByLabel('Code').fill(serial)
  await page.getByRole('button', { name: 'Create agency' }).click()
  await expect(page.getByText(`Studio ${serial}`)).toBeVisible()
  await expectAccessible(page)

  await page.goto('/settings/media-categories/new')
  await page.getByLabel('Name', { exact: true }).fill(`Banners ${serial}`)
  await page.getByLabel(/^Naming template/).fill('{agency}_{titel}.{ext}')
  await expect(page.getByText(/titel/).first()).toBeVisible()
  await page.getByLabel(/^Naming template/).fill('{agency}_{title}_v{version}.{ext}')
  await expect(page.getByText('For example')).toBeVisible()
  await page.getByRole('checkbox', { name: 'PNG image' }).check()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create media category' }).click()
  await expect(page.getByRole('heading', { name: `Banners ${serial}` })).toBeVisible()
  expectRefusals(complaints, 422)
})

test('a token is shown once, works, and stops working when it is revoked', async ({ page, request }) => {
  const name = `Story ${Date.now()}`
  await signIn(page, 'coordinator', '/settings/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Create token' }).click()
  const token =
    (await page
      .getByRole('dialog')
      .getByText(/^gr_[0-9A-Za-z]{38}$/)
      .textContent()) ?? ''
  await expectAccessible(page)
  const asToken = { headers: { Authorization: `Bearer ${token}` } }
  expect((await request.get('/api/projects', asToken)).status()).toBe(200)
  expect((await request.post('/api/projects', { ...asToken, data: {} })).status()).toBe(403)
  await page.getByRole('button', { name: 'Done' }).click()
  await page
    .getByRole('row', { name: new RegExp(name) })
    .getByRole('button', { name: 'Revoke' })
    .click()
  await page.getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByRole('row', { name: new RegExp(name) }).getByText('Revoked')).toBeVisible()
  expect((await request.get('/api/projects', asToken)).status()).toBe(401)
})

test('settings for administrators are no pages for anybody else', async ({ page, complaints }) => {
  await signIn(page, 'viewer')
  for (const path of ['/settings/users', '/settings/agencies', '/settings/service', '/settings/media-categories/new']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Not for your role, or not there' })).toBeVisible()
  }
  complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('404')))
})
