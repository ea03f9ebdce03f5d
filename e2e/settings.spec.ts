import { randomBytes } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { ask, choose, signIn } from './support/workspace'

/** The stories share one product: names of their own keep them apart. */
const own = () => randomBytes(4).toString('hex').toUpperCase()

async function createAgency(page: Page, name: string, code: string) {
  await page.goto('/settings/agencies')
  await page.getByRole('button', { name: 'New agency' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Code').fill(code)
  await expect(dialog.getByText(`${code}_Spring_Hero_300x250_v01.png`)).toBeVisible()
  await dialog.getByRole('button', { name: 'Create agency' }).click()
  await expect(page.getByRole('row', { name: new RegExp(code) })).toBeVisible()
}

test('an administrator sets up an agency, a campaign and a media category, and names are validated by its template', async ({
  page,
  complaints,
}) => {
  // The longest way through the settings: it may take its time on a busy machine.
  const tag = own()
  await signIn(page, 'admin')
  await createAgency(page, `Story agency ${tag}`, `AG${tag}`)
  await expectAccessible(page)

  await page.getByRole('button', { name: 'New agency' }).click()
  await page.getByLabel('Name').fill(`Two words ${tag}`)
  await page.getByLabel('Code').fill('two words')
  await page.getByRole('button', { name: 'Create agency' }).click()
  await expect(page.getByText(/letters from A to Z, digits and hyphens only/).first()).toBeVisible()
  expectRefusals(complaints, 422)

  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('button', { name: `Edit Story agency ${tag}` }).click()
  const quota = page.getByLabel('Storage quota, in GB')
  await quota.fill('a lot')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('“a lot” is no size.').first()).toBeVisible()
  await quota.fill('0.5')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`AG${tag}`) })).toContainText('0 bytes of 500 MB')

  await page.goto('/settings/campaigns')
  await page.getByRole('button', { name: 'New campaign' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Agency' }).fill(tag)
  await choose(page, `Story agency ${tag}`)
  await dialog.getByLabel('Name').fill(`Spring ${tag}`)
  await dialog.getByLabel('Code').fill(`SPR${tag}`)
  await dialog.getByRole('button', { name: 'Create campaign' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`SPR${tag}`) })).toBeVisible()
  await expectAccessible(page)

  await page.goto('/settings/media-categories')
  await page.getByRole('link', { name: 'New media category' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill(`Banners ${tag}`)
  const template = page.getByLabel('Naming template')
  await template.fill('{agency}_{campaign}_{titel}_v{version}.{ext}')
  await expect(page.getByText('Did you mean {title}?')).toBeVisible()
  await page.getByRole('button', { name: 'Show place' }).click()
  await page.keyboard.type('{title}')
  await expect(template).toHaveValue('{agency}_{campaign}_{title}_v{version}.{ext}')
  await page.keyboard.type('_')
  await page.getByRole('button', { name: /^Width/ }).click()
  await page.keyboard.type('x')
  await page.getByRole('button', { name: /^Height/ }).click()
  await expect(template).toHaveValue('{agency}_{campaign}_{title}_{width}x{height}_v{version}.{ext}')
  await expect(page.getByRole('button', { name: /^Height/ })).toBeDisabled()

  await page.getByRole('combobox', { name: 'As the agency' }).fill(tag)
  await choose(page, `Story agency ${tag}`)
  await page.getByRole('combobox', { name: 'For the campaign' }).fill(tag)
  await choose(page, `Spring ${tag}`)
  const right = `AG${tag}_SPR${tag}_Hero_300x250_v01.png`
  await page.getByLabel('Try a name').fill(right.replace('AG', 'OTHER'))
  await page.getByRole('button', { name: `Use ${right}` }).click()
  await expect(page.getByText('This name is right.')).toBeVisible()
  await page.getByLabel('Try several names').fill(`${right}\nfinal FINAL.png\n${right.replace('Hero', 'Skyline')}`)
  await expect(page.getByText('2 of 3 names are right')).toBeVisible()

  await page.getByRole('checkbox', { name: /^PNG image/ }).click()
  await expect(page.getByText('Video and audio', { exact: true })).toBeHidden()
  await page.getByRole('combobox', { name: 'Start from a preset' }).click()
  await choose(page, /^Display ads/)
  const dimensions = page.getByRole('button', { name: /^Dimensions/ })
  await expect(dimensions).toContainText('300x250, 728x90')
  await dimensions.click()
  await page.getByLabel('Allowed sizes, as 300x250 (px)').fill('300x250, wide')
  await page.getByRole('button', { name: 'Create media category' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'There is a problem' })).toContainText('Dimensions')
  expectRefusals(complaints, 422)
  await page.getByLabel('Allowed sizes, as 300x250 (px)').fill('300x250')
  await page.getByRole('button', { name: 'Create media category' }).click()
  await expect(page.getByRole('heading', { name: `Banners ${tag}` })).toBeVisible()
  await expect(page.getByText('Version 1', { exact: true })).toBeVisible()
  await expect(page.getByLabel('Naming template')).toHaveValue(
    '{agency}_{campaign}_{title}_{width}x{height}_v{version}.{ext}',
  )
  await expectAccessible(page)

  await page.getByRole('checkbox', { name: 'Run the check Blank image' }).click()
  await expect(page.getByText('Not saved yet')).toBeVisible()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Version 2', { exact: true })).toBeVisible()
  await expect(page.getByText('Not saved yet')).toBeHidden()
  await page.reload()
  await expect(page.getByRole('checkbox', { name: 'Run the check Blank image' })).not.toBeChecked()
})

test('what was changed in another window meanwhile is not overwritten, and is one press away', async ({
  page,
  browser,
  baseURL,
  complaints,
}) => {
  const tag = own()
  await signIn(page, 'admin')
  await createAgency(page, `Shared ${tag}`, `SH${tag}`)
  await page.getByRole('button', { name: `Edit Shared ${tag}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`Mine ${tag}`)

  const other = await (await browser.newContext({ baseURL })).newPage()
  await signIn(other, 'admin')
  await other.goto('/settings/agencies')
  await other.getByRole('button', { name: `Edit Shared ${tag}` }).click()
  await other.getByRole('dialog').getByLabel('Name').fill(`Theirs ${tag}`)
  await other.getByRole('button', { name: 'Save' }).click()
  await expect(other.getByRole('row', { name: new RegExp(`Theirs ${tag}`) })).toBeVisible()
  await other.context().close()

  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('You changed this in another window meanwhile')).toBeVisible()
  expectRefusals(complaints, 412)
  await dialog.getByRole('button', { name: 'Take their changes' }).click()
  await expect(dialog.getByLabel('Name')).toHaveValue(`Theirs ${tag}`)
  await dialog.getByLabel('Name').fill(`Agreed ${tag}`)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('row', { name: new RegExp(`Agreed ${tag}`) })).toBeVisible()
})

test('a token is shown once, works, and is shut out as soon as it is revoked', async ({
  page,
  playwright,
  baseURL,
}) => {
  const name = `Story ${own()}`
  await signIn(page, 'operator')
  await page.goto('/settings/tokens')
  await page.getByRole('button', { name: 'New token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = (await dialog.getByText(/^gr_\w+$/).textContent()) ?? ''
  await expectAccessible(page)
  const program = await playwright.request.newContext({ extraHTTPHeaders: { Authorization: `Bearer ${token}` } })
  expect((await program.get(`${baseURL}/api/users/me`)).status()).toBe(200)
  expect((await program.post(`${baseURL}/api/projects`, { data: {} })).status()).toBe(403)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(token)).toHaveCount(0)
  await expectAccessible(page)

  await page.getByRole('button', { name: `Revoke ${name}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke token' }).click()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Revoked')
  expect((await program.get(`${baseURL}/api/users/me`)).status()).toBe(401)
  await program.dispose()
})

test('a new user signs in with the password handed over, changes it, and is out at once when disabled', async ({
  page,
  browser,
  baseURL,
}) => {
  const name = `Nell ${own()}`
  const email = `${name.replace(' ', '.').toLowerCase()}@greenroom.test`
  await signIn(page, 'admin')
  await page.goto('/settings/users')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('E-mail').fill(email)
  await dialog.getByRole('button', { name: 'Suggest' }).click()
  const password = await dialog.getByLabel(/^Password/).inputValue()
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await expect(dialog.getByText(password)).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expectAccessible(page)

  const theirs = await (await browser.newContext({ baseURL })).newPage()
  await theirs.goto('/sign-in')
  await theirs.getByLabel('E-mail').fill(email)
  await theirs.getByLabel('Password').fill(password)
  await theirs.getByRole('button', { name: 'Sign in', exact: true }).click()
  await theirs.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
  await theirs.goto('/settings/account')
  await theirs.getByLabel('Current password').fill(password)
  await theirs.getByLabel('New password').fill('a password of my own')
  await theirs.getByRole('button', { name: 'Change password' }).click()
  await expect(theirs.getByText('Password changed')).toBeVisible()
  await theirs.goto('/settings/account')
  await expect(theirs.getByRole('heading', { name: 'Your account' })).toBeVisible()
  await expectAccessible(theirs)
  await theirs.goto('/settings/users')
  await expect(theirs.getByText('Not for your role, or not there')).toBeVisible()

  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: 'Disable' }).click()
  await page
    .getByRole('alertdialog', { name: `Disable ${name}?` })
    .getByRole('button', { name: 'Disable user' })
    .click()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toContainText('Disabled')
  await theirs.goto('/settings/account')
  await expect(theirs).toHaveURL(/\/sign-in/)
  await theirs.context().close()
})

test('the status page shows the parts of the service and the workers', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/settings/status')
  await expect(page.getByRole('heading', { name: 'Status', level: 1 })).toBeVisible()
  await expect(page.getByRole('table', { name: 'Worker processes' }).getByText('Alive')).toBeVisible()
  await expect(page.getByText('File storage')).toBeVisible()
  await expectAccessible(page)
})

test('settings for administrators are no pages for anybody else', async ({ page, complaints }) => {
  await signIn(page, 'viewer')
  for (const path of [
    '/settings/users',
    '/settings/agencies',
    '/settings/service',
    '/settings/status',
    '/settings/retention',
    '/settings/media-categories/new',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Not for your role, or not there' })).toBeVisible()
  }
  await expectAccessible(page)
  expectRefusals(complaints, 404)
})

test('the audit trail is filtered by an event, and by a person who is found by typing', async ({ page }) => {
  await signIn(page, 'admin')
  await page.goto('/settings/audit')
  await page.getByRole('button', { name: 'Event', exact: true }).click()
  await expect(page.getByRole('menuitemradio').first()).toHaveText('Any event')
  await page.keyboard.press('Escape')
  const person = page.getByRole('combobox', { name: 'Person' })
  await person.fill('Omar')
  await choose(page, /Omar Haddad/)
  await expect(page).toHaveURL(/actor_id=/)
  await page.reload()
  await expect(person).toHaveValue('Omar Haddad')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page).not.toHaveURL(/actor_id=/)
  await expect(person).toHaveValue('')
})

test('an administrator makes a reset link; its holder chooses a password and is in', async ({ page, browser }) => {
  const tag = own()
  await signIn(page, 'admin', '/settings/users')
  const email = `reset-${tag.toLowerCase()}@example.test`
  await ask(page, '/api/users', { email, name: `Rea ${tag}`, role: 'viewer' })
  await page.goto(`/settings/users?q=${email}`)
  await page.getByRole('button', { name: `Actions for Rea ${tag}` }).click()
  await page.getByRole('menuitem', { name: 'Reset link' }).click()
  await page.getByRole('button', { name: 'Make link' }).click()
  const link = await page.getByRole('dialog').locator('code').textContent()
  const other = await (await browser.newContext()).newPage()
  await other.goto('/sign-in/forgot')
  await expect(other.getByRole('heading', { name: 'Forgotten password' })).toBeVisible()
  await expectAccessible(other)
  await other.goto(link ?? '')
  await expectAccessible(other)
  await other.getByLabel('New password').fill('chosen by a link')
  await other.getByRole('button', { name: 'Save and sign in' }).click()
  await other.waitForURL('**/projects')
  await other.context().close()
})

test('a coordinator lets a viewer see a project, and takes it away again', async ({ page, browser, complaints }) => {
  const name = `Members ${own()}`
  await signIn(page, 'coordinator')
  const { agencies } = await ask<{ agencies: { id: string }[] }>(page, '/api/agencies')
  const { id } = await ask<{ id: string }>(page, '/api/projects', { name, agency_id: agencies[0]?.id })
  const viewer = await (await browser.newContext()).newPage()
  await signIn(viewer, 'viewer')
  await expect(viewer.getByRole('link', { name: /Fjord/ }).first()).toBeVisible()
  await expect(viewer.getByRole('link', { name })).toBeHidden()

  await page.goto(`/projects/${id}`)
  await page.getByRole('button', { name: 'Add a member' }).click()
  await page.getByRole('combobox', { name: 'Person to add' }).fill('Vera')
  await choose(page, /Vera Novak/)
  await page.getByRole('button', { name: 'Add member', exact: true }).click()
  const remove = page.getByRole('button', { name: 'Remove Vera Novak' })
  await expect(remove).toBeVisible()
  await expectAccessible(page)
  await viewer.goto(`/projects/${id}`)
  await expect(viewer.getByRole('heading', { name })).toBeVisible()
  await expect(viewer.getByRole('button', { name: 'Add a member' })).toBeHidden()

  await remove.click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(remove).toBeHidden()
  await page.getByRole('button', { name: 'Remove Caro Lindqvist' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('is the last coordinator of')).toBeVisible()
  expectRefusals(complaints, 409)
  await viewer.context().close()
})
