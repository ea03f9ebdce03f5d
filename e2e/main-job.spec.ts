import { expect, expectAccessible, expectRefusals, test } from './support/test'
import { ask, choose, photo, signIn } from './support/workspace'

type Named = { id: string; name: string }

test('a delivery goes from project to results, with an agency that has no account', async ({
  page,
  browser,
  complaints,
}) => {
  // Three people, one delivery, two rounds.
  const serial = Date.now().toString(36)

  // The coordinator makes a project and a batch, and gets a link
  await signIn(page, 'coordinator')
  await expect(page.getByRole('heading', { name: 'Projects' })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'New project' }).click()
  await page.getByLabel('Name').fill(`Story ${serial}`)
  await page.getByRole('combobox', { name: 'Agency' }).fill('Northlight')
  await choose(page, /Northlight/)
  await page.getByRole('combobox', { name: /^Campaign/ }).fill('Spring')
  await choose(page, /Spring 2027/)
  await page.getByRole('combobox', { name: /^Media category/ }).fill('Display')
  await choose(page, 'Display banners')
  await page.getByRole('button', { name: 'Create project' }).click()
  await expect(page.getByRole('heading', { name: `Story ${serial}` })).toBeVisible()
  await expect(page.getByText('No batches yet')).toBeVisible()

  await page.getByRole('button', { name: 'New batch' }).click()
  await page.getByLabel('Name').fill('Banners')
  await page.getByRole('combobox', { name: /^Operator/ }).fill('Omar')
  await choose(page, /Omar Haddad/)
  await page.getByRole('checkbox', { name: 'Create an upload link for the agency' }).uncheck()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Create batch', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Banners', exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Next step' })).toContainText('Send the agency an upload link')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'New link' }).click()
  await page.getByLabel(/^Label/).fill('For the story')
  await page.getByLabel(/^Uses/).fill('2')
  await page.getByRole('button', { name: 'Create link' }).click()
  const address = await page
    .getByRole('dialog')
    .getByText(/\/u\/[0-9A-Za-z]{16}$/)
    .textContent()
  await page.getByRole('button', { name: 'Done' }).click()

  // The agency opens the link, tries a name, and delivers
  const agencyContext = await browser.newContext()
  const agency = await agencyContext.newPage()
  await agency.goto(new URL(address ?? '').pathname)
  await expect(agency.getByRole('heading', { name: 'For the story' })).toBeVisible()
  await expect(agency.getByText('2 visits')).toBeVisible()
  await expectAccessible(agency)
  await agency.getByLabel('Try a name').fill('NLS-SPRING27_Hero_300x250_v1.jpg')
  await expect(agency.getByRole('button', { name: /^Use NLS_SPRING27_Hero_300x250_v1\.jpg/ })).toBeVisible()
  await agency.getByLabel('Try a name').fill('NLS_SPRING27_Hero_300x250_v1.jpg')
  await expect(agency.getByText('This name is right.')).toBeVisible()

  const whole = await photo(300, 250)
  const damaged = await photo(728, 90)
  const picker = agency.getByLabel('Choose files').first()
  await picker.setInputFiles([
    { name: `NLS_SPRING27_Hero_300x250_v1.jpg`, mimeType: 'image/jpeg', buffer: whole },
    { name: `NLS-SPRING27_Wide_300x250_v1.jpg`, mimeType: 'image/jpeg', buffer: await photo(300, 250) },
    {
      name: `NLS_SPRING27_Cut_728x90_v1.jpg`,
      mimeType: 'image/jpeg',
      buffer: damaged.subarray(0, damaged.length - 900),
    },
  ])
  const uploads = agency.getByRole('region', { name: 'Uploads' })
  await expect(uploads.getByText('1 accepted, 2 refused')).toBeVisible({ timeout: 20_000 })
  await expect(uploads.getByText(/The file ends early/)).toBeVisible()
  await uploads.getByRole('button', { name: /^Rename to NLS_SPRING27_Wide_300x250_v1\.jpg/ }).click()
  await expect(uploads.getByText('2 accepted, 1 refused')).toBeVisible({ timeout: 20_000 })
  await expectAccessible(agency)
  await agency.getByRole('button', { name: 'Done' }).click()
  await expect(agency.getByText('2 files delivered')).toBeVisible()
  await agency.reload()
  await expect(agency.getByText('1 visit;')).toBeVisible()

  // The files are there without a reload; the batch is submitted, and the results arrive by themselves
  await expect(page.getByRole('button', { name: /NLS_SPRING27_Hero_300x250_v1\.jpg/ })).toBeVisible()
  await page.getByRole('button', { name: 'Submit for review' }).click()
  await expect(page.getByText('In review').first()).toBeVisible()
  await expect(page.getByText('Checking')).toHaveCount(0, { timeout: 30_000 })
  await expect(page.getByText(/^(\d+ passed|\d+ warnings?|\d+ failed)$/).first()).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: /NLS_SPRING27_Hero_300x250_v1\.jpg/ }).click()
  const panel = page.getByRole('dialog')
  await expect(panel.getByRole('heading', { name: 'File integrity' })).toBeVisible()
  await expect(panel.getByText('The name says 300 × 250 px, and so it is.')).toBeVisible()
  await expectAccessible(page)

  // The operator is notified, rejects one and approves one, and the link asks for exactly the rejected file
  const operatorContext = await browser.newContext()
  const operator = await operatorContext.newPage()
  await signIn(operator, 'operator', '/inbox')
  await operator
    .getByRole('link', { name: /Banners is ready for your review/ })
    .first()
    .click()
  await operator.getByRole('button', { name: /NLS_SPRING27_Hero_300x250_v1\.jpg/ }).click()
  await operator.getByRole('button', { name: 'Approve', exact: true }).click()
  // On to the next that is to be decided, as in the review room.
  await expect(operator.getByRole('dialog', { name: /NLS_SPRING27_Wide_300x250_v1\.jpg/ })).toBeVisible()
  await operator.getByRole('button', { name: 'Reject', exact: true }).click()
  await operator.getByLabel('What must be fixed').fill('The logo is cut off.')
  const reasons = operator.getByRole('dialog', { name: /^Reject/ })
  await reasons.getByRole('button', { name: 'Reject' }).click()
  // Two dialogs while it fades: the one to close is the one that stays.
  await expect(reasons).toBeHidden()
  await expect(operator.getByRole('dialog').getByText('The logo is cut off.')).toBeVisible()
  await operator.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
  // The words alone may stand there before the agency's page knows.
  const completed = operator.waitForResponse((response) => response.url().endsWith('/complete-review') && response.ok())
  await operator.getByRole('button', { name: 'Complete review' }).click()
  await completed
  await expect(operator.getByText('Awaiting resupply').first()).toBeVisible()

  await agency.reload()
  await expect(agency.getByRole('heading', { name: 'New versions for Banners' })).toBeVisible()
  await expect(agency.getByText('The logo is cut off.')).toBeVisible()
  await agency
    .getByLabel('Choose files')
    .first()
    .setInputFiles([
      { name: 'NLS_SPRING27_Wide_300x250_v1.jpg', mimeType: 'image/jpeg', buffer: await photo(300, 250) },
    ])
  await expect(agency.getByRole('region', { name: 'Uploads' }).getByText('1 accepted').first()).toBeVisible({
    timeout: 20_000,
  })
  await expect(
    agency.getByText('Everything that was expected has arrived.').or(agency.getByText('Received')),
  ).toBeVisible()

  expectRefusals(complaints, 422)
  await agencyContext.close()
  await operatorContext.close()
})

test('a visitor who is not signed in is asked to, and comes back to where they were going', async ({
  page,
  complaints,
}) => {
  await page.goto('/inbox')
  await expect(page).toHaveURL(/\/sign-in/)
  await expectAccessible(page)
  await page.getByLabel('E-mail').fill('coordinator@greenroom.test')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('This e-mail address and password do not go together.')).toBeVisible()
  await expect(page.getByLabel('E-mail')).toHaveValue('coordinator@greenroom.test')
  expectRefusals(complaints, 401)
})

test('dead links say why', async ({ page, browser, complaints }) => {
  await signIn(page, 'coordinator')
  const projects = (await (await page.request.get('/api/projects?q=Tidewater Bank: savings')).json()) as {
    projects: Named[]
  }
  const project = projects.projects[0]
  const { batches } = (await (await page.request.get(`/api/projects/${project?.id}/batches`)).json()) as {
    batches: Named[]
  }
  const batch = batches.find(({ name }) => name === 'Branch posters')
  const { upload_links } = (await (await page.request.get(`/api/upload-links?batchId=${batch?.id}`)).json()) as {
    upload_links: { url: string; status: string }[]
  }
  const stranger = await (await browser.newContext()).newPage()
  for (const [status, text] of [
    ['deactivated', 'This link was switched off'],
    ['expired', 'This link has expired'],
  ] as const) {
    await stranger.goto(new URL(upload_links.find((link) => link.status === status)?.url ?? '').pathname)
    await expect(stranger.getByText(text)).toBeVisible()
  }
  await stranger.goto('/u/AAAAAAAAAAAAAAAA')
  await expect(stranger.getByRole('heading', { name: 'There is no such upload link' })).toBeVisible()
  await expectAccessible(stranger)
  expectRefusals(complaints, 404)
  await stranger.context().close()
})

test('a link says when its batch takes nothing, and that it is over when the batch is cancelled', async ({ page }) => {
  await signIn(page, 'coordinator')
  const { agencies } = await ask<{ agencies: Named[] }>(page, '/api/agencies')
  const { media_categories } = await ask<{ media_categories: Named[] }>(page, '/api/media-categories')
  const project = await ask<Named>(page, '/api/projects', { name: 'Links at rest', agency_id: agencies[0]?.id })
  const batches = `/api/projects/${project.id}/batches`
  const batch = await ask<Named>(page, batches, { name: 'Posters', media_category_id: media_categories[0]?.id })
  await ask(page, '/api/upload-links', { batch_id: batch.id, label: 'Poster link' })
  // The activity of the batch names the link too.
  const row = page
    .locator('section', { has: page.getByRole('heading', { name: 'Upload links' }) })
    .getByRole('listitem')
    .filter({ hasText: 'Poster link' })

  await page.goto(`/projects/${project.id}/batches/${batch.id}`)
  await expect(row.getByText('Active')).toBeVisible()
  await ask(page, `/api/projects/${project.id}`, { status: 'on_hold' }, 'PATCH')
  await page.reload()
  await expect(row.getByText('Paused')).toBeVisible()
  await expect(row).toContainText('The project is on hold: it takes no files now.')
  await ask(page, `/api/projects/${project.id}`, { status: 'active' }, 'PATCH')
  await ask(page, `${batches}/${batch.id}/cancel`, {})
  await page.reload()
  await expect(row.getByText('Deactivated')).toBeVisible()
  await expect(row.getByRole('button')).toHaveCount(0)
})
