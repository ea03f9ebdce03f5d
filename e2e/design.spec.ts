import { readdirSync, readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, expectNoViolations, test } from './support/test'

/** The page that shows every part of `components/ui`, in each way a browser may show it. */

/**
 * Every rule of axe, not only those of WCAG. Left out: contrast in forced colours, which the user's palette decides and
 * axe reads from the colours that are not shown; and that a menu, which is open for a moment, stands in no landmark.
 */
async function expectNoFindings(page: Page, look: string) {
  await page.evaluate(() => window.scrollTo(0, 0))
  const rules = {
    'color-contrast': { enabled: !look.startsWith('forced') },
    region: { enabled: !look.endsWith('Actions') },
  }
  await expectNoViolations(page, look, { rules }, ['[data-base-ui-focus-guard]'])
}

/** What only others are made of, and what a page cannot show by itself. */
const NO_PARTS = [
  ...['announcer', 'copy-text-button', 'dialog-parts', 'plain-time', 'toaster', 'unsaved'],
  // What a part loads when it is used.
  ...['openable-confirm-dialog', 'openable-dialog', 'openable-drawer', 'openable-menu', 'openable-popover'],
  ...['shown-tooltip', 'when-used'],
]

test('every part stands on the page', () => {
  const shown = readdirSync('components/docs/design')
    .map((file) => readFileSync(`components/docs/design/${file}`, 'utf8'))
    .join()
  const parts = readdirSync('components/ui').filter((file) => file.endsWith('.tsx'))
  const missing = parts
    .map((file) => file.slice(0, -'.tsx'.length))
    .filter((part) => !NO_PARTS.includes(part) && !shown.includes(`@/components/ui/${part}'`))
  expect(missing).toEqual([])
})

const LOOKS = [
  { look: 'light', media: { colorScheme: 'light' } },
  { look: 'dark', media: { colorScheme: 'dark' } },
  { look: 'forced colours', media: { colorScheme: 'light', forcedColors: 'active' } },
  { look: 'right to left', media: { colorScheme: 'light' }, query: '?dir=rtl' },
] as const

for (const { look, media, ...rest } of LOOKS)
  test(`parts have no findings: ${look}`, async ({ page }) => {
    await page.emulateMedia(media)
    await page.goto(`/docs/design${'query' in rest ? rest.query : ''}`)
    await expect(page.getByRole('heading', { name: 'Design', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Try to save' }).click()
    await expectNoFindings(page, look)
    for (const trigger of ['Actions', 'Dialog', 'ConfirmDialog', 'Drawer', 'Popover']) {
      await page.getByRole('button', { name: trigger, exact: true }).click()
      const opened = page.getByRole(trigger === 'Actions' ? 'menu' : /Confirm/.test(trigger) ? 'alertdialog' : 'dialog')
      await expect(opened).toBeVisible()
      await expectNoFindings(page, `${look}, ${trigger}`)
      await page.keyboard.press('Escape')
      await expect(opened).toBeHidden()
    }
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoFindings(page, `${look}, phone`)
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    expect(overflow, 'pixels beyond the phone').toBeLessThanOrEqual(0)
  })

test('in forced colours it is seen what is chosen, and how far something is', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'active' })
  await page.goto('/docs/design')
  const chosen = page.locator('label').filter({ has: page.getByRole('radio', { name: 'Narrow' }) })
  await expect(chosen).toHaveCSS('outline-style', 'solid')
  await expect(page.getByRole('tab', { name: 'Findings' })).toHaveCSS('outline-style', 'solid')
  const colourOf = (element: Element) => getComputedStyle(element).backgroundColor
  const canvas = await page.locator('body').evaluate(colourOf)
  const marks = [
    page.getByRole('radio', { name: 'The team' }).locator('span').first(),
    page.getByRole('switch', { name: 'Mail me' }).locator('span').first(),
    page.getByRole('progressbar').first().locator('div').first(),
  ]
  for (const mark of marks) expect(await mark.evaluate(colourOf)).not.toBe(canvas)
})
