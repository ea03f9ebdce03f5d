import type { Page } from '@playwright/test'
import { expect, expectAccessible, listen, test } from './support/test'
import { ask, batchWith, choose, photo, signIn } from './support/workspace'

/** A batch with two photographs, with an operator who takes part in its reviews. */
async function batchOfTwo(page: Page) {
  const photograph = async (name: string) => ({ name, mimeType: 'image/jpeg', buffer: await photo(640, 480) })
  return batchWith(page, [await photograph('north.jpg'), await photograph('south.jpg')])
}

test('a batch passes the team, then a client on a phone who has no account, and is approved', async ({
  page,
  browser,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  const { path } = await batchOfTwo(page)
  await page.goto(path)

  // Two stages, one after the other; the operator takes part in the first.
  const dialog = page.getByRole('dialog')
  const addStage = async (name: string, fill: () => Promise<void>) => {
    await page.getByRole('button', { name: 'New stage' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill(name)
    await fill()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Add stage' }).click()
    await expect(dialog).toBeHidden()
  }
  await addStage('Team', () => dialog.getByRole('checkbox', { name: 'Omar Haddad' }).check())
  await addStage('Brand and legal', async () => {
    await dialog.getByRole('combobox', { name: 'Who decides' }).click()
    await choose(page, 'Client')
  })
  const stages = page.locator('section', { has: page.getByRole('heading', { name: 'Review stages' }) })
  const stage = (name: string) => stages.getByRole('listitem').filter({ hasText: name })
  await expect(stage('Team')).toContainText('Omar Haddad')
  await expect(stage('Brand and legal')).toContainText('No reviewers yet')

  // A link for one person, with a password.
  await page.getByRole('button', { name: 'New review link' }).click()
  await dialog.getByRole('button', { name: 'Create link' }).click()
  await expect(dialog.getByText('Say whom the link is for.').first()).toBeVisible()
  await dialog.getByLabel('Name', { exact: true }).fill('Ines Duarte')
  await dialog.getByRole('combobox', { name: 'Takes part in the stage' }).click()
  await choose(page, 'Brand and legal')
  await dialog.getByLabel('Password').fill('open sesame')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Create link' }).click()
  const address = (await dialog.getByText(/\/r\/[0-9A-Za-z]{16,}$/).textContent()) ?? ''
  await page.keyboard.press('Escape')
  await expect(stage('Brand and legal')).toContainText('Ines Duarte')
  await ask(page, `/api${path}/submit`, {})

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  listen(phone, complaints)
  const client = await phone.newPage()
  await client.goto(address)
  await client.getByLabel('Password').fill('open sesame')
  await client.getByRole('button', { name: /Open|Go on|Continue/ }).click()
  await expect(
    client.getByText('Your stage, “Brand and legal”, follows when those before it have decided'),
  ).toBeVisible()
  await expect(client.getByRole('button', { name: 'Approve' })).toHaveCount(0)
  await expectAccessible(client)

  // The team decides; what the client has open says that it is their turn.
  const team = await browser.newContext()
  listen(team, complaints)
  const operator = await team.newPage()
  await signIn(operator, 'operator')
  await operator.goto(`${path}/review`)
  for (const name of ['north.jpg', 'south.jpg']) {
    await expect(operator.getByRole('heading', { name })).toBeVisible()
    await operator.getByRole('button', { name: 'Approve', exact: true }).click()
  }
  await expect(operator.getByText('2 of 2 decided')).toBeVisible()
  const north = client.getByRole('article', { name: 'north.jpg' })
  const south = client.getByRole('article', { name: 'south.jpg' })
  await north.getByRole('button', { name: 'Approve' }).click()
  await expect(north.getByText('Approved', { exact: true })).toBeVisible()

  // A rejection says what should change, and keeps the batch from being approved.
  await south.getByRole('button', { name: 'Reject' }).click()
  await south.getByRole('button', { name: 'Reject' }).click()
  await expect(south.getByText('Say in a sentence what should change').first()).toBeVisible()
  await south.getByRole('textbox', { name: 'What should change?' }).fill('The logo is last year’s')
  await south.getByRole('button', { name: 'Reject' }).click()
  await expect(south.getByText('Rejected', { exact: true })).toBeVisible()
  await south.getByRole('textbox', { name: 'Comment' }).fill('See the guide, page 4')
  await south.getByRole('button', { name: 'Send comment' }).click()
  await expect(south.getByText('See the guide, page 4')).toBeVisible()
  await expectAccessible(client)
  await expect(stage('Brand and legal')).toContainText('1 approved, 1 rejected of 2')
  const links = page.locator('section', { has: page.getByRole('heading', { name: 'Review links' }) })
  await links.getByRole('button', { name: '1 approved, 1 rejected' }).click()
  await expect(dialog.getByText('The logo is last year’s')).toBeVisible()
  await expectAccessible(page)
  await page.keyboard.press('Escape')

  // They think again, and the operator completes the review.
  await south.getByRole('button', { name: 'Approve instead' }).click()
  await expect(south.getByText('Approved', { exact: true })).toBeVisible()
  await operator.goto(`${path}/review`)
  await operator.getByRole('button', { name: 'Complete review' }).click()
  await operator.getByRole('alertdialog').getByRole('button', { name: 'Complete review' }).click()
  await expect(client.getByText('Everything is approved')).toBeVisible()

  // Switched off, the open page says so by itself.
  await links.getByRole('button', { name: /Switch off/ }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: /Switch off/ })
    .click()
  await expect(client.getByRole('heading', { name: 'This review has ended' })).toBeVisible()
  await expectAccessible(client)
  await phone.close()
  await team.close()
})

test('a client on a phone views an ad that runs in its frame, and comments on it as a whole', async ({
  page,
  browser,
  complaints,
}) => {
  await signIn(page, 'coordinator')
  type Named = { id: string; name: string }
  const { projects } = await ask<{ projects: Named[] }>(page, '/api/projects')
  const project = projects.find(({ name }) => /Voltaire/.test(name))
  const { batches } = await ask<{ batches: Named[] }>(page, `/api/projects/${project?.id}/batches`)
  const batch = batches.find(({ name }) => name === 'HTML5 banners')
  const link = await ask<{ url: string }>(page, '/api/review-links', {
    batch_id: batch?.id,
    name: 'Ines Duarte',
    party: 'client',
  })

  const phone = await browser.newContext({ viewport: { width: 390, height: 844 } })
  listen(phone, complaints)
  const client = await phone.newPage()
  await client.goto(new URL(link.url).pathname)
  const ad = client.getByRole('article').filter({ hasText: '300x250' })
  const frame = ad.locator('iframe')
  expect(await frame.getAttribute('sandbox')).toBe('allow-scripts')
  await expect(frame.contentFrame().locator('body')).not.toBeEmpty()
  // One that is wider than the phone is seen whole, and in its own size when that is asked for.
  const wide = client.getByRole('article').filter({ hasText: '728x90' })
  await expect(wide.getByText(/^728 × 90 px at \d\d %$/)).toBeVisible()
  const sizeOf = async () => (await wide.locator('iframe').boundingBox())?.width
  expect(await sizeOf()).toBeLessThan(390)
  await wide.getByRole('button', { name: 'Actual size' }).click()
  await expect.poll(sizeOf).toBe(728)
  await wide.getByRole('button', { name: 'Fit to width' }).focus()
  await expectAccessible(client)
  // Nothing of it can be pointed at or drawn on, and nothing says so.
  await expect(ad.getByText(/Tap the image/)).toHaveCount(0)
  await expect(ad.getByRole('button', { name: 'Draw on it' })).toHaveCount(0)
  await expectAccessible(client)
  const words = `The second frame is too short ${Date.now().toString(36)}`
  await ad.getByLabel('Comment').fill(words)
  await ad.getByRole('button', { name: 'Send comment' }).click()
  await expect(ad.getByText(words)).toBeVisible()
  await phone.close()
})
