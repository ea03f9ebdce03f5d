import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import type { PreQcResult } from '../lib/domain/pre-qc/schema'
import { expect, expectAccessible, test } from './support/test'
import { ask, choose, demoOperator, type Named, newProject, photo, sendFile, signIn } from './support/workspace'

const find = (list: Named[], name: string) => {
  const found = list.find((each) => each.name === name)
  if (!found) throw new Error(`The demo workspace has no “${name}”.`)
  return found
}

async function demoBatch(page: Page, project: string, batch: string) {
  const { projects } = await ask<{ projects: Named[] }>(page, '/api/projects')
  const { id } = find(projects, project)
  const { batches } = await ask<{ batches: Named[] }>(page, `/api/projects/${id}/batches`)
  return `/projects/${id}/batches/${find(batches, batch).id}`
}

test('findings stand beside the file, lead to their place in it, and fill a report', async ({ page }) => {
  await signIn(page, 'operator')
  const batch = await demoBatch(page, 'Luma Skin: glow launch', 'Magazine page')
  await page.goto(`${batch}?view=matrix`)
  const row = page.getByRole('row', { name: /Spread/ })
  await expect(page.getByRole('columnheader', { name: 'Page size' })).toBeVisible()
  await expect(row.getByText('Fail').first()).toBeAttached()
  await page.getByRole('checkbox', { name: /without a finding/ }).click()
  await expect(page.getByRole('columnheader', { name: 'Integrity' })).toBeVisible()
  await expectAccessible(page)

  await row.getByRole('button').click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByText('Page 1 of 2')).toBeVisible()
  await panel
    .getByRole('list', { name: /Page size/ })
    .getByRole('button', { name: 'Page 2' })
    .click()
  await expect(panel.getByText('Page 2 of 2')).toBeVisible()
  await expect(panel.getByRole('img', { name: /^Page 2 of/ })).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'PDF', exact: true }).click()
  expect((await downloading).suggestedFilename()).toBe('Magazine page, Pre-QC.pdf')
})

test('a resupplied file says what it fixed', async ({ page }) => {
  const name = `hero-${randomBytes(4).toString('hex')}.jpg`
  await signIn(page, 'coordinator')
  const project = await newProject(page, `Story of ${name}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Resupply',
    operator_id: await demoOperator(page),
  })
  const path = `/api/projects/${project.id}/batches/${batch.id}`
  const upload = (buffer: Buffer) => sendFile(page, `${path}/files`, { name, mimeType: 'image/jpeg', buffer })
  const checked = async () => {
    await ask(page, `${path}/submit`, {})
    const results = () => ask<{ results: PreQcResult[] }>(page, `/api/pre-qc/results?batchId=${batch.id}`)
    await expect.poll(async () => (await results()).results[0]?.status, { timeout: 60_000 }).toBe('completed')
    return (await results()).results[0]
  }

  const blank = sharp({ create: { width: 600, height: 500, channels: 3, background: '#808080' } })
  const first = await upload(await blank.jpeg().toBuffer())
  const found = (await checked())?.checks.find(({ check_id }) => check_id === 'blank_check')
  expect(['fail', 'warning']).toContain(found?.status)
  await ask(page, `${path}/files/${first.id}/review`, { decision: 'reject', comment: 'It is empty.' })
  await ask(page, `${path}/complete-review`, {})
  const second = await upload(await photo(600, 500))
  const delta = (await checked())?.delta
  expect(delta?.fixed.map(({ check_id }) => check_id)).toContain('blank_check')

  await page.goto(`/projects/${project.id}/batches/${batch.id}#file=${second.id}`)
  await expect(page.getByRole('heading', { name: 'Against version 1' })).toBeVisible()
  await expect(page.getByText(/Fixed \(\d+\):/)).toBeVisible()
})

test('an administrator announces a rule, sees what it would do, saves it and reads the difference', async ({
  page,
}) => {
  await signIn(page, 'admin')
  const { media_categories } = await ask<{ media_categories: Named[] }>(page, '/api/media-categories')
  const { id } = find(media_categories, 'Print ads')
  await page.goto(`/settings/media-categories/${id}`)
  await page.getByRole('combobox', { name: 'What a violation of Resolution does' }).click()
  await choose(page, /^Announced/)
  await page.getByLabel('Fails from').fill('2099-01-01')
  await page.getByRole('button', { name: 'Try on the last files' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText(/of \d+ files would change/)).toBeVisible()
  await expect(dialog.getByText(/Plate/)).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: /^As of 2099-01-01/ }).click()
  await expect(dialog.getByText(/^None of/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible()

  await page.getByRole('link', { name: 'Versions' }).click()
  await expect(page.getByRole('heading', { name: /^Version 2/ })).toBeVisible()
  await expect(page.getByText('2099-01-01')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Use these checks' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Use these checks' }).click()
  await expect(page.getByRole('heading', { name: /^Version 3/ })).toBeVisible()
})
