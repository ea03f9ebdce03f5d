import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { wav } from '../fixtures/audio'
import type { File } from '../lib/domain/files/schema'
import type { PreQcResult } from '../lib/domain/pre-qc/schema'
import type { FileRepair } from '../lib/domain/repairs/schema'
import { expect, expectAccessible, test } from './support/test'
import { ask, batchWith, demoOperator, type Named, newProject, sendFile, signIn } from './support/workspace'

/** A photograph that says where it was taken. */
async function photoWithPosition() {
  const pixels = Buffer.from(Array.from({ length: 640 * 480 * 3 }, (_, at) => (at * 7 + (at >> 9)) % 251))
  return sharp(pixels, { raw: { width: 640, height: 480, channels: 3 } })
    .withExif({
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '51/1 30/1 1234/100',
        GPSLongitudeRef: 'W',
        GPSLongitude: '0/1 7/1 3456/100',
      },
    })
    .withIccProfile('srgb')
    .jpeg()
    .toBuffer()
}

/** A batch in review with one checked photograph. */
async function checkedPhoto(page: Page) {
  const name = `photo-${randomBytes(4).toString('hex')}.jpg`
  const project = await newProject(page, `Repaired ${name}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: 'Stills',
    operator_id: await demoOperator(page),
  })
  const path = `/projects/${project.id}/batches/${batch.id}`
  const link = await ask<{ url: string }>(page, '/api/upload-links', { batch_id: batch.id, label: 'New version' })
  const { id } = await sendFile<Named>(page, `/api${path}/files`, {
    name,
    mimeType: 'image/jpeg',
    buffer: await photoWithPosition(),
  })
  await ask(page, `/api${path}/submit`, {})
  const results = async () =>
    (await ask<{ results: PreQcResult[] }>(page, `/api/pre-qc/results?batchId=${batch.id}`)).results
  await expect.poll(async () => (await results())[0]?.status, { timeout: 60_000 }).toBe('completed')
  return { name, path, id, link: link.url }
}

test('a position is taken out of a photograph in the review room, and the copy becomes the next version', async ({
  page,
}) => {
  await signIn(page, 'coordinator')
  const { name, path, id } = await checkedPhoto(page)
  await page.goto(`${path}/review?file=${id}`)
  const repair = page.getByRole('region', { name: 'Repair' })
  await expect(repair).toContainText('Fixes')
  await repair.getByRole('button', { name: 'Make a repaired copy' }).click()
  const take = repair.getByRole('button', { name: 'Take it as the next version' })
  await expect(take).toBeVisible({ timeout: 120_000 })
  await expect(repair.getByText('Private metadata')).toBeVisible()
  await expect(repair.getByRole('img').first()).toBeAttached()
  await expectAccessible(page)
  await take.click()
  await expect(page.getByText('is the next version')).toBeVisible()

  const { files } = await ask<{ files: File[] }>(page, `/api${path}/files`)
  expect(files).toMatchObject([{ version: 2, supersedes_id: id }])
  const bytes = await page.request.get(files[0]?.download_url ?? '')
  const { exif } = await sharp(await bytes.body()).metadata()
  expect(exif?.toString('latin1') ?? '').not.toContain('W\0')
  await page.goto(`${path}#file=${id}`)
  await expect(page.getByRole('dialog', { name: files[0]?.name ?? name })).toBeVisible()
})

test('the agency takes the repaired copy of a rejected photograph on a phone, without sending anything', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator')
  const { name, path, id, link } = await checkedPhoto(page)
  await ask(page, `/api${path}/files/${id}/repair`, {})
  const repair = async () => (await ask<FileRepair>(page, `/api${path}/files/${id}/repair`)).repair?.status
  await expect.poll(repair, { timeout: 120_000 }).toBe('proposed')
  await ask(page, `/api${path}/files/${id}/review`, { decision: 'reject', comment: 'It says where it was taken.' })
  await ask(page, `/api${path}/complete-review`, {})

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const agency = await phone.newPage()
  await agency.goto(new URL(link).pathname)
  const copy = agency.getByRole('region', { name: 'A repaired copy is ready' })
  await expect(copy).toContainText('Private metadata')
  await expect(copy.getByText('The repaired copy', { exact: true })).toBeVisible()
  const downloading = agency.waitForEvent('download')
  await copy.getByRole('link', { name: 'Download it' }).click()
  expect((await downloading).suggestedFilename()).toBe(name)
  await expectAccessible(agency)
  await copy.getByRole('button', { name: 'Use the repaired copy' }).click()
  await expect(agency.getByText('Everything that was expected has arrived.')).toBeVisible()
  await expectAccessible(agency)
  await phone.close()

  const { files } = await ask<{ files: File[] }>(page, `/api${path}/files`)
  expect(files).toMatchObject([{ version: 2, supersedes_id: id }])
})

test('a file and what could be repaired of it are asked for again where a server fault kept them away', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const { name, path, id } = await checkedPhoto(page)
  let isBroken = true
  let asked = 0
  await page.route(
    ({ pathname }) => [`/api${path}/files/${id}`, `/api${path}/files/${id}/repair`].includes(pathname),
    (route) => {
      asked += 1
      return isBroken ? route.fulfill({ status: 503, body: 'no service' }) : route.fallback()
    },
  )
  await page.goto(`${path}#file=${id}`)
  const drawer = page.getByRole('dialog', { name })
  const problem = drawer.getByRole('alert').filter({ hasText: 'The file cannot be shown' })
  await expect(problem).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)
  const before = asked
  await problem.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => asked).toBeGreaterThan(before)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await expect(drawer.getByRole('img', { name })).toBeVisible({ timeout: 30_000 })

  await page.route(`**/api${path}/files/${id}/repair`, (route) =>
    isBroken ? route.fulfill({ status: 503, body: 'no service' }) : route.fallback(),
  )
  await page.goto(`${path}/review?file=${id}`)
  const unknown = page.getByRole('alert').filter({ hasText: 'What could be repaired is not known' })
  await expect(unknown).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page)
  isBroken = false
  await unknown.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('region', { name: 'Repair' })).toContainText('Fixes', { timeout: 30_000 })
  expect(complaints.splice(0).filter((said) => !said.includes('503'))).toEqual([])
})

test('a sound that is too quiet for a destination is repaired for it from the table of destinations', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const quiet = wav(5, (time) => 0.02 * Math.sin(2 * Math.PI * 997 * time))
  const { path, batch, sent } = await batchWith(page, [{ name: 'quiet.wav', mimeType: 'audio/wav', buffer: quiet }])
  await ask(page, `/api${path}`, { destinations: ['ebu_r128', 'apple_podcasts_audio'] }, 'PATCH')
  await ask(page, `/api${path}/submit`, {})
  const results = () => ask<{ results: PreQcResult[] }>(page, `/api/pre-qc/results?batchId=${batch.id}`)
  await expect.poll(async () => (await results()).results[0]?.status, { timeout: 60_000 }).toBe('completed')

  await page.goto(`${path}/destinations`)
  await page.getByRole('button', { name: /^Fits after repair: quiet\.wav, EBU/ }).click()
  const reasons = page.getByRole('dialog')
  await expect(reasons).toContainText('audio track 1 is louder by')
  // Pressed twice at once, and the first answer lost on the way: one copy is made.
  let isFirst = true
  await page.route(`**/api${path}/files/*/repair`, async (route) => {
    if (route.request().method() !== 'POST' || !isFirst) return route.fallback()
    isFirst = false
    await route.fetch()
    await route.abort()
  })
  await reasons.getByRole('button', { name: 'Make a repaired copy' }).dblclick()
  await expect(page.getByText('could not be reached').first()).toBeVisible()
  expect(complaints.splice(0)).toEqual([expect.stringContaining('net::ERR_FAILED')])
  const state = reasons.getByRole('status')
  await expect(state).toContainText(/A copy is being made and checked|A repaired copy waits for a decision/)
  await expectAccessible(page)
  // Closed and opened again, it still says so, and says when the copy is there.
  await page.keyboard.press('Escape')
  await expect(reasons).toBeHidden()
  await page.getByRole('button', { name: /^Fits after repair: quiet\.wav, Apple/ }).click()
  await expect(state).toContainText('A repaired copy for EBU R 128', { timeout: 120_000 })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Fits after repair: quiet\.wav, EBU/ }).click()
  await expect(state).toContainText('A repaired copy waits for a decision')
  await reasons.getByRole('link', { name: 'Decide on it in the file' }).click()
  await expect(page).toHaveURL(`${path}/review?file=${sent[0]?.id}`)
  const repair = page.getByRole('region', { name: 'Repair' })
  await expect(repair).toContainText('Made for EBU R 128')
  await expect(repair.getByRole('listitem').filter({ hasText: 'Loudness' })).toContainText(/Fail.*Pass.*-23/)
  const take = repair.getByRole('button', { name: 'Take it as the next version' })
  await take.click()
  await expect(page.getByText('is the next version')).toBeVisible()
  // The next version is checked like any upload.
  await expect(async () => {
    await page.goto(`${path}/destinations`)
    await expect(page.getByRole('button', { name: /^Fits: quiet\.wav, EBU/ })).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 120_000 })
})
