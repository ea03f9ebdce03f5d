import { randomBytes } from 'node:crypto'
import { expect, expectAccessible, test } from './support/test'
import { ask, choose, signIn } from './support/workspace'

test('an administrator sets rules, reads what a run would remove, and holds a project', async ({ page }) => {
  const name = `Held ${randomBytes(4).toString('hex')}`
  await signIn(page, 'admin', '/settings/retention')
  await expect(page.getByRole('heading', { name: 'Retention', level: 1 })).toBeVisible()

  await page.getByRole('button', { name: 'Edit rules' }).click()
  const archived = page.getByRole('group', { name: 'Project archived' })
  await archived.getByLabel('Files').fill('soon')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('“soon” is no number of days.').first()).toBeVisible()
  await archived.getByLabel('Files').fill('3650')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: /Project archived/ })).toContainText('3,650 days')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Preview a run' }).click()
  await expect(page.getByRole('heading', { name: 'What a run would remove' })).toBeVisible()
  await expect(page.getByText('Nothing is due')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Start the run' })).toBeHidden()
  await expectAccessible(page)

  const { agencies } = await ask<{ agencies: { id: string }[] }>(page, '/api/agencies?limit=1')
  const project = await ask<{ id: string }>(page, '/api/projects', { name, agency_id: agencies[0]?.id })
  await page.goto('/settings/retention')
  await page.getByRole('button', { name: 'Set a legal hold' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Project' }).fill(name)
  await choose(page, name)
  await dialog.getByRole('button', { name: 'Set the hold' }).click()
  await expect(dialog.getByText('Say why.').first()).toBeVisible()
  await dialog.getByLabel('Reason').fill('A case is pending.')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Set the hold' }).click()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('A case is pending.')

  await page.goto(`/projects/${project.id}`)
  await expect(page.getByText('This project is under legal hold since')).toBeVisible()
  await page.getByRole('button', { name: 'Edit the retention of this project' }).click()
  await page.getByRole('radio', { name: 'Its own' }).click()
  await page.getByRole('group', { name: 'Project completed' }).getByLabel('Files').fill('30')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Files are kept for 30 days after the project is completed.')).toBeVisible()
  await expectAccessible(page)

  await page.goto('/settings/retention')
  await page.getByRole('button', { name: `Lift the hold on ${name}` }).click()
  await page.getByLabel('Reason').fill('The case is closed.')
  await page.getByRole('button', { name: 'Lift the hold' }).click()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Lifted')
})

test('an administrator erases a person, whose name no screen shows any more', async ({ page }) => {
  const tag = randomBytes(4).toString('hex')
  const [name, email] = [`Leaving ${tag}`, `leaving-${tag}@greenroom.test`]
  await signIn(page, 'admin', '/settings/users')
  await ask(page, '/api/users', { name, email, role: 'viewer' })
  await page.goto(`/settings/users?q=${tag}`)
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Erase' }).click()
  const dialog = page.getByRole('alertdialog', { name: `Erase ${name}?` })
  await expect(dialog.getByText('Events of the audit trail')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox').fill(email)
  await dialog.getByRole('button', { name: 'Erase for good' }).click()
  await expect(dialog).toBeHidden()
  await page.goto(`/settings/users?q=${tag}`)
  await expect(page.getByText('No user matches')).toBeVisible()
  await page.goto('/settings/audit?type=user.erased')
  await expect(page.getByText('User erased').first()).toBeVisible()
  await page.goto('/settings/audit?type=user.created')
  await expect(page.getByText('Erased person').first()).toBeVisible()
  await expect(page.getByText(name)).toBeHidden()
})

test('an administrator erases the client of an estimate; the decision stays', async ({ page, browser }) => {
  const tag = randomBytes(4).toString('hex')
  const client = `Maria ${tag}`
  await signIn(page, 'admin')
  const { agencies } = await ask<{ agencies: { id: string }[] }>(page, '/api/agencies?limit=1')
  const project = await ask<{ id: string }>(page, '/api/projects', {
    name: `Stills ${tag}`,
    agency_id: agencies[0]?.id,
  })
  const draft = await ask<{ id: string; number: string }>(page, '/api/cost-estimates', {
    project_id: project.id,
    title: 'Stills',
    line_items: [{ description: 'Still', quantity: 1, unit_price: 90 }],
  })
  const sent = await ask<{ client_url: string }>(page, `/api/cost-estimates/${draft.id}/submit`, undefined, 'POST')
  const context = await browser.newContext()
  const theirs = await context.newPage()
  await theirs.goto(new URL(sent.client_url).pathname)
  await theirs.getByLabel('Your name').fill(client)
  await theirs.getByRole('button', { name: /^Approve for/ }).click()
  await theirs.getByRole('button', { name: 'Approve estimate' }).click()
  await expect(theirs.getByText(/^Approved for/)).toBeVisible()

  await page.goto(`/cost-estimates/${draft.id}`)
  await expect(page.getByText(client).first()).toBeVisible()
  await page.getByRole('button', { name: 'More for this estimate' }).click()
  await page.getByRole('menuitem', { name: 'Erase the client’s name' }).click()
  const dialog = page.getByRole('alertdialog')
  await expect(dialog.getByText('Decisions on this estimate')).toBeVisible()
  await expectAccessible(page)
  await dialog.getByRole('textbox').fill(draft.number)
  await dialog.getByRole('button', { name: 'Erase for good' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText('Erased person').first()).toBeVisible()
  await expect(page.getByText(client)).toHaveCount(0)
  await page.getByRole('button', { name: 'More for this estimate' }).click()
  await expect(page.getByRole('menuitem', { name: 'Download as CSV' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Erase the client’s name' })).toHaveCount(0)
  await theirs.reload()
  await expect(theirs.getByText('Erased person').first()).toBeVisible()
  await expect(theirs.getByText(client)).toHaveCount(0)
  await context.close()
})
