import { readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { expect, expectRefusals, test } from './support/test'
import { ask, signIn } from './support/workspace'

/** What holds for every page there is. The list is made of the app's folders, so that no new page is forgotten. */

const PAGES = readdirSync('app', { recursive: true, encoding: 'utf8' })
  .map((file) => `/${file.replaceAll('\\', '/')}`)
  .filter((file) => file.endsWith('/page.tsx'))
  .map((file) => file.replace(/\/page\.tsx$/, '').replace(/\/\([^)]+\)/g, '') || '/')

type Id = { id: string }
type Batch = Id & { name: string; status: string }

/** What stands in the places of paths: things of the demo workspace that every page can show. */
async function places(page: Page): Promise<Record<string, string>> {
  const one = async <T extends Id>(path: string, name: string, wanted: (each: T) => boolean = () => true) => {
    const found = (await ask<Record<string, T[]>>(page, path))[name]?.find(wanted)
    if (!found) throw new Error(`There is nothing fit among the ${name} of ${path}.`)
    return found
  }
  const { projects } = await ask<{ projects: Id[] }>(page, '/api/projects')
  const batches = (
    await Promise.all(
      projects.map(async ({ id: project }) => {
        const { batches } = await ask<{ batches: Batch[] }>(page, `/api/projects/${project}/batches`)
        return batches.map((batch) => ({ ...batch, project }))
      }),
    )
  ).flat()
  const approved = batches.find(({ status }) => status === 'approved')
  const path = `/api/projects/${approved?.project}/batches/${approved?.id}`
  const { statement } = await ask<{ statement: Id }>(page, `${path}/certificate`, {})
  const agency = await one('/api/agencies', 'agencies')
  const scorecard = await ask<{ url: string }>(page, `/api/agencies/${agency.id}/scorecard-links`, {})
  // Of the demo workspace: other stories make batches of their own meanwhile.
  const open = batches.find(({ name }) => name === 'Landing page visuals')
  const link = await ask<{ url: string }>(page, '/api/upload-links', { batch_id: open?.id })
  const review = await ask<{ url: string }>(page, '/api/review-links', {
    batch_id: open?.id,
    name: 'Clara',
    party: 'client',
  })
  const share = await ask<{ url: string }>(page, '/api/share-links', { batch_id: approved?.id, name: 'Paula' })
  const shared = await one<Id & { client_url: string | null; status: string }>(
    '/api/cost-estimates?status=awaiting_client_approval',
    'cost_estimates',
    ({ client_url }) => client_url !== null,
  )
  const webhook = await ask<Id>(page, '/api/webhooks', {
    url: 'https://hooks.example.com/',
    event_types: ['file.received'],
  })
  const target = await ask<Id>(page, '/api/delivery-targets', {
    name: 'A publisher',
    connection: { kind: 'http_put', url: 'https://files.example.com/incoming' },
  })
  const tokenOf = (url: string | null) => url?.split('/').at(-1) ?? ''
  return {
    project_id: approved?.project ?? '',
    batch_id: approved?.id ?? '',
    estimate_id: (await one('/api/cost-estimates?status=draft', 'cost_estimates')).id,
    agency_id: agency.id,
    media_category_id: (await one('/api/media-categories', 'media_categories')).id,
    destination_id: 'ebu_r128_s1',
    section: 'batches',
    webhook_id: webhook.id,
    delivery_target_id: target.id,
    run_id: (await ask<Id>(page, '/api/retention-runs', {})).id,
    certificate_id: statement.id,
    '/u/[token]': tokenOf(link.url),
    '/r/[token]': tokenOf(review.url),
    '/d/[token]': tokenOf(share.url),
    '/e/[token]': tokenOf(shared.client_url),
    '/s/[token]': tokenOf(scorecard.url),
    // Where a user has an account, there is nothing to set up.
    '/setup/[token]': 'AAAAAAAAAAAAAAAA',
  }
}

const EVERYWHERE = {
  'content-security-policy': /script-src 'self' 'nonce-[^']+' 'strict-dynamic';?.*/,
  'x-content-type-options': /^nosniff$/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^(no-referrer|strict-origin-when-cross-origin)$/,
  'permissions-policy': /camera=\(\)/,
}

function expectHeaders(url: string, headers: Record<string, string>) {
  for (const [name, value] of Object.entries(EVERYWHERE)) expect(headers[name], `${name} of ${url}`).toMatch(value)
  const policy = headers['content-security-policy'] ?? ''
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toMatch(/script-src[^;]*'unsafe-/)
}

test('every page runs no script but its own, and cannot be framed', async ({ page, browser, complaints }) => {
  await signIn(page, 'admin')
  const known = await places(page)
  const addresses = PAGES.map((pattern) =>
    pattern.replace(/\[(\w+)\]/g, (_, name: string) => {
      const value = known[pattern] ?? known[name]
      if (!value) throw new Error(`This test does not know what stands for ${name} in ${pattern}.`)
      return value
    }),
  )
  expect(addresses.length).toBeGreaterThan(30)
  for (const address of addresses) {
    const response = await page.goto(address, { waitUntil: 'load' })
    // It leads on to the first page of the settings, from within the page.
    if (address === '/settings') await page.waitForURL(/\/settings\/./)
    expect(response?.status(), address).toBe(address.startsWith('/setup/') ? 404 : 200)
    expectHeaders(address, response?.headers() ?? {})
    // A page whose scripts were refused never gets this far; what it complains of fails the story, see support/test.
    await page.waitForFunction(() =>
      [...document.body.querySelectorAll('*')].some((element) =>
        Object.keys(element).some((key) => key.startsWith('__reactFiber')),
      ),
    )
  }
  const missing = await page.goto('/no/such/page')
  expect(missing?.status()).toBe(404)
  expectHeaders('a page that is not there', missing?.headers() ?? {})
  expectRefusals(complaints, 404)

  const stranger = await browser.newContext()
  for (const address of ['/sign-in', '/projects', '/', '/api/auth/signout', '/u/AAAAAAAAAAAAAAAA']) {
    const response = await stranger.request.get(address, { maxRedirects: 0 })
    expectHeaders(address, response.headers())
  }
  const api = (await stranger.request.get('/api/projects')).headers()
  expect(api['content-security-policy']).toBe("default-src 'none'; frame-ancestors 'none'")
  await stranger.close()

  // Another site frames an estimate to have it approved by a click that was meant for something else.
  const estimate = `${process.env.GREENROOM_URL}/e/${known['/e/[token]']}`
  const site = createServer((_, res) => {
    res.setHeader('Content-Type', 'text/html')
    res.end(`<!doctype html><title>Elsewhere</title><iframe src="${estimate}"></iframe>`)
  }).listen(0, '127.0.0.1')
  const foreign = await page.context().newPage()
  await foreign.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
  await expect.poll(() => foreign.frames()[1]?.url()).toMatch(/^chrome-error:/)
  expect(complaints.some((text) => /frame-ancestors|Framing/.test(text))).toBe(true)
  complaints.length = 0
  site.close()
})
