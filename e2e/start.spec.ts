import { expect, test } from './support/test'

test('the product that was just started responds, and says that it is ready', async ({ request, page }) => {
  expect((await request.get('/api/health/ready')).status()).toBe(200)
  const response = await page.goto('/')
  expect(response?.ok()).toBe(true)
})
