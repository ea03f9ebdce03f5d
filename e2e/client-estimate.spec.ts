import { readPdf } from '@/lib/pdf/testing'
import { expect, expectAccessible, test } from './support/test'
import { ask, signIn } from './support/workspace'

type Estimate = { id: string; number: string; status: string; total: number; client_url: string }

test('a client reads an estimate, leaves an option out, approves, thinks again, and rejects', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator')
  const { projects } = await ask<{ projects: { id: string }[] }>(page, '/api/projects?status=active')
  const draft = await ask<Estimate>(page, '/api/cost-estimates', {
    project_id: projects[0]?.id,
    title: 'Spot and stills for spring',
    line_items: [
      { description: 'Edit of the spot', quantity: 1, unit_price: 4800 },
      { description: 'Teaser for cinema', quantity: 2, unit_price: 620.5, optional: true },
      { description: 'Banners', quantity: 12, unit_price: 85, unit: 'file' },
    ],
    currency: 'EUR',
    tax_rate: 20,
  })
  let estimate = await ask<Estimate>(page, `/api/cost-estimates/${draft.id}/submit`, undefined, 'POST')
  expect(estimate.status).toBe('awaiting_client_approval')

  const context = await browser.newContext()
  const client = await context.newPage()
  await client.goto(new URL(estimate.client_url).pathname)
  await expect(client.getByRole('heading', { name: 'Spot and stills for spring' })).toBeVisible()
  await expect(client.getByRole('button', { name: 'Approve for €8,473.20' })).toBeVisible()
  await expectAccessible(client)

  // The option goes, the total follows; nothing is sent without a name, nor before it is confirmed
  await client.getByRole('checkbox', { name: 'Include: Teaser for cinema' }).click()
  await expect(client.getByText('Option, left out')).toBeVisible()
  await client.getByRole('button', { name: 'Approve for €6,984.00' }).click()
  await expect(client.getByText('Type your name').first()).toBeVisible()
  await client.getByLabel('Your name').fill('Maria Silva')
  await client.getByLabel('Comment').fill('PO 4711')
  await client.getByRole('button', { name: 'Approve for €6,984.00' }).click()
  await expect(client.getByRole('alertdialog')).toContainText('without 1 option that you left out')
  await expectAccessible(client)
  await client.getByRole('button', { name: 'Approve estimate' }).click()
  await expect(client.getByText('Approved for €6,984.00. Thank you')).toBeVisible()
  estimate = await ask<Estimate>(page, `/api/cost-estimates/${draft.id}`)
  expect(estimate).toMatchObject({ status: 'approved', total: 6984 })

  // The paper says the same as the page
  const pdf = await client.request.get(
    `${new URL(estimate.client_url).pathname.replace('/e/', '/api/public/cost-estimates/')}/pdf`,
  )
  expect(pdf.headers()['content-type']).toBe('application/pdf')
  const text = (await readPdf(await pdf.body())).pages.map((sheet) => sheet.text).join('\n')
  expect(text).toMatch(/Option, not chosen.*EUR 6,984\.00.*Maria Silva/s)

  // Second thoughts: taken back, then rejected, which needs a word
  await client.getByRole('button', { name: 'Take it back' }).click()
  await expect(client.getByRole('heading', { name: 'Your decision' })).toBeVisible()
  await client.getByLabel('Your name').fill('Maria Silva')
  await client.getByRole('button', { name: 'Reject', exact: true }).click()
  await expect(client.getByText('Say in a sentence what should change').first()).toBeVisible()
  await client.getByLabel('Comment').fill('The banners are too dear.')
  await client.getByRole('button', { name: 'Reject', exact: true }).click()
  await client.getByRole('button', { name: 'Reject estimate' }).click()
  await expect(client.getByText('You rejected this estimate')).toBeVisible()
  expect((await ask<Estimate>(page, `/api/cost-estimates/${draft.id}`)).status).toBe('rejected')

  // A revision is not shown until it is sent; a phone in the dark shows the page without scrolling sideways
  await ask(page, `/api/cost-estimates/${draft.id}/revise`, undefined, 'POST')
  await client.reload()
  await expect(client.getByText('This estimate is being revised')).toBeVisible()
  await ask(page, `/api/cost-estimates/${draft.id}/submit`, undefined, 'POST')
  await client.setViewportSize({ width: 390, height: 844 })
  await client.emulateMedia({ colorScheme: 'dark' })
  const again = await ask<Estimate>(page, `/api/cost-estimates/${draft.id}`)
  await client.goto(new URL(again.client_url).pathname)
  await expect(client.getByText('revision 2')).toBeVisible()
  expect(await client.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await expectAccessible(client)

  await client.goto('/e/aaaaaaaaaaaaaaaa')
  await expect(client.getByRole('heading', { name: 'There is no estimate at this address' })).toBeVisible()
  await context.close()
})

test('what the dialog asks stays what it asked, in flight and after a failure; the result is in sight and announced', async ({
  page,
  browser,
}) => {
  await signIn(page, 'coordinator')
  const { projects } = await ask<{ projects: { id: string }[] }>(page, '/api/projects?status=active')
  const draft = await ask<Estimate>(page, '/api/cost-estimates', {
    project_id: projects[0]?.id,
    title: 'Forty banners',
    line_items: Array.from({ length: 40 }, (_, at) => ({
      description: `Banner ${at + 1}`,
      quantity: 1,
      unit_price: 10,
    })),
  })
  const { client_url } = await ask<Estimate>(page, `/api/cost-estimates/${draft.id}/submit`, undefined, 'POST')
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const client = await context.newPage()
  await client.goto(new URL(client_url).pathname)

  // The response is held back, then fails: the question must not become another one meanwhile
  const sent: string[] = []
  let release = () => {}
  const held = new Promise<void>((go) => {
    release = go
  })
  await client.route('**/decision', async (route) => {
    sent.push(route.request().postDataJSON().decision)
    await held
    await route.fulfill({ status: 503, contentType: 'application/problem+json', body: '{"detail":"Not now."}' })
  })
  await client.getByLabel('Your name').fill('Maria Silva')
  await client.getByLabel('Comment').fill('Too dear.')
  await client.getByRole('button', { name: 'Reject', exact: true }).click()
  const dialog = client.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Reject estimate' }).click()
  await expect.poll(() => sent).toEqual(['reject'])
  await expect(dialog.getByRole('heading')).toHaveText(`Reject estimate ${draft.number}?`)
  release()
  await expect(dialog).toContainText('Not now.')
  await expect(dialog.getByRole('heading')).toHaveText(`Reject estimate ${draft.number}?`)
  await dialog.getByRole('button', { name: 'Reject estimate' }).click()
  await expect.poll(() => sent).toEqual(['reject', 'reject'])
  await expect(dialog.getByRole('button', { name: 'Reject estimate' })).toBeEnabled()
  await client.unroute('**/decision')
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  // Approved at the foot of a long page on a phone: what came of it is in sight, has the focus and is said
  await client.getByRole('button', { name: /^Approve for/ }).click()
  await expect(dialog.getByRole('heading')).toHaveText(`Approve ${draft.number} for €400.00?`)
  await dialog.getByRole('button', { name: 'Approve estimate' }).click()
  const outcome = client.getByText('Approved for €400.00. Thank you')
  await expect(outcome).toBeInViewport()
  await expect(client.getByRole('region', { name: 'Your decision' })).toBeFocused()
  await expect(client.getByRole('status').filter({ hasText: 'Your approval of €400.00 is recorded.' })).toBeAttached()
  await expectAccessible(client)
  await client.getByRole('button', { name: 'Take it back' }).click()
  await expect(client.getByRole('heading', { name: 'Your decision' })).toBeInViewport()
  await context.close()
})
