import { randomBytes } from 'node:crypto'
import type { Page, Route } from '@playwright/test'
import { demoPassword, expect, expectAccessible, test } from './support/test'
import { ask, type Named, newProject, signIn } from './support/workspace'

/** What a screen does when what it asks for does not come: nothing typed is lost, and it says what is wrong. */

async function newBatch(page: Page) {
  const tag = randomBytes(4).toString('hex')
  const project = await newProject(page, `Outage ${tag}`)
  const batch = await ask<Named>(page, `/api/projects/${project.id}/batches`, {
    name: `Before ${tag}`,
  })
  return { tag, path: `/projects/${project.id}/batches/${batch.id}`, name: batch.name }
}

async function editBatch(page: Page) {
  await page.getByRole('button', { name: 'More for this batch' }).click()
  await page.getByRole('menuitem', { name: 'Edit batch' }).click()
}

const html = (status: number) => (route: Route) =>
  route.fulfill({ status, contentType: 'text/html', body: '<h1>Sent by a proxy</h1>' })
const isPageRequest = (route: Route) => route.request().headers().rsc === '1'

test('a page is read once: its live updates begin at what it was read at', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { path } = await newBatch(page)
  for (const address of ['/work', '/projects', path.split('/batches')[0], path, `${path}/review`]) {
    const opened = page.waitForResponse((response) => new URL(response.url()).pathname === '/api/live')
    await page.goto(address ?? '')
    expect(new URL((await opened).url()).searchParams.get('since'), address).toMatch(/^\d+:\d+:/)
  }
})

test('an outage in the middle of a form: the form stays, a bar says so, and afterwards everything is fresh', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const { tag, path, name } = await newBatch(page)
  await page.goto(path)
  await editBatch(page)
  const field = page.getByRole('dialog').getByLabel('Name')
  await field.fill(`Typed ${tag}`)

  const bar = page.getByRole('status').filter({ hasText: /Greenroom (cannot be reached|does not respond properly)/ })
  const meets: [what: string, (route: Route) => Promise<void>][] = [
    ['no server responds', (route) => route.abort('connectionrefused')],
    ['a proxy responds with 502', html(502)],
    ['a proxy responds with 200 with a page of its own', html(200)],
    ['too many requests', html(429)],
    ['only pages fail', (route) => (isPageRequest(route) ? html(500)(route) : route.continue())],
    ['only pages break off', (route) => (isPageRequest(route) ? route.abort('connectionreset') : route.continue())],
  ]
  for (const [round, [what, respond]] of meets.entries()) {
    await page.route('**/*', respond)
    // A change from elsewhere, past the page's own network: the live updates make the screen ask anew.
    await ask(page, `/api${path}`, { name: `Elsewhere ${round} ${tag}` }, 'PATCH')
    await expect(bar, what).toBeVisible({ timeout: 30_000 })
    await expect(field, what).toHaveValue(`Typed ${tag}`)
    if (round === 0) await expectAccessible(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await expect(bar, what).toBeHidden({ timeout: 30_000 })
    await expect(page.getByText(`Elsewhere ${round} ${tag}`).first(), what).toBeAttached({ timeout: 30_000 })
    await expect(field, what).toHaveValue(`Typed ${tag}`)
  }
  expect(name).toBe(`Before ${tag}`)
  complaints.splice(0)
})

test('a session that ends in the middle of a form: sign in in another tab, and go on', async ({
  page,
  context,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const { tag, path } = await newBatch(page)
  await page.goto(path)
  await editBatch(page)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`Typed ${tag}`)
  await context.clearCookies()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('You were signed out. Nothing you typed is lost').first()).toBeVisible()

  const bar = page.getByRole('status').filter({ hasText: 'You were signed out' })
  const opened = context.waitForEvent('page')
  await bar.getByRole('button', { name: 'Sign in' }).click()
  const other = await opened
  const closed = other.waitForEvent('close')
  await other.getByLabel('E-mail').fill('coordinator@greenroom.test')
  await other.getByLabel('Password').fill(demoPassword())
  await other.getByRole('button', { name: 'Sign in', exact: true }).click()
  await closed
  await page.bringToFront()
  await expect(bar).toBeHidden({ timeout: 30_000 })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByRole('heading', { name: `Typed ${tag}` })).toBeVisible()
  complaints.splice(0)
})

test('a day typed in part is not taken for none', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { path } = await newBatch(page)
  await page.goto(path)
  await editBatch(page)
  const dialog = page.getByRole('dialog', { name: 'Edit batch' })
  const due = dialog.getByLabel(/^Due/)
  await due.pressSequentially('12')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(due).toBeFocused()
  await expect(dialog).toBeVisible()
  await due.fill('2031-12-05')
  const saved = page.waitForRequest((request) => request.method() === 'PATCH')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await saved).postDataJSON()).toMatchObject({ due_on: '2031-12-05' })
  await expect(dialog).toBeHidden()
  await expect(page.getByText('5 Dec 2031').first()).toBeVisible()
})

test('nothing typed is lost by a link, a shortcut, Back or Esc', async ({ page }) => {
  await signIn(page, 'coordinator', '/cost-estimates')
  await page.getByRole('link', { name: 'New estimate' }).first().click()
  const title = page.getByLabel('Title')
  await title.fill('Typed and not saved')
  const question = page.getByRole('alertdialog', { name: 'Discard what you typed?' })
  const waitForBanner = async () => {
    await expect(question).toBeVisible()
    await question.getByRole('button', { name: 'Keep editing' }).click()
    await expect(question).toBeHidden()
    await expect(title).toHaveValue('Typed and not saved')
  }
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Inbox' }).click()
  await expectAccessible(page)
  await waitForBanner()
  await page.goBack({ waitUntil: 'commit' }).catch(() => null)
  await waitForBanner()
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('p')
  await waitForBanner()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('Inbox')
  await page.keyboard.press('Enter')
  await waitForBanner()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Projects' }).click()
  await question.getByRole('button', { name: 'Discard' }).click()
  await page.waitForURL('/projects')

  // A dialog: closed at once while nothing was typed, asked for otherwise
  await page.getByRole('button', { name: 'New project' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'New project' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: 'New project' }).first().click()
  await dialog.getByLabel('Name').fill('Typed and not saved')
  await page.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Keep editing' }).click()
  await expect(question).toBeHidden()
  await expect(dialog.getByLabel('Name')).toHaveValue('Typed and not saved')
  await page.mouse.click(5, 300)
  await question.getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toBeHidden()
})

test('a visitor who follows a link signed out gets where it leads after signing in, and nowhere else', async ({
  page,
}) => {
  const deep = '/projects?status=active&q=spring#here'
  await page.goto(deep)
  await page.waitForURL(/\/sign-in/)
  await page.getByLabel('E-mail').fill('viewer@greenroom.test')
  await page.getByLabel('Password').fill(demoPassword())
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(deep)

  for (const foreign of ['https://evil.example/', '//evil.example/x', '/\\evil.example', 'javascript:alert(1)']) {
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(foreign)}`)
    await page.waitForURL('/projects')
  }
})
