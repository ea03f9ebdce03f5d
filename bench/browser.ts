import { type Browser, chromium, type Page } from '@playwright/test'
import { chromiumPath, provisionChromium } from '@/e2e/support/chromium'
import { openProduct, type Product } from './product'

/** The demo's password where a product of our own is started; each reads it from here. */
process.env.DEMO_PASSWORD ??= 'measured-in-a-browser'

/** A product, and a browser to measure it in. */
export async function openBrowser(): Promise<{ product: Product; browser: Browser }> {
  const product = await openProduct()
  const environment = await provisionChromium()
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: ['--no-sandbox', '--disable-gpu'],
    env: { ...process.env, ...environment } as Record<string, string>,
  })
  return { product, browser }
}

/** The administrator of the demo signs in; what the browser keeps of it, for other contexts. */
export async function signIn(browser: Browser, product: Product) {
  const context = await browser.newContext({ baseURL: product.url })
  const page = await context.newPage()
  await page.goto('/sign-in')
  await page.getByLabel('E-mail').fill('admin@greenroom.test')
  await page.getByLabel('Password').fill(process.env.DEMO_PASSWORD ?? '')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  const state = await context.storageState()
  await context.close()
  return state
}

/** Until nothing has come in for so long. */
export function untilQuiet(page: Page, ms: number) {
  return page.waitForFunction(
    (quiet) =>
      performance.now() - Math.max(...performance.getEntriesByType('resource').map((entry) => entry.startTime)) > quiet,
    ms,
  )
}
