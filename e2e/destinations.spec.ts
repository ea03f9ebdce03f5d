import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import type { PreQcResult } from '../lib/domain/pre-qc/schema'
import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { ask, demoOperator, type Named, newProject, photo, sendFile, signIn } from './support/workspace'

/** A batch with a checked image of each of these sizes. */
async function checkedBatch(page: Page, ...sizes: [number, number][]) {
  const tag = randomBytes(4).toString('hex')
  const project = await newProject(page, `Where to ${tag}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Key visuals',
    operator_id: await demoOperator(page),
  })
  const path = `/projects/${project.id}/batches/${batch.id}`
  for (const [width, height] of sizes) {
    const name = `visual-${tag}-${width}.jpg`
    await sendFile(page, `/api${path}/files`, { name, mimeType: 'image/jpeg', buffer: await photo(width, height) })
  }
  await ask(page, `/api${path}/submit`, {})
  const done = async () => {
    const { results } = await ask<{ results: PreQcResult[] }>(page, `/api/pre-qc/results?batchId=${batch.id}`)
    return results.filter(({ status }) => status === 'completed').length
  }
  await expect.poll(done, { timeout: 120_000 }).toBe(sizes.length)
  return { path, tag }
}

test('a coordinator chooses destinations for a batch and reads which files fit, and why not', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { path, tag } = await checkedBatch(page, [1200, 1200], [700, 200])
  await page.goto(path)
  await page.getByRole('link', { name: 'Destinations', exact: true }).click()
  await expect(page.getByText('No destinations yet')).toBeVisible()
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Choose destinations' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('radio', { name: 'Only these' }).click()
  await dialog.getByRole('searchbox', { name: 'Search destinations' }).fill('no such place')
  await expect(dialog.getByText('No destination matches.')).toBeVisible()
  await dialog.getByRole('searchbox', { name: 'Search destinations' }).fill('X, image')
  await dialog.getByRole('checkbox', { name: 'X, image ad' }).click()
  await dialog.getByRole('searchbox', { name: 'Search destinations' }).fill('EBU R 128 s1')
  await dialog.getByRole('checkbox', { name: /EBU R 128 s1/ }).click()
  await expect(dialog.getByText('2 destinations chosen')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()

  await expect(page.getByRole('columnheader', { name: 'X, image ad' })).toBeVisible()
  const square = page.getByRole('row', { name: new RegExp(`${tag}-1200`) })
  const wide = page.getByRole('row', { name: new RegExp(`${tag}-700`) })
  await expect(square.getByRole('button', { name: /^Fits: .*X, image ad/ })).toBeVisible()
  await expect(square.getByRole('button', { name: /^For other kinds of files: .*EBU R 128 s1/ })).toBeVisible()
  await expectAccessible(page)

  await wide.getByRole('button', { name: /^Does not fit: .*X, image ad/ }).click()
  await expect(page.getByText('700 × 200 px is 3.5:1; 1:1 or 1.91:1 is wanted.')).toBeVisible()
  await expect(page.getByText('Image ads, aspect ratio: 1:1 or 1.91:1')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Creative ad specifications' }).click()
  await expect(page.getByRole('heading', { name: 'X, image ad', level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Withdraw' })).toBeHidden()
  await expectAccessible(page)
})

test('an administrator imports a specification, whose mistakes are named by line, and withdraws it', async ({
  page,
  complaints,
}) => {
  const id = `own_${randomBytes(4).toString('hex')}`
  const document = (family: string, version = 1, target = -23) =>
    `{
  "id": "${id}",
  "version": ${version},
  "title": "Own ${id}",
  "family": "${family}",
  "kinds": ["video"],
  "source": { "publisher": "Own", "document": "Delivery", "date": "2026", "url": "https://example.com/delivery" },
  "maintained_by": "Ann",
  "requirements": [{ "check": "loudness_check", "thresholds": { "target_lufs": ${target} }, "clause": "4.2" }]
}`
  await signIn(page, 'admin', '/settings/destinations')
  await expect(page.getByRole('row', { name: /EBU R 128 s1/ })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import a specification' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Document' }).fill(document('radio'))
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog.getByText(/Line 5: family must be one of .*got “radio”/).first()).toBeVisible()
  await expectAccessible(page)
  expectRefusals(complaints, 422)
  await dialog.getByRole('textbox', { name: 'Document' }).fill(document('broadcast'))
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByRole('heading', { name: `Own ${id}`, level: 1 })).toBeVisible()
  await expect(page.getByRole('row', { name: /Loudness/ })).toContainText('Integrated loudness: −23 LUFS')
  await expectAccessible(page)

  await page.goto('/settings/destinations')
  await page.getByRole('button', { name: 'Import a specification' }).click()
  await dialog.getByRole('textbox', { name: 'Document' }).fill(document('broadcast', 2, -24))
  await dialog.getByRole('button', { name: 'Try on the last files' }).click()
  await expect(
    dialog.getByText('1 change from version 1. No file that was checked goes there yet, so that none would turn.'),
  ).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(page.getByText('Version 2', { exact: true }).first()).toBeVisible()
  await page.getByRole('link', { name: 'Changes from version 1' }).click()
  await expect(page.getByRole('heading', { name: 'Version 1 and version 2', level: 1 })).toBeVisible()
  const loudness = page.getByRole('row', { name: /Loudness/ })
  await expect(loudness).toContainText('−23 LUFS')
  await expect(loudness).toContainText('−24 LUFS')
  await expectAccessible(page)

  await page.goto(`/settings/destinations/${id}`)
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('Withdrawn', { exact: true })).toBeVisible()
  expectRefusals(complaints, 422)
})
