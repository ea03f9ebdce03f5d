import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { type Entry, open, type ZipFile } from 'yauzl'
import type { PreQcResult } from '../lib/domain/pre-qc/schema'
import { expect, expectAccessible, test } from './support/test'
import { ask, batchOfFive, choose, demoOperator, type Named, photo, sendFile, signIn } from './support/workspace'

/** What another program reads of an archive. */
async function read(path: string): Promise<Record<string, Buffer>> {
  const archive = await promisify<string, { lazyEntries: boolean }, ZipFile>(open)(path, { lazyEntries: true })
  const found: Record<string, Buffer> = {}
  await new Promise<void>((resolve, reject) => {
    archive.on('error', reject)
    archive.on('end', resolve)
    archive.on('entry', (entry: Entry) => {
      archive.openReadStream(entry, async (error, stream) => {
        if (error) return reject(error)
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk)
        found[entry.fileName] = Buffer.concat(chunks)
        archive.readEntry()
      })
    })
    archive.readEntry()
  })
  return found
}

test('chosen files are downloaded as one ZIP, on a wide screen and on a phone', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { batch, place, names } = await batchOfFive(page)
  const [first = '', second = ''] = names
  await page.goto(place)
  const bar = page.getByRole('region', { name: 'Selected files' })
  for (const name of [first, second]) await page.getByRole('checkbox', { name: `Select ${name}` }).click()
  const downloading = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'Download' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${batch.name}, 2 files.zip`)
  await expect(page.getByText(/Downloading 2 files, /)).toBeVisible()
  const found = await read(await download.path())
  expect(Object.keys(found)).toEqual([
    ...['SHA256SUMS', 'manifest.json', 'manifest.csv'],
    ...[`files/${first}`, `files/${second}`],
  ])
  for (const name of [first, second]) {
    const sum = createHash('sha256')
      .update(found[`files/${name}`] ?? '')
      .digest('hex')
    expect(String(found.SHA256SUMS)).toContain(`${sum}  files/${name}\n`)
  }

  // On a phone the bar keeps within the screen, and the lesser actions are in its menu.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(bar).toBeVisible()
  expect(await bar.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await expectAccessible(page)
  const again = page.waitForEvent('download')
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Download' }).click()
  expect(Object.keys(await read(await (await again).path()))).toHaveLength(5)
})

test('one finding of many files is waived with one reason', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { project, batch, place } = await batchOfFive(page)
  for (const background of ['#3366aa', '#aa6633']) {
    const blank = sharp({ create: { width: 600, height: 500, channels: 3, background } })
    const buffer = await blank
      .withMetadata({ exif: { IFD0: { Copyright: batch.name } } })
      .jpeg()
      .toBuffer()
    await sendFile(page, `/api${place}/files`, {
      name: `blank${background.slice(1)}.jpg`,
      mimeType: 'image/jpeg',
      buffer,
    })
  }
  await ask(page, `/api${place}/submit`, undefined, 'POST')
  const found = async () =>
    (await ask<{ results: PreQcResult[] }>(page, `/api/pre-qc/results?batchId=${batch.id}`)).results
  await expect
    .poll(async () => (await found()).filter(({ status }) => status === 'completed').length, { timeout: 120_000 })
    .toBe(7)
  const blanks = (await found()).filter(({ file_name }) => file_name.startsWith('blank'))
  const label = blanks[0]?.checks.find(({ check_id }) => check_id === 'blank_check')?.label ?? ''

  await page.goto(place)
  await page.keyboard.press('x')
  const bar = page.getByRole('region', { name: 'Selected files' })
  await expect(bar.getByText('7 files selected')).toBeVisible()
  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Waive a finding' }).click()
  const dialog = page.getByRole('dialog', { name: 'Waive a finding of 7 files' })
  await dialog.getByRole('combobox', { name: 'Finding' }).click()
  await choose(page, `${label} (2 files)`)
  await expect(dialog.getByText('5 files without it stay as before.')).toBeVisible()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Cards of plain colour were ordered')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Waive on 2 files' }).click()
  await expect(page.getByText('Waived on 2 files')).toBeVisible()
  await expect(page.getByText('5 files not waived')).toBeVisible()
  await expect(bar).toBeHidden()
  const { waivers } = await ask<{ waivers: { check_id: string; reason: string }[] }>(
    page,
    `/api/projects/${project.id}/waivers`,
  )
  expect(waivers.map(({ check_id, reason }) => [check_id, reason])).toEqual(
    Array(2).fill(['blank_check', 'Cards of plain colour were ordered']),
  )
})

test('images are selected by a box that is drawn, and moved to another batch', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { project, place, names } = await batchOfFive(page)
  const [first = '', second = '', third = ''] = names
  const other = await ask<Named>(page, `/api/projects/${project.id}/batches`, { name: 'The other batch' })
  const elsewhere = `/projects/${project.id}/batches/${other.id}`
  // One name is taken where they go.
  await sendFile(page, `/api${elsewhere}/files`, { name: first, mimeType: 'image/jpeg', buffer: await photo(99, 88) })

  await page.goto(`${place}?view=grid`)
  const bar = page.getByRole('region', { name: 'Selected files' })
  const card = (name: string) => page.getByRole('listitem').filter({ has: page.getByText(name) })
  const boxOf = async (name: string) => {
    await card(name).evaluate((element) => element.scrollIntoView({ block: 'center' }))
    return (await card(name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
  }
  await expect(page.getByRole('checkbox', { name: `Select ${second}` })).toBeVisible()
  const begin = await boxOf(first)
  const end = await boxOf(second)
  await page.mouse.move(begin.x - 6, begin.y + 20)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width / 2, end.y + 60, { steps: 5 })
  await expect(page.locator('[data-marquee]')).toBeVisible()
  await expect(bar.getByText('2 files selected')).toBeVisible()
  await page.mouse.up()
  await expect(page.locator('[data-marquee]')).toBeHidden()
  for (const name of [first, second]) await expect(page.getByRole('checkbox', { name: `Select ${name}` })).toBeChecked()

  // With Shift besides those; Escape takes a box back.
  const next = await boxOf(third)
  await page.keyboard.down('Shift')
  await page.mouse.move(next.x - 6, next.y + 20)
  await page.mouse.down()
  await page.mouse.move(next.x + 40, next.y + 60, { steps: 5 })
  await expect(bar.getByText('3 files selected')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bar.getByText('2 files selected')).toBeVisible()
  await page.mouse.up()
  await page.keyboard.up('Shift')
  await expectAccessible(page)

  await bar.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Move to another batch' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 files to another batch' })
  await dialog.getByRole('combobox', { name: 'Batch' }).click()
  await choose(page, 'The other batch')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Move 2 files' }).click()
  await expect(page.getByText('1 file moved to “The other batch”')).toBeVisible()
  await expect(page.getByText('1 file not moved')).toBeVisible()
  await expect(page.getByText(`The batch already holds a file named “${first}”`)).toBeVisible()
  await expect(page.getByText('4 files', { exact: true })).toBeVisible()
  const { files } = await ask<{ files: Named[] }>(page, `/api${elsewhere}/files`)
  expect(files.map(({ name }) => name).sort()).toEqual([first, second])
  await page.goto(elsewhere)
  await expect(page.getByText(new RegExp(`moved ${second} here from “Five`))).toBeVisible()
})

test('a new batch is created the same as an earlier one', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { project } = await batchOfFive(page)
  const operator_id = await demoOperator(page)
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  await ask(page, `/api/projects/${project.id}/batches`, {
    name: 'First wave',
    operator_id,
    due_on: inDays(9),
    required_copy: ['Terms apply'],
    manifest: [{ name: 'banner.png', note: 'Home' }, { name: 'cover.png' }],
  })
  await page.goto(`/projects/${project.id}`)
  await page.getByRole('button', { name: 'New batch' }).click()
  const dialog = page.getByRole('dialog', { name: 'New batch' })
  await dialog.getByRole('combobox', { name: 'Same as' }).click()
  await choose(page, 'First wave')
  await expect(dialog.getByText('Taken over; change below what differs.')).toBeVisible()
  await expect(dialog.getByLabel('Expected files')).toHaveValue('banner.png\tHome\ncover.png')
  await expect(dialog.getByLabel('Required copy')).toHaveValue('Terms apply')
  await expect(dialog.getByLabel('Due')).toHaveValue(inDays(9))
  await expectAccessible(page)
  await dialog.getByLabel('Name', { exact: true }).fill('Second wave')
  await dialog.getByRole('button', { name: 'Create batch', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Second wave' })).toBeVisible()
  const { batches } = await ask<{ batches: { name: string; operator: Named | null; required_copy: string[] }[] }>(
    page,
    `/api/projects/${project.id}/batches`,
  )
  expect(batches.find(({ name }) => name === 'Second wave')).toMatchObject({
    operator: { id: operator_id },
    required_copy: ['Terms apply'],
  })
})
