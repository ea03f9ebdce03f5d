import type { Browser, Page } from '@playwright/test'
import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { ask, choose, signIn } from './support/workspace'

type Estimate = { id: string; number: string; status: string; total: number; revision: number; client_url: string }

/** Steps above this amount only: what other stories submit meanwhile goes to the client as before. */
const THRESHOLD = 50_000

test('an estimate passes two steps, is rejected and revised once, and the client approves it', async ({
  page,
  browser,
}) => {
  const admin = await openAs(browser, 'admin')
  const operator = await openAs(browser, 'operator')
  await signIn(page, 'coordinator')

  // The administrator says who approves, in which order, and from which amount on
  await admin.goto('/settings/approval')
  await admin.getByRole('button', { name: 'Add a step' }).click()
  await admin.getByRole('button', { name: 'Add a step' }).click()
  await step(admin, 1, 'Production', 'Operator or higher')
  await step(admin, 2, 'Finance', 'Administrator')
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(admin.getByText('Approval saved')).toBeVisible()

  // The coordinator prices: rows of a spreadsheet, then one more line by keyboard; the sums follow
  const { projects } = await ask<{ projects: { id: string }[] }>(operator, '/api/projects?status=active')
  await page.goto(`/cost-estimates/new?project_id=${projects[0]?.id}`)
  await page.getByLabel('Title').fill('Autumn spot, all markets')
  await paste(page, 'Item\tQty\tPrice\nShoot, two days\t2\t18,500.00\nEdit and grade\t1\t21000')
  const lastDescription = page.getByLabel('Description of line 2')
  await expect(lastDescription).toBeFocused()
  await lastDescription.press('Enter')
  await expect(page.getByLabel('Description of line 3')).toBeFocused()
  await page.keyboard.type('Versions for markets')
  await page.getByLabel('Quantity of line 3').fill('3.5')
  await page.getByLabel('Unit price of line 3').fill('0.005')
  await expect(page.getByText('€58,000.02').first()).toBeVisible()
  await page.getByLabel('Description of line 3').press('Alt+ArrowUp')
  await expect(page.getByLabel('Description of line 2')).toHaveValue('Versions for markets')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.waitForURL(/\/cost-estimates\/[0-9a-f-]{36}$/)
  const here = new URL(page.url()).pathname
  const read = () => ask<Estimate>(page, `/api${here}`)
  expect(await read()).toMatchObject({ status: 'draft', total: 58_000.02 })

  // Production approves; its author is not asked; Finance sends it back
  await submit(page)
  await decide(operator, here, 'Approve', 'The days are right.')
  await expect(operator.getByText('Waits for Finance')).toBeVisible()
  // The day of the approver it waits for begins with it
  await admin.goto('/')
  await admin.waitForURL((url) => url.pathname === '/work')
  await expect(admin.getByRole('link', { name: /Autumn spot, all markets/ })).toBeVisible()
  await decide(admin, here, 'Reject', 'One day of shooting has to do.')
  expect((await read()).status).toBe('rejected')
  await page.reload()
  await expect(page.getByText('One day of shooting has to do.')).toBeVisible()
  await expectAccessible(page)

  // The revision begins from what was sent, and keeps it
  const revise = async () => {
    await page.getByRole('button', { name: 'Revise' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revise' }).click()
    await page.waitForURL(`${here}/edit`)
  }
  await revise()

  // Discarded, the rejected one stands again; begun anew, it is changed
  await page.goto(here)
  await page.getByRole('button', { name: 'More for this estimate' }).click()
  await page.getByRole('menuitem', { name: 'Discard this revision' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard revision' }).click()
  await expect(page.getByText('discarded revision 2')).toBeVisible()
  expect(await read()).toMatchObject({ status: 'rejected', revision: 1, total: 58_000.02 })
  await revise()
  await page.getByLabel('Quantity of line 1').fill('1.7')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL((url) => url.pathname === here)
  const changed = page.getByRole('listitem').filter({ hasText: 'Shoot, two days: 2 × 18,500.00' })
  await expect(changed.first()).toContainText('1.7 × 18,500.00')
  await submit(page)
  await decide(operator, here, 'Approve', '')
  await decide(admin, here, 'Approve', 'Within budget.')
  const sent = await read()
  expect(sent).toMatchObject({ status: 'awaiting_client_approval', revision: 2, total: 52_450.02 })

  // The client approves on a page of their own
  const client = await (await browser.newContext()).newPage()
  await client.goto(new URL(sent.client_url).pathname)
  await client.getByLabel('Your name').fill('Ines Moreau')
  await client.getByRole('button', { name: 'Approve for €52,450.02' }).click()
  await client.getByRole('button', { name: 'Approve estimate' }).click()
  await expect(client.getByText('Approved for €52,450.02. Thank you')).toBeVisible()
  await expectAccessible(client)

  await page.reload()
  await expect(page.getByText('Ines Moreau')).toBeVisible()
  await expect(page.getByText('approved “Finance”')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Revisions' })).toBeVisible()
  await expectAccessible(page)
  expect((await read()).status).toBe('approved')
  await page.goto('/cost-estimates?status=approved')
  await expect(page.getByText(sent.number)).toBeVisible()
  await expectAccessible(page)
})

test('where no step asks for an estimate, its submit says that the client can decide at once', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { projects } = await ask<{ projects: { id: string }[] }>(page, '/api/projects?status=active')
  const line_items = [{ description: 'Retouching', quantity: 1, unit_price: 120 }]
  const draft = { project_id: projects[0]?.id, title: 'Retouching', currency: 'EUR', line_items }
  const { id } = await ask<Estimate>(page, '/api/cost-estimates', draft)
  await page.goto(`/cost-estimates/${id}`)
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('No approval inside is needed: the client can decide at once')
  await question.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Awaiting client approval').first()).toBeVisible()
})

test('line items are put in order with the mouse and by keyboard, and stay so', async ({ page }) => {
  await signIn(page, 'coordinator')
  const here = await draftWith(page, ['Script', 'Shoot', 'Edit', 'Audio'])
  await edit(page, here)
  await drag(page, 4, 1)
  await expect(page.getByLabel('Description of line 1')).toHaveValue('Audio')
  await drag(page, 2, 3)
  await expectOrder(page, ['Audio', 'Shoot', 'Script', 'Edit'])
  await page.getByLabel('Unit price of line 4').press('Alt+ArrowUp')
  await expect(page.getByLabel('Unit price of line 3')).toBeFocused()
  await expectOrder(page, ['Audio', 'Shoot', 'Edit', 'Script'])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL((url) => url.pathname === here)
  await edit(page, here)
  await expectOrder(page, ['Audio', 'Shoot', 'Edit', 'Script'])
})

test('of two people at one draft, the second decides whose version stays, and loses neither unasked', async ({
  page,
  browser,
  complaints,
}) => {
  const other = await openAs(browser, 'admin')
  await signIn(page, 'coordinator')
  const here = await draftWith(page, ['Script', 'Shoot'])
  const saved = () => ask<Estimate & { line_items: { description: string }[] }>(page, `/api${here}`)
  const save = (on: Page) => on.getByRole('button', { name: 'Save', exact: true }).click()
  const conflict = page.getByRole('alert').filter({ hasText: 'changed this meanwhile' })
  await edit(page, here)
  await edit(other, here)

  // The first saves; the second is notified, sees both, and nothing is overwritten
  await other.getByLabel('Description of line 1').fill('Script, two drafts')
  await save(other)
  await other.waitForURL((url) => url.pathname === here)
  await page.getByLabel('Description of line 2').fill('Shoot, three days')
  await page.getByLabel('Unit price of line 2').fill('900')
  await save(page)
  await expect(conflict).toContainText('Ada Brandt changed this meanwhile')
  await expect(conflict).toContainText('Theirs comes to €200.00, yours to €1,000.00')
  await expect(conflict).toContainText('Script, two drafts')
  await expectAccessible(page)
  expect((await saved()).line_items.map(({ description }) => description)).toEqual(['Script, two drafts', 'Shoot'])

  // Theirs, and back to what was typed; then over theirs, knowingly
  await conflict.getByRole('button', { name: 'Take their version' }).click()
  await expectOrder(page, ['Script, two drafts', 'Shoot'])
  await page.getByRole('button', { name: 'Back to mine' }).click()
  await expectOrder(page, ['Script', 'Shoot, three days'])
  await edit(other, here)
  await other.getByLabel('Title').fill('Summer spot')
  await save(other)
  await other.waitForURL((url) => url.pathname === here)
  await save(page)
  await expect(conflict).toContainText('It is called “Summer spot”')
  await conflict.getByRole('button', { name: 'Save mine over it' }).click()
  await page.waitForURL((url) => url.pathname === here)
  expect(await saved()).toMatchObject({ title: 'Spring spot', total: 1000 })

  // Submitted under an open form, it cannot be saved; what was typed is not swept away
  await edit(page, here)
  await page.getByLabel('Title').fill('Winter spot')
  await ask(other, `/api${here}/submit`, undefined, 'POST')
  await expect(page.getByRole('alert').filter({ hasText: 'cannot be changed any more' })).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Winter spot')
  await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()

  // Deleted under an open form, it becomes a new one of what was typed
  const deleted = await draftWith(page, ['Script', 'Shoot'])
  await edit(page, deleted)
  await page.getByLabel('Title').fill('Autumn spot')
  await ask(other, `/api${deleted}`, undefined, 'DELETE')
  await expect(page.getByRole('alert').filter({ hasText: 'is not there any more' })).toBeVisible()
  await expect(page.getByLabel('Title')).toHaveValue('Autumn spot')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create draft' }).click()
  await page.waitForURL((url) => url.pathname !== `${deleted}/edit`)
  const again = await ask<Estimate & { title: string }>(page, `/api${new URL(page.url()).pathname}`)
  expect(again).toMatchObject({ title: 'Autumn spot', total: 200, status: 'draft' })
  expectRefusals(complaints, 412)
})

test('of a long estimate only what is in sight is drawn; keys, paste and refusals reach every line', async ({
  page,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const here = await draftWith(
    page,
    Array.from({ length: 400 }, (_, at) => `Banner ${at + 1}`),
  )
  await edit(page, here)
  const table = page.getByRole('table', { name: /^Line items/ })
  await expect(table).toHaveAttribute('aria-rowcount', '401')
  expect(await table.locator('tbody tr').count()).toBeLessThan(100)
  const description = (line: number) => page.getByLabel(`Description of line ${line}`, { exact: true })

  // The line with the focus stays, wherever the page is scrolled to
  await description(2).focus()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await expect(description(400)).toBeInViewport()
  await expect(table.getByRole('row').filter({ has: description(400) })).toHaveAttribute('aria-rowindex', '401')
  await page.keyboard.press('End')
  await page.keyboard.type(', red')
  await expect(description(2)).toHaveValue('Banner 2, red')

  // Refused far below: the notice leads there
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  await page.getByLabel('Quantity of line 400').fill('many')
  await page.evaluate(() => window.scrollTo(0, 0))
  await page.keyboard.press('Control+s')
  await page.getByRole('button', { name: 'Go to line 400' }).click()
  await expect(page.getByLabel('Quantity of line 400')).toBeFocused()
  await expect(page.getByLabel('Quantity of line 400')).toBeInViewport()
  await page.keyboard.press('ArrowUp')
  await expect(page.getByLabel('Quantity of line 399')).toBeFocused()
  await page.getByLabel('Quantity of line 400').fill('3')

  // Pasted in dollars: said, and not taken for euros
  await page.evaluate(() => window.scrollTo(0, 0))
  await paste(page, '"Shoot\nin two days"\t2\t$900')
  await expect(description(2)).toHaveValue('Shoot\nin two days')
  const foreign = page.getByRole('alert').filter({ hasText: '“$900” is not in EUR' })
  await expectAccessible(page)
  await foreign.getByRole('button', { name: 'Change the estimate to USD' }).click()
  await expect(foreign).toBeHidden()
  await expect(page.getByLabel('Unit price of line 2', { exact: true })).toHaveValue('900.00')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL((url) => url.pathname === here)
  expect(await ask<Estimate>(page, `/api${here}`)).toMatchObject({ currency: 'USD', total: 42_000 })
  expectRefusals(complaints, 422)
})

async function openAs(browser: Browser, who: 'admin' | 'operator'): Promise<Page> {
  const page = await (await browser.newContext()).newPage()
  await signIn(page, who)
  return page
}

async function step(page: Page, position: number, name: string, who: string) {
  const row = page.getByRole('listitem').filter({ has: page.getByLabel(`Step ${position}`, { exact: true }) })
  await row.getByLabel(`Step ${position}`, { exact: true }).fill(name)
  await row.getByLabel('Who approves').click()
  await choose(page, new RegExp(`^${who}$`))
  await row.getByLabel(/^Only above/).fill(String(THRESHOLD))
}

/** What a spreadsheet puts on the clipboard, into the first description. */
async function paste(page: Page, text: string) {
  await page.getByLabel('Description of line 1', { exact: true }).evaluate((cell, rows) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/plain', rows)
    cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

async function submit(page: Page) {
  await page.getByRole('button', { name: 'Submit', exact: true }).click()
  await expect(page.getByRole('alertdialog').getByRole('listitem').first()).toContainText(/^Production: /)
  await page.getByRole('alertdialog').getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByText('Waits for Production')).toBeVisible()
}

async function decide(page: Page, estimate: string, verb: 'Approve' | 'Reject', comment: string) {
  await page.goto(estimate)
  await page.getByRole('button', { name: verb, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/^Comment/).fill(comment)
  await dialog.getByRole('button', { name: verb, exact: true }).click()
  await expect(dialog).toBeHidden()
}

/** Takes a line by its handle with the mouse, and lets go of it over another. */
async function drag(page: Page, from: number, to: number) {
  const handle = (line: number) =>
    page
      .getByRole('row')
      .filter({ has: page.getByLabel(`Description of line ${line}`) })
      .getByTitle(/^Drag/)
  await handle(from).dragTo(handle(to))
}

/** A draft with these lines at 100.00 each; returns where it is. */
async function draftWith(page: Page, descriptions: string[]): Promise<string> {
  const { projects } = await ask<{ projects: { id: string }[] }>(page, '/api/projects?status=active')
  const line_items = descriptions.map((description) => ({ description, quantity: 1, unit_price: 100 }))
  const body = { project_id: projects[0]?.id, title: 'Spring spot', currency: 'EUR', line_items }
  return `/cost-estimates/${(await ask<Estimate>(page, '/api/cost-estimates', body)).id}`
}

async function expectOrder(page: Page, descriptions: string[]) {
  for (const [index, description] of descriptions.entries()) {
    await expect(page.getByLabel(`Description of line ${index + 1}`)).toHaveValue(description)
  }
}

/** Opens the editor and waits until it responds: what is typed before React took over the fields may be lost to it. */
async function edit(page: Page, estimate: string) {
  await page.goto(`${estimate}/edit`)
  await page.getByLabel('Description of line 1', { exact: true }).waitFor()
  await page.waitForFunction(() => {
    const field = document.querySelector('[data-cell]')
    return field !== null && Object.keys(field).some((key) => key.startsWith('__reactProps'))
  })
}
