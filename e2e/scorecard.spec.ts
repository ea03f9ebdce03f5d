import { expect, expectAccessible, test } from './support/test'
import { signIn } from './support/workspace'

/** An agency reads how its deliveries go, until the link is withdrawn. */
test('an administrator sends an agency its scorecard, and withdraws it', async ({ page, browser }) => {
  await signIn(page, 'admin')
  // Other stories make agencies: the list may have more than a page.
  await page.goto('/settings/agencies?q=Northlight')
  await page.getByRole('link', { name: 'Scorecard of Northlight Studio' }).click()
  await expect(page.getByRole('heading', { name: 'Scorecard of Northlight Studio' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create link' }).click()
  const address = (await page.getByRole('dialog').locator('code').textContent()) ?? ''
  expect(address).toMatch(/\/s\/[0-9A-Za-z]{16}$/)
  await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()

  const agency = await (await browser.newContext()).newPage()
  await agency.goto(address)
  await expect(agency.getByRole('heading', { name: 'Scorecard of Northlight Studio' })).toBeVisible()
  await expect(agency.getByText('Passed the first time', { exact: true })).toBeVisible()
  await expect(agency.getByText('Median of other agencies')).toBeVisible()
  await agency.getByText('The same as a table').click()
  await expect(agency.getByRole('row')).toHaveCount(14)
  await expect(agency.getByText(/of \d+ files/).first()).toBeVisible()
  await expectAccessible(agency)
  for (const other of ['Halden', 'Motion Kitchen', 'Paper Lantern']) {
    await expect(agency.getByText(other)).toHaveCount(0)
  }

  await page.getByRole('button', { name: `Withdraw ${address}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw link' }).click()
  await expect(page.getByText('Deactivated').first()).toBeVisible()
  await agency.reload()
  await expect(agency.getByRole('heading', { name: 'This scorecard link was withdrawn' })).toBeVisible()
  await expectAccessible(agency)
})
