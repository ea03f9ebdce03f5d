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

test('a finding is waived for a whole project, a later file is covered, and it is withdrawn for all', async ({
  page,
}) => {
  await signIn(page, 'coordinator')
  const { project, path, id, found, label } = await checkedBlank(page)
  await page.goto(`${path}#file=${id}`)
  const finding = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: label, exact: true }) })
  await finding.getByRole('button', { name: 'Waive', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: `Waive “${label}”` })
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Cards of plain colour were ordered')
  await dialog.getByRole('combobox', { name: 'For' }).click()
  await choose(page, 'Every file of this project')
  await expect(dialog.getByText(/does not count in any file of this project/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Waive', exact: true }).click()
  await expect(finding.getByText(/^Waived for every file of this project by .*Cards of plain colour/)).toBeVisible()
  await expect(finding.getByRole('button')).toHaveCount(0)

  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Later',
    operator_id: await demoOperator(page),
  })
  const blank = sharp({
    create: { width: 601, height: 500, channels: 3, background: `#${randomBytes(3).toString('hex')}` },
  })
  const file = { name: 'later.jpg', mimeType: 'image/jpeg', buffer: await blank.jpeg().toBuffer() }
  await sendFile<Named>(page, `/api/projects/${project.id}/batches/${batch.id}/files`, file)
  await ask(page, `/api/projects/${project.id}/batches/${batch.id}/submit`, {})
  const later = async () =>
    (await ask<{ results: PreQcResult[] }>(page, `/api/pre-qc/results?batchId=${batch.id}`)).results[0]?.checks.find(
      ({ check_id }) => check_id === 'blank_check',
    )?.status
  await expect.poll(later, { timeout: 60_000 }).toBe('waived')

  await page.goto(`/projects/${project.id}/waivers`)
  const table = page.getByRole('table', { name: /every file of a batch or of the project/ })
  const row = table.getByRole('row', { name: new RegExp(label) })
  await expect(row).toContainText('The project')
  await expect(row).toContainText('Found in 2 files now')
  await expectAccessible(page)
  await row.getByRole('button', { name: 'Withdraw the waiver' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('counts again in 2 files')
  await expectAccessible(page)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
  await expect(table).toHaveCount(0)
  await expect.poll(later, { timeout: 60_000 }).not.toBe('waived')
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
