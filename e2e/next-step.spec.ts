import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/test'
import { ask, choose, type Named, newProject, photo, sendFile, signIn } from './support/workspace'

test('the page of a batch says what comes next, from the first link to the certificate', async ({ page }) => {
  const serial = Date.now().toString(36)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, 'coordinator')
  const project = await newProject(page, `Next ${serial}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, { name: `Stills ${serial}` })
  const place = `/projects/${project.id}/batches/${batch.id}`
  const [first, second] = [`first-${serial}.jpg`, `second-${serial}.jpg`]
  await ask(page, `/api${place}/manifest`, { files: [{ name: first }, { name: second }] }, 'PUT')
  const send = async (name: string) =>
    sendFile(page, `/api${place}/files`, { name, mimeType: 'image/jpeg', buffer: await photo(300, 250) })
  const bar = page.getByRole('region', { name: 'Next step' })
  const says = async (title: string, buttons = 1) => {
    await expect(bar.getByRole('heading', { name: title })).toBeVisible({ timeout: 30_000 })
    // A notice under the pointer stays, over whatever is below it.
    await page.mouse.move(0, 0)
    await expectAccessible(page)
    await expect(bar.locator('button, a')).toHaveCount(buttons)
  }

  // Nothing can arrive before there is a link; what the dialog shows of it stays while the page goes on
  await page.goto(place)
  await says('Send the agency an upload link')
  await bar.getByRole('button', { name: 'Create upload link' }).click()
  await page.getByRole('button', { name: 'Create link' }).click()
  const url = await page
    .getByRole('dialog')
    .getByText(/\/u\/[0-9A-Za-z]{16}$/)
    .textContent()
  await expect(page.getByRole('heading', { name: 'Waiting for the first file', includeHidden: true })).toBeAttached()
  await expect(page.getByRole('dialog', { name: 'Send this link to the agency' })).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await says('Waiting for the first file')
  await bar.getByRole('button', { name: 'Copy upload link' }).click()
  expect(await copied(page)).toBe(url)

  // One of two is there: the reminder names the other
  await send(first)
  await says('1 of 2 files arrived')
  await expect(bar.getByText(`Not here yet: ${second}.`)).toBeVisible()
  await bar.getByRole('button', { name: 'Copy reminder' }).click()
  const reminder = await copied(page)
  expect(reminder).toContain(`1 of 2 files of “${batch.name}” (${project.name}) has not arrived yet:\n\n- ${second}`)
  expect(reminder).toContain(url)

  // To submit early is possible, and not the first thing offered
  await page.getByRole('button', { name: 'More for this batch' }).click()
  await expect(page.getByRole('menuitem', { name: 'Submit for review: assign an operator first' })).toBeDisabled()
  await page.keyboard.press('Escape')

  await send(second)
  await says('Assign an operator')
  await bar.getByRole('button', { name: 'Assign an operator' }).click()
  await page.getByRole('combobox', { name: /^Operator/ }).fill('Omar')
  await choose(page, /Omar Haddad/)
  await page.getByRole('button', { name: 'Save' }).click()
  await says('All 2 files arrived')
  await bar.getByRole('button', { name: 'Submit for review' }).click()

  await says('2 files to review')
  await expect(bar.getByRole('link', { name: 'Review' })).toBeVisible()
  const { files } = await ask<{ files: Named[] }>(page, `/api${place}/files`)
  const idOf = (name: string) => files.find((file) => file.name === name)?.id
  const decide = (name: string, decision: string, comment?: string) =>
    ask(page, `/api${place}/files/${idOf(name)}/review`, { decision, comment })
  await decide(first, 'approve')
  await says('1 of 2 files to review')
  await decide(second, 'reject', 'The logo is cut off.')
  await says('Every file is decided')
  await bar.getByRole('button', { name: 'Complete review' }).click()

  await says('1 file rejected: ask for a new version')
  await bar.getByRole('button', { name: 'Copy request' }).click()
  expect(await copied(page)).toContain(`1 file of “${batch.name}” (${project.name}) needs a new version.`)
  await send(second)
  await says('All new versions have arrived')
  await bar.getByRole('button', { name: 'Submit round 2' }).click()
  await says('1 of 2 files to review')
  const now = await ask<{ files: Named[] }>(page, `/api${place}/files`)
  await ask(page, `/api${place}/files/${now.files.find(({ name }) => name === second)?.id}/review`, {
    decision: 'approve',
  })
  await says('Every file is decided')
  await bar.getByRole('button', { name: 'Complete review' }).click()
  await says('Approved', 3)
  await expect(bar.getByRole('link', { name: 'Deliver', exact: true })).toBeVisible()
  await expect(bar.getByRole('button', { name: 'Certificate' })).toBeVisible()
  const downloading = page.waitForEvent('download')
  await bar.getByRole('link', { name: 'Download all' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toBe(`${batch.name}.zip`)
  expect((await readFile(await download.path())).subarray(0, 4)).toEqual(Buffer.from('PK\x03\x04'))
})

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
