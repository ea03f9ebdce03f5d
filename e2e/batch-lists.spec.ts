import { randomBytes, randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { expect, expectAccessible, test } from './support/test'
import { ask, batchOfFive, choose, type Named, newProject, signIn } from './support/workspace'

type Made = Named & { status: string }

/** A project with two batches, one of which is due today. */
async function twoBatches(page: Page) {
  const tag = randomBytes(4).toString('hex')
  const project = await newProject(page, `Lists ${tag}`)
  const today = new Date().toISOString().slice(0, 10)
  const make = (name: string, due_on: string | null) =>
    ask<Made>(page, `/api/projects/${project.id}/batches`, { name: `${name} ${tag}`, due_on })
  return { tag, project, today, due: await make('Posters', today), free: await make('Banners', null) }
}

test('the board has a column for each status, the calendar a day for each due day', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { tag, project, today, due, free } = await twoBatches(page)
  await page.goto(`/batches?q=${tag}`)
  const column = (name: string) => page.getByRole('region', { name, exact: true })
  for (const name of [due.name, free.name])
    await expect(column('Open').getByRole('link', { name, exact: true })).toBeVisible()
  await expect(column('Approved').getByText('None')).toBeVisible()
  await expectAccessible(page)

  // What happens to a batch moves it while the page is open
  await ask(page, `/api/projects/${project.id}/batches/${free.id}/cancel`, undefined, 'POST')
  await expect(column('Open').getByRole('link', { name: free.name })).toBeHidden()
  await expect(column('Open').getByRole('link', { name: due.name })).toBeVisible()

  await page.getByRole('radio', { name: 'Calendar' }).click()
  await expect(page).toHaveURL(/view=calendar/)
  const day = page.getByRole('listitem').filter({ has: page.locator(`time[datetime="${today}"]`) })
  await expect(day.getByRole('link', { name: due.name })).toBeVisible()
  await expect(page.getByRole('link', { name: free.name })).toBeHidden()
  await expectAccessible(page)
  const month = page.getByRole('heading', { level: 2 })
  for (let later = 0; later < 2; later++) {
    const before = (await month.textContent()) ?? ''
    await page.getByRole('link', { name: 'Month after' }).click()
    await expect(month).not.toHaveText(before)
  }
  await expect(page.getByText('No batch is due in this month.')).toBeVisible()
  await page.getByRole('link', { name: 'This month' }).click()
  await day.getByRole('link', { name: due.name }).click()
  await expect(page.getByRole('heading', { level: 1, name: due.name })).toBeVisible()
})

test('on a phone the calendar lists the days that have batches', async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  await signIn(page, 'coordinator')
  const { tag, due } = await twoBatches(page)
  await page.goto(`/batches?view=calendar&q=${tag}`)
  await expect(page.getByRole('listitem').filter({ hasText: ', today' }).getByRole('link')).toHaveText(
    new RegExp(due.name),
  )
  await expectAccessible(page)
  await context.close()
})

test('a view is saved, shared with everybody, and taken up by another user', async ({ page, browser }) => {
  await signIn(page, 'coordinator')
  const { tag } = await twoBatches(page)
  const name = `Search ${tag}`
  await page.goto(`/batches?view=list&q=${tag}&status=open`)
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name: 'Save this view…' }).click()
  const form = page.getByRole('dialog', { name: 'Save this view' })
  await form.getByLabel('Name').fill(name)
  await expectAccessible(page)
  await form.getByRole('button', { name: 'Save view' }).click()
  await expect(page.getByText('View saved')).toBeVisible()
  // The list is that view now
  await expect(page.getByRole('button', { name })).toBeVisible()

  // Of others it is not, before it is shared
  const context = await browser.newContext()
  const other = await context.newPage()
  await signIn(other, 'operator', '/batches')
  await other.getByRole('button', { name: 'Views' }).click()
  await expect(other.getByRole('menuitem', { name: 'Save this view…' })).toBeVisible()
  await expect(other.getByRole('menuitem', { name })).toBeHidden()
  await other.keyboard.press('Escape')

  await page.getByRole('button', { name }).click()
  await page.getByRole('menuitem', { name: `Share “${name}”` }).click()
  await expect(page.getByText(`“${name}” is shared with everybody`)).toBeVisible()

  await other.reload()
  await other.getByRole('button', { name: 'Views' }).click()
  await expect(other.getByRole('group', { name: 'Shared with everybody' })).toBeVisible()
  await other.getByRole('menuitem', { name }).click()
  await expect(other).toHaveURL((url) => url.searchParams.get('q') === tag && url.searchParams.get('status') === 'open')
  await context.close()

  const { saved_views } = await ask<{ saved_views: Named[] }>(page, '/api/saved-views?place=batches')
  await ask(page, `/api/saved-views/${saved_views.find((view) => view.name === name)?.id}`, undefined, 'DELETE')
})

test('a saved view on a media category that is gone says so, and can be cleared', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { tag, due } = await twoBatches(page)
  const name = `Gone ${tag}`
  const query = { q: tag, media_category_id: randomUUID() }
  const view = await ask<Named>(page, '/api/saved-views', { place: 'batches', name, query })
  await page.goto('/batches')
  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('menuitem', { name }).click()
  await expect(page.getByText('The media category of this view is not there any more')).toBeVisible()
  await expect(page.getByRole('link', { name: due.name })).toBeHidden()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page.getByRole('link', { name: due.name })).toBeVisible()
  await ask(page, `/api/saved-views/${view.id}`, undefined, 'DELETE')
})

test('a batch is found and looked through with the keyboard alone', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { batch, place, names } = await batchOfFive(page)
  await ask(page, `/api${place}/submit`, undefined, 'POST')
  await page.goto(`/batches?view=list&q=${encodeURIComponent(batch.name)}`)
  await expect(page.getByRole('link', { name: batch.name })).toBeVisible()
  const press = (key: string) => page.keyboard.press(key)

  // To the batch
  await press('j')
  await expect(page.getByRole('link', { name: batch.name })).toBeFocused()
  await press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: batch.name })).toBeVisible()

  // Its files beside the list, one after the other
  const [first = '', second = ''] = names
  await expect(page.getByRole('checkbox', { name: `Select ${first}` })).toBeVisible()
  await press('j')
  const panel = (name: string) => page.getByRole('dialog', { name })
  await expect(panel(first)).toBeVisible()
  await press('j')
  await expect(panel(second)).toBeVisible()
  // The focus is in the panel by then; its keys go on.
  await panel(second).getByRole('button', { name: 'Close' }).focus()
  await press('k')
  await expect(panel(first)).toBeVisible()
})

test('several batches get an operator and a day at once, undone at once; what another user changed stays', async ({
  page,
}) => {
  await signIn(page, 'coordinator')
  const { tag, project, due, free } = await twoBatches(page)
  await page.goto(`/batches?view=list&q=${tag}`)
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  const bar = page.getByRole('region', { name: 'Selected batches' })
  await box(due.name).click()
  await box(free.name).click()
  await expect(bar.getByText('2 batches selected')).toBeVisible()
  await expectAccessible(page)
  await bar.getByRole('button', { name: 'Operator' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change the operator of 2 batches' })
  await dialog.getByRole('combobox').fill('Omar')
  await choose(page, /Omar Haddad/)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Change 2 batches' }).click()
  await expect(page.getByText('2 batches changed')).toBeVisible()
  await expect(bar).toBeHidden()
  for (const { name } of [due, free]) await expect(row(name)).toContainText('Omar Haddad')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Taken back: 2 batches')).toBeVisible()
  for (const { name } of [due, free]) await expect(row(name)).toContainText('No one yet')

  // On the board; one of them is changed by another user meanwhile
  await page.goto(`/batches?q=${tag}`)
  await box(due.name).click()
  await box(free.name).click()
  await bar.getByRole('button', { name: 'Due' }).click()
  const days = page.getByRole('dialog', { name: 'Change the due date of 2 batches' })
  await days.getByLabel('Due date').fill('2027-03-01')
  await ask(page, `/api/projects/${project.id}/batches/${due.id}`, { due_on: '2027-02-01' }, 'PATCH')
  await days.getByRole('button', { name: 'Change 2 batches' }).click()
  await expect(page.getByText('1 batch not changed')).toBeVisible()
  await expect(page.getByText('is 2027-02-01 by now')).toBeVisible()
  await expect(page.getByText('1 batch changed')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Understood' }).click()
  await expect(page.getByText('1 batch not changed')).toBeHidden()
})

test('my work comes in pages, the most urgent first, under headings that say how many there are in all', async ({
  page,
}) => {
  await signIn(page, 'admin')
  const tag = randomBytes(4).toString('hex')
  const project = await newProject(page, `Work ${tag}`)
  const { users } = await ask<{ users: Named[] }>(page, '/api/users?q=admin@greenroom.test')
  const lines = Array.from({ length: 60 }, (_, index) => `Poster ${index} ${tag}`)
  await ask(page, `/api/projects/${project.id}/batches/table`, {
    table: ['name', ...lines].join('\n'),
    defaults: { coordinator_id: users[0]?.id },
  })
  const { counts } = await ask<{ counts: { wait: number } }>(page, '/api/my-work?limit=1')
  expect(counts.wait).toBeGreaterThanOrEqual(60)

  await page.goto('/work')
  const heading = page.getByRole('heading', { name: `With others (${counts.wait})` })
  await expect(heading).toBeVisible()
  const first = await page.getByRole('link', { name: new RegExp(`Poster .* ${tag}`) }).allTextContents()
  await expectAccessible(page)
  const pages = page.getByRole('navigation', { name: 'Pages' })
  await pages.getByRole('link', { name: 'Next page' }).click()
  await expect(pages.getByRole('link', { name: 'First page' })).toBeVisible()
  await expect(heading).toBeVisible()
  const second = page.getByRole('link', { name: new RegExp(`Poster .* ${tag}`) })
  await expect(second.first()).toBeVisible()
  for (const name of await second.allTextContents()) expect(first).not.toContain(name)
  await expectAccessible(page)
  await pages.getByRole('link', { name: 'First page' }).click()
  await expect(pages.getByRole('link', { name: 'Next page' })).toBeVisible()
})
