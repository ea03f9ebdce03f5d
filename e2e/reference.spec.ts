import type { Page } from '@playwright/test'
import { expect, expectNoViolations, expectRefusals, test } from './support/test'

/** The developers' pages that describe /api, which need no account. */

const expectAccessible = (page: Page) => expectNoViolations(page, page.url())

test('an integrator finds an operation, what is sent with it, and what it responds with', async ({ page }) => {
  await page.goto('/docs/api')
  await expectAccessible(page)
  const main = page.getByRole('main')
  await main.getByRole('link', { name: 'Create batch', exact: false }).first().click()
  await expect(page).toHaveURL(/\/docs\/api\/[a-z-]+#createBatch$/)
  const card = page.getByRole('article').and(page.locator('#createBatch'))
  await expect(card).toBeInViewport()
  await expect(card.getByText('coordinator_id', { exact: true }).first()).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Operations' }).locator('[aria-current=page]')).toHaveCount(1)
  await expectAccessible(page)

  await card.getByRole('link', { name: 'Batch', exact: true }).first().click()
  await expect(page).toHaveURL('/docs/api/responses#schema-Batch')
  await expect(page.locator('#schema-Batch')).toBeInViewport()
  await expectAccessible(page)
})

test('a section that is not there is said to be missing', async ({ page, complaints }) => {
  const response = await page.goto('/docs/api/nothing')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expectRefusals(complaints, 404)
})
