import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { PreQcResult } from '../lib/domain/pre-qc/schema'
import { expect, expectAccessible, test } from './support/test'
import { ask, choose, demoOperator, type Named, newProject, sendFile, signIn } from './support/workspace'

/** A batch with one checked image that shows nothing. */
async function checkedBlank(page: Page) {
  const name = `empty-${randomBytes(4).toString('hex')}.jpg`
  const project = await newProject(page, `Waived ${name}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Plain colours',
    operator_id: await demoOperator(page),
  })
  const path = `/projects/${project.id}/batches/${batch.id}`
  const blank = sharp({ create: { width: 600, height: 500, channels: 3, background: `#${name.slice(6, 12)}` } })
  const file = { name, mimeType: 'image/jpeg', buffer: await blank.jpeg().toBuffer() }
  const { id } = await sendFile<Named>(page, `/api${path}/files`, file)
  await ask(page, `/api${path}/submit`, {})
  const found = () => ask<{ results: PreQcResult[] }>(page, `/api/pre-qc/results?batchId=${batch.id}`)
  await expect.poll(async () => (await found()).results[0]?.status, { timeout: 60_000 }).toBe('completed')
  const label = (await found()).results[0]?.checks.find(({ check_id }) => check_id === 'blank_check')?.label ?? ''

  return { name, project, path, id, found, label }
}

test('a coordinator waives a finding until a day, sees it in the list of what is waived, and withdraws it', async ({
  page,
}) => {
  await signIn(page, 'coordinator')
  const { name, project, path, id, found, label } = await checkedBlank(page)
  await page.goto(`/projects/${project.id}/waivers`)
  await expect(page.getByText('Nothing is waived')).toBeVisible()
  await expectAccessible(page)

  await page.goto(`${path}#file=${id}`)
  const finding = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label, exact: true }) })
  await finding.getByRole('button', { name: 'Waive', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Waive “${label}”` })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('A card of plain colour was ordered')
  await dialog.getByRole('combobox', { name: 'Kind of reason' }).click()
  await choose(page, 'It is intended')
  await dialog.getByLabel('Last day').fill('2099-12-31')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Waive', exact: true }).click()
  await expect(
    finding.getByText(/until 31 Dec 2099: It is intended\. A card of plain colour was ordered/),
  ).toBeVisible()

  await page.goto(`/projects/${project.id}`)
  await page.getByRole('link', { name: 'Waived', exact: true }).click()
  const row = page.getByRole('row', { name: new RegExp(name) })
  await expect(row).toContainText('A card of plain colour was ordered')
  await expect(row).toContainText('31 Dec 2099')
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Withdraw the waiver' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(page.getByText('Nothing is waived')).toBeVisible()
  expect((await found()).results[0]?.checks.find(({ check_id }) => check_id === 'blank_check')?.status).not.toBe(
    'waived',
  )
})

test('every attempt at the checks of a file stays, is compared, and runs again with its profile', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { path, id } = await checkedBlank(page)
  await page.goto(`${path}#file=${id}`)
  await page.getByRole('button', { name: 'Run again', exact: true }).click()
  const first = page.getByRole('listitem').filter({ has: page.getByText('Attempt 1', { exact: true }) })
  await expect(page.getByText('Attempt 2', { exact: true })).toBeVisible({ timeout: 60_000 })
  const compare = first.getByRole('button', { name: 'Compare with the newest' })
  await expect(compare).toBeEnabled({ timeout: 60_000 })
  await compare.click()
  await expect(first.getByText('Both say the same.')).toBeVisible()
  await expectAccessible(page)
  await first.getByRole('button', { name: 'Run again with its profile' }).click()
  await expect(page.getByText('Attempt 3', { exact: true })).toBeVisible({ timeout: 60_000 })
})
