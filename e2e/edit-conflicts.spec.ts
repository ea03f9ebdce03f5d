import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { ask, choose, type Named, newProject, photo, sendFile, signIn } from './support/workspace'

/** Two people at one form: nothing is overwritten unseen, and nothing typed is lost. */

async function newBatch(page: Page) {
  const tag = randomBytes(4).toString('hex')
  const project = await newProject(page, `Conflicts ${tag}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: `Before ${tag}`,
  })
  return { tag, path: `/projects/${project.id}/batches/${batch.id}`, batch }
}

/** Refreshes of the page, each served as of when it was asked and kept back, as by a slow network, until it is let go. */
async function holdRefreshes(page: Page): Promise<(() => void)[]> {
  const held: (() => void)[] = []
  await page.route(
    (url) => url.searchParams.has('_rsc'),
    async (route) => {
      if ('next-router-prefetch' in route.request().headers()) return route.continue()
      const response = await route.fetch()
      await new Promise<void>((letGo) => held.push(letGo))
      await route.fulfill({ response })
    },
  )
  return held
}

test('a form open over a page that is refreshed sends the version it was filled from', async ({
  page,
  browser,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const { tag, path } = await newBatch(page)
  const api = `/api${path}`
  const admin = await (await browser.newContext()).newPage()
  await signIn(admin, 'admin')
  const now = () => ask<{ name: string; due: { on: string } | null; operator: Named | null }>(page, api)
  const heading = page.getByRole('heading', { level: 1, includeHidden: true })
  const dialog = page.getByRole('dialog')
  const notice = dialog.getByRole('alert').filter({ hasText: 'changed this meanwhile' })
  const save = () => dialog.getByRole('button', { name: 'Save', exact: true }).click()
  const edit = async () => {
    await page.getByRole('button', { name: 'More for this batch' }).click()
    await page.getByRole('menuitem', { name: 'Edit batch' }).click()
  }

  // Another user changes it, and the page behind the form shows that before the form is saved
  await page.goto(path)
  await edit()
  await dialog.getByLabel('Name').fill(`Mine ${tag}`)
  await ask(admin, api, { name: `Theirs ${tag}`, due_on: '2031-05-06' }, 'PATCH')
  await expect(heading).toHaveText(`Theirs ${tag}`)
  await save()
  await expect(notice).toContainText('Ada Brandt changed this meanwhile')
  await expect(notice).toContainText(`Theirs ${tag} (you: Mine ${tag})`)
  await expect(notice).toContainText('2031-05-06')
  await expect(dialog.getByLabel('Name')).toHaveValue(`Mine ${tag}`)
  await expectAccessible(page)
  expect(await now()).toMatchObject({ name: `Theirs ${tag}` })

  // Over theirs: what was typed stays, what was not touched follows them
  await notice.getByRole('button', { name: 'Save mine over them' }).click()
  await expect(dialog).toBeHidden()
  expect(await now()).toMatchObject({ name: `Mine ${tag}`, due: { on: '2031-05-06' } })

  // Theirs: what no other user touched is still there to be saved
  await edit()
  await dialog.getByLabel('Name').fill(`Second ${tag}`)
  await dialog.getByRole('combobox', { name: 'Operator' }).click()
  await choose(page, /Omar/)
  const held = await holdRefreshes(page)
  await ask(admin, api, { name: `Agreed ${tag}` }, 'PATCH')
  await expect.poll(() => held.length).toBeGreaterThan(0)
  const asked = held.splice(0)
  await save()
  await notice.getByRole('button', { name: 'Take their changes' }).click()
  await expect(notice).toBeHidden()
  await expect(dialog.getByLabel('Name')).toHaveValue(`Agreed ${tag}`)
  await save()
  await expect(dialog).toBeHidden()
  expect(await now()).toMatchObject({ name: `Agreed ${tag}`, operator: { name: expect.stringContaining('Omar') } })

  // Opened again while the page still shows what was before the save: the form goes on from what was saved
  const arrived = page.waitForEvent('requestfinished', (request) => request.url().includes('_rsc'))
  for (const letGo of asked) letGo()
  await arrived
  await edit()
  await expect(dialog.getByRole('combobox', { name: 'Operator' })).toHaveValue(/Omar/)
  await dialog.getByLabel('Name').fill(`Third ${tag}`)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const letGo of held) letGo()

  // A file that arrives changes the batch, and nothing that the form is about
  await sendFile(page, `${api}/files`, { name: 'a.jpg', mimeType: 'image/jpeg', buffer: await photo(64, 64) })
  await save()
  await expect(dialog).toBeHidden()
  expect(await now()).toMatchObject({ name: `Third ${tag}` })
  expectRefusals(complaints, 412)
  await admin.context().close()
})

test('the forms of a project, a link and a manifest keep to the same rule', async ({ page, browser, complaints }) => {
  await signIn(page, 'coordinator')
  const { tag, path, batch } = await newBatch(page)
  const project = path.split('/batches')[0] ?? ''
  const link = await ask<{ id: string }>(page, '/api/upload-links', {
    batch_id: batch.id,
    label: `Before ${tag}`,
    expires_at: new Date(Date.now() + 5 * 86_400_000).toISOString(),
  })
  const admin = await (await browser.newContext()).newPage()
  await signIn(admin, 'admin')
  const dialog = page.getByRole('dialog')
  const notice = dialog.getByRole('alert').filter({ hasText: /changed .*meanwhile/ })

  await page.goto(project)
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('Name').fill(`Mine ${tag}`)
  await ask(admin, `/api${project}`, { name: `Theirs ${tag}` }, 'PATCH')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(notice).toContainText(`Theirs ${tag} (you: Mine ${tag})`)
  await notice.getByRole('button', { name: 'Save mine over them' }).click()
  await expect(dialog).toBeHidden()
  expect(await ask(page, `/api${project}`)).toMatchObject({ name: `Mine ${tag}` })

  await page.goto(path)
  const row = page.getByRole('listitem').filter({ hasText: `Before ${tag}` })
  await row.getByRole('button', { name: 'Edit', exact: true }).click()
  await dialog.getByLabel('Label').fill(`My label ${tag}`)
  await ask(admin, `/api/upload-links/${link.id}`, { label: `Their label ${tag}`, expires_at: null }, 'PATCH')
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(notice).toContainText(`Their label ${tag} (you: My label ${tag})`)
  await expect(notice).toContainText('without end')
  await notice.getByRole('button', { name: 'Take their changes' }).click()
  await expect(dialog.getByLabel('Label')).toHaveValue(`Their label ${tag}`)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Add a manifest' }).click()
  await dialog.getByLabel('Expected files').fill('mine.jpg')
  await ask(admin, `/api${path}/manifest`, { files: [{ name: 'a.jpg' }, { name: 'b.jpg' }] }, 'PUT')
  await dialog.getByRole('button', { name: 'Save manifest' }).click()
  await expect(notice).toContainText('2 files (you: 1 file)')
  await expect(dialog.getByLabel('Expected files')).toHaveValue('mine.jpg')
  await notice.getByRole('button', { name: 'Save mine over them' }).click()
  await expect(dialog).toBeHidden()
  expect(await ask(page, `/api${path}/manifest`)).toMatchObject({ files: [{ name: 'mine.jpg' }] })
  expectRefusals(complaints, 412)
  await admin.context().close()
})
