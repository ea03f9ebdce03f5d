import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { pdf } from '@/fixtures/pdf'
import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { batchWithPdf } from './support/workspace'

/** The plates of a page of a PDF are seen one by one in the review room. */

const GOLD = '[/Separation /Gold /DeviceCMYK << /FunctionType 2 /Domain [0 1] /C0 [0 0 0 0] /C1 [0 0.2 0.8 0] /N 1 >>]'

/** Page 1: cyan and black on the left, gold in a layer on the right, RGB below. Page 2 is empty. */
const printed = () =>
  pdf({
    catalogue: `/PageLabels << /Nums [0 << /P (${Date.now()}) >>] >> /OCProperties << /OCGs [10 0 R] /D << /Order [10 0 R] >> >>`,
    pages: [
      {
        resources: `/ColorSpace << /S ${GOLD} >> /Properties << /G 10 0 R >>`,
        content:
          '0.6 0 0 0.2 k 0 421 298 421 re f /OC /G BDC /S cs 0.4 scn 298 421 298 421 re f EMC 1 0 0 rg 0 0 595 200 re f',
      },
      {},
    ],
    objects: { 10: '<< /Type /OCG /Name (Foil) >>' },
  })

const drawing = (page: Page) => page.locator('canvas[data-image-of]')
const plates = (page: Page) => page.getByRole('dialog', { name: 'Separations' })

/** Colours of the drawn page, upper left, upper right and below. */
async function colours(page: Page, isPressed = true): Promise<number[][]> {
  if (isPressed) await page.keyboard.press('Escape')
  await expect(plates(page)).toBeHidden()
  await expect(drawing(page)).toHaveAttribute('data-complete', 'true', { timeout: 60_000 })
  const box = page.getByRole('img', { name: 'Page 1 of page.pdf', exact: true })
  const { data, info } = await sharp(await box.screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [
    [0.25, 0.25],
    [0.75, 0.25],
    [0.5, 0.9],
  ].map(([x = 0, y = 0]) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3
    return [...data.subarray(at, at + 3)]
  })
}

function expectGreys(found: readonly number[][], shares: readonly number[]) {
  for (const [at, share] of shares.entries())
    for (const value of found[at] ?? []) expect(Math.abs(value - 255 * (1 - share))).toBeLessThanOrEqual(1)
}

test('plates are chosen one by one, and the composite stays where there are none', async ({ page, complaints }) => {
  const { at } = await batchWithPdf(page, printed())
  await page.goto(`${at}/review`)
  await expect(page.getByRole('img', { name: 'Page 1 of page.pdf', exact: true })).toBeVisible()
  const open = page.getByRole('button', { name: 'Separations' })

  // A plate that cannot be read says so, and the composite stays
  await page.route(/separations\/plate/, (route) => route.fulfill({ body: 'no PDF', contentType: 'application/pdf' }))
  await open.click()
  const choice = (name: string) => plates(page).getByRole('radio', { name, exact: true })
  for (const name of ['All, as colours', 'Cyan', 'Magenta', 'Yellow', 'Black', 'Gold', 'RGB and Lab objects'])
    await expect(choice(name)).toBeVisible({ timeout: 60_000 })
  await expect(plates(page).getByText('Spot colour')).toBeVisible()
  await expect(plates(page).getByText(/RGB and Lab objects are on no plate/)).toBeVisible()
  await expectAccessible(page)
  await choice('Cyan').click()
  await expect(plates(page).getByRole('alert')).toContainText('The plate cannot be shown. The file is damaged.', {
    timeout: 60_000,
  })
  await expect(choice('All, as colours')).toBeChecked()
  await expect(drawing(page)).toBeHidden()
  await page.unroute(/separations\/plate/)

  await choice('Cyan').click()
  await expect(choice('Cyan')).toBeChecked()
  expectGreys(await colours(page), [0.6, 0, 0])
  await expect(page.getByRole('button', { name: 'Loupe and colour' })).toBeDisabled()

  // By the keyboard, to the next ones
  await open.press('Enter')
  await choice('Cyan').press('ArrowDown')
  await expect(choice('Magenta')).toBeChecked()
  for (const name of ['Black', 'Gold', 'RGB and Lab objects']) {
    await choice(name).click()
    await expect(choice(name)).toBeChecked()
    const shares = { Black: [0.2, 0, 0], Gold: [0, 0.4, 0], 'RGB and Lab objects': [0, 0, 1] }[name] ?? []
    expectGreys(await colours(page), shares)
    await page.getByRole('button', { name: `Separations: ${name}` }).click()
  }
  // Sharp at any zoom, by the same drawing
  await choice('Gold').click()
  await page.keyboard.press('Escape')
  const shown = page.getByRole('list', { name: 'Shown of the page' })
  await expect(shown.getByText('Plate: Gold')).toBeVisible()
  await page.getByRole('button', { name: '1:1' }).click()
  await expect(drawing(page)).toHaveAttribute('data-complete', 'true')
  await page.keyboard.press('0')

  // A layer that is hidden is on no plate; each is shown again by a press
  await page.getByRole('button', { name: 'Layers' }).click()
  await page.getByRole('dialog', { name: 'Layers' }).getByRole('checkbox', { name: 'Foil' }).click()
  await expect(shown.getByText('Layers are switched')).toBeVisible()
  expectGreys(await colours(page), [0, 0, 0])
  await expectAccessible(page)
  await shown.getByRole('button', { name: 'As in the file' }).click()
  await expect(shown.getByText('Layers are switched')).toBeHidden()
  expectGreys(await colours(page, false), [0, 0.4, 0])
  await shown.getByRole('button', { name: 'All plates' }).click()
  await expect(shown).toBeHidden()
  await expect(page.getByRole('button', { name: 'Separations', exact: true })).toBeVisible()

  // Another page has plates of its own, or none
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByRole('button', { name: 'Separations', exact: true }).click()
  await expect(plates(page).getByText('Page 2 has no separations: nothing is printed on it.')).toBeVisible()
  await expect(drawing(page)).toBeHidden()
  expectRefusals(complaints)
})
