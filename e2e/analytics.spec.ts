import { readFileSync } from 'node:fs'
import type { AgencyAnalytics, OverruledChecks } from '../lib/domain/analytics/schema'
import { expect, expectAccessible, test } from './support/test'
import { ask, signIn } from './support/workspace'

test('a coordinator reads the metrics of the agencies, over days of their choice, and takes them along', async ({
  page,
}) => {
  await signIn(page, 'coordinator')
  await page.getByRole('link', { name: 'Analytics', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Analytics', level: 1 })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Pass rate over time' })).toBeVisible()
  await expectAccessible(page)

  // What the screen says is what the interface returns.
  const { agencies } = await ask<AgencyAnalytics>(page, '/api/pre-qc/analytics/agencies')
  const [busiest] = [...agencies].sort((a, b) => b.files_checked - a.files_checked)
  if (!busiest || busiest.files_checked === 0) throw new Error('The demo workspace has no checked files.')
  const row = page.getByRole('row', { name: new RegExp(busiest.agency.name) })
  await expect(row).toContainText(String(busiest.files_checked))

  // The demo workspace has waived findings, and rejected files.
  const { checks } = await ask<OverruledChecks>(page, '/api/pre-qc/analytics/overruled-checks')
  const overruled = page.getByRole('table', { name: 'Failed checks that reviewers overrule' })
  const [most] = checks
  if (!most) throw new Error('The demo workspace has no failed check that was decided on.')
  await expect(overruled.getByRole('row').nth(1)).toContainText(most.label)

  await page.getByText('The same as a table').click()
  await expect(page.getByRole('table', { name: /pass rate, by day/ }).getByRole('row')).toHaveCount(31)

  await page.getByRole('link', { name: '90 days' }).click()
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d&to=/)
  await expect(page.getByRole('link', { name: '90 days' })).toHaveAttribute('aria-current', 'true')

  await page.getByRole('link', { name: busiest.agency.name }).click()
  await expect(page.getByText(`Only ${busiest.agency.name}`)).toBeVisible()
  await page.getByRole('link', { name: 'Show all agencies' }).click()

  await page.getByRole('link', { name: 'Pass rate', exact: true }).click()
  await expect(page.getByRole('columnheader', { name: 'Pass rate' })).toHaveAttribute(
    'aria-sort',
    /ascending|descending/,
  )

  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).click()
  const download = await downloading
  expect(download.suggestedFilename()).toMatch(/^agencies-.*\.csv$/)
  const lines = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\r\n')
  // Another story may have added agencies meanwhile.
  for (const { agency } of agencies) expect(lines.some((line) => line.startsWith(agency.id))).toBe(true)
  expect(lines[0]).toContain('agency_id,agency,files_checked')
})

test('days without a check say so, days that cannot be are explained, and operators have no such screen', async ({
  page,
  browser,
  baseURL,
}) => {
  await signIn(page, 'coordinator')
  await page.goto('/analytics?from=2001-01-01&to=2001-01-31')
  await expect(page.getByText('Nothing was checked in these days')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/analytics?from=2026-02-30')
  await expect(page.getByText('Shown are the last 30 days')).toBeVisible()

  const other = await (await browser.newContext({ baseURL })).newPage()
  await signIn(other, 'operator')
  await expect(other.getByRole('link', { name: 'Analytics' })).toHaveCount(0)
  const response = await other.request.get('/analytics')
  expect(await response.text()).toContain('There is nothing at this address')
  await other.context().close()
})

test('of many agencies the first are shown, and all on demand', async ({ page }) => {
  await signIn(page, 'admin')
  const tag = Date.now().toString(36)
  for (let number = 0; number < 55; number++)
    await ask(page, '/api/agencies', { name: `Many ${tag} ${number}`, code: `M${tag}${number}` })
  await page.goto('/analytics')
  const rows = page.getByRole('table', { name: 'Metrics by agency' }).getByRole('row')
  await expect(rows).toHaveCount(51)
  await expectAccessible(page)
  const { agencies } = await ask<AgencyAnalytics>(page, '/api/pre-qc/analytics/agencies')
  await page.getByRole('link', { name: /^Show all \d+$/ }).click()
  await expect.poll(() => rows.count()).toBeGreaterThan(agencies.length)
  await expect(page.getByRole('link', { name: /^Show all/ })).toHaveCount(0)
  await expect(page).toHaveURL(/rows=all/)
})
